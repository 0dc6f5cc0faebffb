import { describe, expect, test } from "vitest";
import type { Tab } from "./browser.js";
import type { Outcome } from "./indexeddb-page.js";
import { OutlineTabs, type Page } from "./indexeddb-tabs.js";

const tabs = new OutlineTabs();

describe("killed in the middle of commits", () => {
	/** Lets a tab write until so many commits are acknowledged, ends it, and checks that they are there. */
	async function writeUntil(
		name: string,
		round: number,
		end: (tab: Tab<Page>) => Promise<void>,
		durability: "strict" | "relaxed" = "strict",
	): Promise<void> {
		const before = await tabs.storedNames(name);
		const tab = await tabs.open(name, { compactAfter: 7, durability });
		const heard: string[] = [];
		const enough = new Promise<void>((resolve) => {
			void tab.page
				.exposeFunction("acknowledged", (each: string) => {
					heard.push(each);
					if (heard.length === 40 + round) resolve();
				})
				.then(() => tab.call("createEndlessly", `round ${round}`).catch(() => undefined));
		});
		await enough;
		await end(tab);
		const after = await tabs.storedNames(name);
		expect(after).toEqual(expect.arrayContaining([...before, ...heard]));
		// Three commits run at a time, and the test may not know of the last acknowledged ones yet.
		expect(after.length).toBeLessThan(before.length + heard.length + 30);
		expect(new Set(after).size).toBe(after.length);
	}

	test("a tab leaves its acknowledged commits behind, and the other tabs go on", async () => {
		const other = await tabs.open("crash");
		await other.call("create", ["before"]);
		for (let round = 0; round < 2; round++) {
			await writeUntil("crash", round, (tab) => tab.crash());
			expect(await other.call("create", [`other ${round}`])).toEqual(["ok"]);
		}
	});

	for (const durability of ["strict", "relaxed"] as const) {
		test(`the browser leaves what was acknowledged, with ${durability} durability`, async () => {
			for (let round = 0; round < 2; round++) {
				await writeUntil(`kill ${durability}`, round, () => tabs.killBrowser(), durability);
			}
		});
	}
});

describe("without room", () => {
	test("a commit is quota_exceeded and leaves nothing, reading goes on, and so does writing when there is room again", async () => {
		await tabs.killBrowser();
		await tabs.browser.limitQuota(3_000_000);
		const tab = await tabs.open("quota", { compactAfter: 5 });
		const created: string[] = [];
		const outcomes: Outcome[] = [];
		for (let number = 0; number < 30; number++) {
			const outcome = await tab.call("createLarge", `large ${number}`, 500_000);
			outcomes.push(outcome);
			if (outcome === "ok") created.push(`large ${number}`);
		}
		expect(created.length).toBeGreaterThan(0);
		const refused = outcomes.filter((outcome) => outcome !== "ok");
		expect(refused.length).toBeGreaterThan(0);
		for (const outcome of refused) expect(outcome).toMatchObject({ code: "quota_exceeded" });
		expect(await tab.call("names")).toEqual(created.toSorted());
		expect(await tabs.storedNames("quota")).toEqual(created.toSorted());
		await tabs.browser.limitQuota();
		expect(await tab.call("create", ["small"])).toEqual(["ok"]);
		expect(await tab.call("createLarge", "large again", 500_000)).toBe("ok");
		expect(await tabs.storedNames("quota")).toEqual([...created, "small", "large again"].sort());
	});

	test("the host asks the browser how much there is", async () => {
		const tab = await tabs.open("room");
		const { persisted, persist, usage, quota } = await tab.call("room");
		expect([typeof persisted, typeof persist]).toEqual(["boolean", "boolean"]);
		expect(usage).toBeGreaterThan(0);
		expect(quota).toBeGreaterThan(usage);
	});
});
