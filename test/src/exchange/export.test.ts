import type { ExchangeProgress } from "outlinekit";
import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { describe, expect, test } from "vitest";
import type { StorageAdapter } from "../../../src/storage.js";
import { bound } from "../../support/notices.js";
import { codeOf, newOutline, planted } from "../../support/outline.js";
import { some, write } from "../verify/damage.js";
import { fileOf } from "./files.js";

/** A storage that calls a function before each scan. */
function disturbed(before: (scan: number) => Promise<unknown>): { storage: StorageAdapter; inner: StorageAdapter } {
	const inner = createMemoryStorage();
	let scans = 0;
	const storage: StorageAdapter = {
		...bound(inner),
		async *scan() {
			scans += 1;
			await before(scans);
			yield* inner.scan();
		},
	};
	return { storage, inner };
}

describe("an export", () => {
	test("in JSON has the keys that belong to its nodes", async () => {
		let last = 3;
		const { storage, inner } = disturbed(async (scan) => {
			if (scan > last) return;
			const other = newOutline({ storage: inner });
			const { id } = await other.create({ name: `new ${scan}` });
			await other.setShortcut("new", id);
		});
		const outline = new Outline({ storage });
		const lines = (await fileOf(outline, "json")).trim().split("\n");
		expect(lines).toHaveLength(5);
		const { nodeId } = JSON.parse(lines.at(-1)!);
		expect(lines.find((line) => line.includes(nodeId))).toContain("new 3");
		// Changes to nodes alone cause no conflict, and other formats have no keys.
		last = Number.POSITIVE_INFINITY;
		expect(await codeOf(fileOf(outline, "json"))).toBe("conflict");
		expect(await fileOf(outline, "text")).toContain("new 20");
	});

	test("can have a root, arrives in pieces and reports its progress", async () => {
		const { outline, b } = await planted("a\nb #b\n  c\n    d\ne");
		expect(await fileOf(outline, "text", { root: b })).toBe("b\n\tc\n\t\td\n");
		expect(await fileOf(outline, "text", { root: null })).toBe("a\nb\n\tc\n\t\td\ne\n");
		const { nodes } = JSON.parse((await fileOf(outline, "json", { root: b })).split("\n")[0]!);
		expect(nodes).toBe(3);

		await outline.import(`${"x".repeat(999)}\n`.repeat(500), { format: "text" });
		const seen: ExchangeProgress[] = [];
		const pieces: string[] = [];
		const textual = outline.exportAs("text", { onProgress: (progress) => seen.push(progress) });
		for await (const piece of textual) {
			pieces.push(piece);
			expect(seen.at(-1)!.characters).toBe(pieces.join("").length);
		}
		expect(pieces.length).toBeGreaterThan(5);
		expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
		expect(seen.at(-1)!.nodes).toBe(505);
		expect(seen[0]!.nodes).toBeLessThan(100);
	});

	test.each(["json", "opml", "markdown", "text"] as const)("as %s has a damaged node too", async (format) => {
		const storage = createMemoryStorage();
		await write(storage, { nodes: some({ 1: { name: "<b>shown</b>", layoutMode: "h9" as never } }) });
		expect(await fileOf(newOutline({ storage }), format)).toContain("shown");
	});

	test("can be aborted, and iterated again", async () => {
		const outline = newOutline();
		await outline.import(`${"*".repeat(999)}\n`.repeat(500), { format: "text" });
		await outline.create({ name: "**b**" });
		const controller = new AbortController();
		const textual = outline.exportAs("text", { signal: controller.signal });
		const aborted = async () => {
			for await (const _ of textual) controller.abort(new Error("enough"));
		};
		await expect(aborted()).rejects.toThrow("enough");
		await expect(aborted()).rejects.toThrow("enough");

		const again = outline.exportAs("text");
		const read = async () => {
			for await (const _ of again);
			return again.lost;
		};
		expect(again.lost).toEqual({});
		expect(await read()).toEqual({ formatting: 1 });
		expect(await read()).toEqual({ formatting: 1 });
	});

	test("refuses wrong arguments, a missing root and a closed outline", async () => {
		const outline = newOutline();
		expect(() => outline.exportAs("rtf" as never)).toThrow("format is");
		expect(() => outline.exportAs("json", null as never)).toThrow("exportAs was given null");
		expect(() => outline.exportAs("json", { root: 1 as never })).toThrow("Root is 1");
		expect(() => outline.exportAs("json", { onProgress: {} as never })).toThrow("onProgress is");
		expect(await codeOf(fileOf(outline, "json", { root: "nowhere" }))).toBe("not_found");
		const begun = outline.exportAs("json");
		await outline.close();
		expect(() => outline.exportAs("json")).toThrow("closed");
		expect(await codeOf(begun[Symbol.asyncIterator]().next())).toBe("closed");
	});
});
