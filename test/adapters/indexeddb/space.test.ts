import { afterEach, describe, expect, test, vi } from "vitest";
import { createIndexedDbStorage } from "../../../adapters/indexeddb.js";
import { codeOf } from "../../support/outline.js";

afterEach(() => vi.unstubAllGlobals());

describe("the browser's storage space", () => {
	test("is requested when the host asks, and only then", async () => {
		const asked: string[] = [];
		const answers = { persisted: false, persist: true, estimate: { usage: 5, quota: 100, usageDetails: {} } };
		const manager = Object.fromEntries(
			Object.entries(answers).map(([name, answer]) => [
				name,
				async function (this: unknown) {
					expect(this).toBe(manager);
					asked.push(name);
					return answer;
				},
			]),
		);
		vi.stubGlobal("navigator", { storage: manager });
		const storage = createIndexedDbStorage("outline");
		expect(asked).toEqual([]);
		expect(await storage.persisted()).toBe(false);
		expect(await storage.persist()).toBe(true);
		expect(await storage.estimate()).toEqual({ usage: 5, quota: 100 });
		expect(asked).toEqual(["persisted", "persist", "estimate"]);
	});

	test("can't become persistent in a worker", async () => {
		vi.stubGlobal("navigator", { storage: { persisted: async () => true, estimate: async () => ({}) } });
		const storage = createIndexedDbStorage("outline");
		expect(await storage.persist()).toBe(true);
		expect(await storage.estimate()).toEqual({ usage: undefined, quota: undefined });
	});

	test("is unknown if the browser doesn't report it", async () => {
		for (const navigator of [undefined, {}]) {
			vi.stubGlobal("navigator", navigator);
			const storage = createIndexedDbStorage("outline");
			expect(await storage.persisted()).toBe(false);
			expect(await storage.persist()).toBe(false);
			expect(await storage.estimate()).toEqual({ usage: undefined, quota: undefined });
		}
	});

	test("throws storage_unavailable if the browser refuses to report it", async () => {
		const refuse = () => Promise.reject(new TypeError("opaque origin"));
		vi.stubGlobal("navigator", { storage: { persisted: refuse, persist: refuse, estimate: refuse } });
		const storage = createIndexedDbStorage("outline");
		for (const asking of [storage.persisted(), storage.persist(), storage.estimate()]) {
			expect(await codeOf(asking)).toBe("storage_unavailable");
		}
	});
});
