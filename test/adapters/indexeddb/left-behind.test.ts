import { describe, expect, test } from "vitest";
import { adding } from "../../support/batches.js";
import { codeOf } from "../../support/outline.js";
import { rawChange, rawContent } from "./raw.js";
import { commit, factory, sleepingTab, tab, useTabs } from "./tabs.js";

useTabs();

/** A tab that has committed. A snapshot of another tab has then deleted this commit from the journal. */
async function tabFarBehind() {
	const asleep = await sleepingTab();
	await commit(asleep.storage, 1, 1);
	const awake = await tab({ compactAfter: 1 });
	await commit(awake.storage, 2, 2);
	const asleepLater = await sleepingTab();
	await commit(awake.storage, 3, 9);
	const { journal } = await rawContent(factory, "outline");
	expect(journal![0]![0]).toBeGreaterThan(3);
	return { asleep, asleepLater, awake, journal };
}

describe("a commit", () => {
	test("of a tab that last wrote alone and is far behind is refused, and leaves nothing", async () => {
		const { asleep, journal } = await tabFarBehind();
		const group = [adding(100, 1), adding(101, 2)].map((batch) => codeOf(asleep.storage.commit(batch)));
		expect(await Promise.all(group)).toEqual(["conflict", "conflict"]);
		expect((await rawContent(factory, "outline")).journal).toEqual(journal);
		expect(asleep.storage.peek!([])).toMatchObject({ revision: 9 });
		expect(await asleep.storage.commit(adding(10, 9))).toBe(10);
	});

	test("of such a tab that can't remove its records counts for no tab, and a snapshot removes them", async () => {
		const { asleep, asleepLater, awake, journal } = await tabFarBehind();
		asleep.database.faultAt = ({ type }) => (type === "delete" ? { kind: "fail", error: "DataError" } : undefined);
		expect(await codeOf(asleep.storage.commit(adding(100, 1)))).toBe("conflict");
		const stray = [2, expect.objectContaining({ revision: 2 })];
		expect((await rawContent(factory, "outline")).journal).toEqual([stray, ...journal!]);
		// Neither for a tab at the same revision, nor for one that opens the outline, nor for the writer.
		expect(await codeOf(asleepLater.storage.commit(adding(101, 2)))).toBe("conflict");
		const reopened = await tab();
		for (const { storage } of [asleep, asleepLater, awake, reopened]) {
			const { revision, results } = await storage.read([{ type: "children", of: null, scope: "own" }]);
			expect(revision).toBe(9);
			expect(results[0].map(({ record }) => record.name)).not.toContain("100");
		}
		await commit(awake.storage, 10, 12);
		await awake.storage.close();
		expect((await rawContent(factory, "outline")).journal![0]![0]).toBeGreaterThan(2);
	});

	test("of such a tab whose answer is lost doesn't count as done because its record is there", async () => {
		const { asleep } = await tabFarBehind();
		const before = asleep.calls.length;
		asleep.database.faultAt = ({ type, index }) =>
			type === "add" && index < before + 3 ? { kind: "mute", error: "" } : undefined;
		expect(await codeOf(asleep.storage.commit(adding(100, 1)))).toBe("conflict");
		expect(asleep.storage.peek!([])).toMatchObject({ revision: 9 });
		expect((await rawContent(factory, "outline")).journal!.map(([key]) => key)).toContain(2);
	});

	test("on the content of the first release stays, and other tabs follow it after its snapshot", async () => {
		const { storage } = await tab({ compactAfter: 4 });
		await commit(storage, 1, 6);
		await storage.close();
		await rawChange(factory, "outline", "meta", (store) => {
			const request = store.get(0);
			request.onsuccess = () => {
				const { cut: _none, ...meta } = request.result;
				store.put(meta, 0);
			};
		});
		const [one, two] = [await tab(), await sleepingTab()];
		expect(await one.storage.commit(adding(7, 6))).toBe(7);
		expect(await codeOf(two.storage.commit(adding(8, 6)))).toBe("conflict");
		expect(await two.storage.commit(adding(8, 7))).toBe(8);
	});
});
