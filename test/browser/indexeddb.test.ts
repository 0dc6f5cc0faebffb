import { afterEach, describe, expect, test } from "vitest";
import { type Tab, TestBrowser } from "./browser.js";
import type * as page from "./indexeddb-page.js";

const browser = new TestBrowser<typeof page>(new URL("./indexeddb-page.ts", import.meta.url));

const tabs: Tab<typeof page>[] = [];
afterEach(async () => {
	for (const tab of tabs.splice(0)) if (!tab.page.isClosed()) await tab.close();
	// Neither a refused commit nor a lost connection may surface as an unhandled rejection.
	expect(browser.errors).toEqual([]);
});

type Options = Parameters<typeof page.open>[1];

/** A tab with an outline of this name. */
async function tabOn(name: string, options?: Options): Promise<Tab<typeof page>> {
	const tab = await browser.open();
	tabs.push(tab);
	await tab.call("open", name, ...(options === undefined ? [] : ([options] as const)));
	return tab;
}

/** The names of the nodes that are stored, as a new tab finds them. */
async function storedNames(name: string): Promise<string[]> {
	return (await tabOn(name)).call("names");
}

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, number) => `${prefix} ${number}`);

describe("several tabs", () => {
	test("write at once, each sees the changes of each, and nothing is lost or doubled", async () => {
		const writers = await Promise.all([0, 1, 2].map(() => tabOn("several", { compactAfter: 20 })));
		for (let round = 0; round < 3; round++) {
			const outcomes = await Promise.all(
				writers.map((tab, which) => tab.call("create", numbered(`tab ${which} round ${round}`, 20))),
			);
			expect(outcomes.flat()).toEqual(Array.from({ length: 60 }, () => "ok"));
		}
		for (const tab of writers) await tab.call("sees", 180);
		const wanted = [0, 1, 2].flatMap((which) =>
			[0, 1, 2].flatMap((round) => numbered(`tab ${which} round ${round}`, 20)),
		);
		for (const tab of [...writers, await tabOn("several")]) expect(await tab.call("names")).toEqual(wanted.sort());
		// There have been snapshots: the journal doesn't go back to the beginning.
		const { journal, blocks } = await writers[0]!.call("stored", "several");
		expect(blocks).toBeGreaterThan(0);
		expect(journal[0]).toBeGreaterThan(1);
	});

	test("that want the same day at once get one", async () => {
		const writers = await Promise.all([0, 1].map(() => tabOn("days")));
		await Promise.all(writers.map((tab) => tab.call("create", numbered("task", 5), "2026-11-21")));
		const found = await storedNames("days");
		expect(found.filter((name) => name.startsWith("task")).length).toBe(10);
		expect(found.length).toBe(14);
	});

	test("each get their turn, although one of them writes without a pause", async () => {
		const [busy, other] = [await tabOn("turns"), await tabOn("turns")];
		void busy.call("createWithoutPause", "busy").catch(() => undefined);
		await other.call("sees", 100);
		for (let number = 0; number < 30; number++) {
			expect(await other.call("create", [`other ${number}`])).toEqual(["ok"]);
		}
	});
});

describe("killed in the middle of commits", () => {
	/** Lets a tab write until so many commits are acknowledged, ends it, and checks that they are there. */
	async function writeUntil(
		name: string,
		round: number,
		end: (tab: Tab<typeof page>) => Promise<void>,
		durability: "strict" | "relaxed" = "strict",
	): Promise<void> {
		const before = await storedNames(name);
		const tab = await tabOn(name, { compactAfter: 7, durability });
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
		const after = await storedNames(name);
		expect(after).toEqual(expect.arrayContaining([...before, ...heard]));
		// Three commits run at a time, and the test may not know of the last acknowledged ones yet.
		expect(after.length).toBeLessThan(before.length + heard.length + 30);
		expect(new Set(after).size).toBe(after.length);
	}

	test("a tab leaves its acknowledged commits behind, and the other tabs go on", async () => {
		const other = await tabOn("crash");
		await other.call("create", ["before"]);
		for (let round = 0; round < 4; round++) {
			await writeUntil("crash", round, (tab) => tab.crash());
			expect(await other.call("create", [`other ${round}`])).toEqual(["ok"]);
		}
	});

	for (const durability of ["strict", "relaxed"] as const) {
		test(`the browser leaves what was acknowledged, with ${durability} durability`, async () => {
			const killBrowser = async () => {
				await browser.kill();
				tabs.length = 0;
				await browser.start();
			};
			for (let round = 0; round < 2; round++) await writeUntil(`kill ${durability}`, round, killBrowser, durability);
		});
	}
});

describe("without room", () => {
	test("a commit is quota_exceeded and leaves nothing, reading goes on, and so does writing when there is room again", async () => {
		await browser.kill();
		await browser.start();
		await browser.limitQuota(3_000_000);
		const tab = await tabOn("quota", { compactAfter: 5 });
		const created: string[] = [];
		const outcomes: page.Outcome[] = [];
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
		expect(await storedNames("quota")).toEqual(created.toSorted());
		await browser.limitQuota();
		expect(await tab.call("create", ["small"])).toEqual(["ok"]);
		expect(await tab.call("createLarge", "large again", 500_000)).toBe("ok");
		expect(await storedNames("quota")).toEqual([...created, "small", "large again"].sort());
	});

	test("the host asks the browser how much there is", async () => {
		const tab = await tabOn("room");
		const { persisted, persist, usage, quota } = await tab.call("room");
		expect([typeof persisted, typeof persist]).toEqual(["boolean", "boolean"]);
		expect(usage).toBeGreaterThan(0);
		expect(quota).toBeGreaterThan(usage);
	});
});

describe("a database that disappears", () => {
	const gone = { code: "storage_unavailable", message: expect.stringContaining("deleted") };

	test("deleted by the browser makes the storage unavailable; a new one starts empty", async () => {
		const tab = await tabOn("cleared");
		await tab.call("create", ["before"]);
		await browser.deleteDatabase("outlinekit:cleared");
		expect(await tab.call("create", ["after"])).toEqual([gone]);
		expect(await tab.call("look")).toEqual(gone);
		expect(await tab.call("databases")).not.toContain("outlinekit:cleared");
		await tab.call("close");
		await tab.call("open", "cleared");
		expect(await tab.call("create", ["anew"])).toEqual(["ok"]);
		expect(await storedNames("cleared")).toEqual(["anew"]);
	});

	test("by another tab isn't held up", async () => {
		const [one, two] = await Promise.all([tabOn("deleted"), tabOn("deleted")]);
		await one.call("create", ["before"]);
		await two.call("sees", 1);
		const elsewhere = await tabOn("elsewhere");
		expect(await elsewhere.call("deleteDatabase", "deleted")).toBe(false);
		for (const tab of [one, two]) expect(await tab.call("create", ["after"])).toEqual([gone]);
		expect(await elsewhere.call("databases")).not.toContain("outlinekit:deleted");
		expect(await storedNames("deleted")).toEqual([]);
	});

	test("deleted and filled by another program isn't taken for the earlier one", async () => {
		const tab = await tabOn("replaced");
		await tab.call("create", ["before"]);
		await browser.deleteDatabase("outlinekit:replaced");
		const other = await tabOn("replaced");
		await other.call("create", ["other 1"]);
		await other.call("create", ["other 2"]);
		expect(await tab.call("create", ["after"])).toEqual([gone]);
		expect(await storedNames("replaced")).toEqual(["other 1", "other 2"]);
	});
});

describe("a connection", () => {
	test("closed by the browser in the middle of commits opens again, and no commit fails or is doubled", async () => {
		// Chromium may take half a minute to open a database whose opening it has just aborted.
		const tab = await tabOn("forced", { compactAfter: 7, openTimeout: 60_000 });
		await tab.call("names");
		const internals = await tab.page.context().newPage();
		await internals.goto("chrome://indexeddb-internals");
		const forceClose = internals
			.locator("indexeddb-bucket", { hasText: "Open connections" })
			.getByText("Force close")
			.first();
		const wanted: string[] = [];
		const outcomes: page.Outcome[] = [];
		let enough = false;
		const counts = [0, 0];
		const creating = counts.map(async (_, writer) => {
			for (; !enough; counts[writer]! += 1) {
				const names = numbered(`writer ${writer} ${counts[writer]}`, 5);
				wanted.push(...names);
				outcomes.push(...(await tab.call("create", names)));
			}
		});
		const closeIt = async () => {
			const before = [...counts];
			await forceClose.click();
			// A commit may fail if it loses two connections.
			await expect.poll(() => counts.every((count, writer) => count > before[writer]!), { timeout: 60_000 }).toBe(true);
			return tab.call("connectionsLost");
		};
		// There is none to close for a quarter of a second after each.
		await expect.poll(closeIt, { interval: 400, timeout: 60_000 }).toBeGreaterThanOrEqual(6);
		enough = true;
		await Promise.all(creating);
		expect(outcomes.filter((outcome) => outcome !== "ok")).toEqual([]);
		await internals.close();
		expect(await tab.call("names")).toEqual(wanted.toSorted());
		expect(await storedNames("forced")).toEqual(wanted.toSorted());
	}, 120_000);

	test("that is closed without a word is opened again", async () => {
		const tab = await tabOn("closed", { compactAfter: 3 });
		for (let round = 0; round < 5; round++) {
			expect(await tab.call("create", [`before ${round}`])).toEqual(["ok"]);
			await tab.call("closeConnections");
			expect(await tab.call("create", [`after ${round}`])).toEqual(["ok"]);
		}
		expect((await storedNames("closed")).length).toBe(10);
	});

	test("doesn't block a newer release, whose database it then leaves alone", async () => {
		const tab = await tabOn("upgraded");
		await tab.call("create", ["before"]);
		const elsewhere = await tabOn("elsewhere");
		expect(await elsewhere.call("upgradeDatabase", "upgraded")).toBe(false);
		const newer = { code: "storage_unavailable", message: expect.stringContaining("newer") };
		expect(await tab.call("create", ["after"])).toEqual([newer]);
		expect(await (await tabOn("upgraded")).call("look")).toEqual(newer);
	});
});

test("a commit is read back if it was acknowledged, however large, and else too_large", {
	timeout: 60_000,
}, async () => {
	const tab = await tabOn("long");
	// The browser keeps each of these characters in two bytes, and refuses a record of 133,169,152.
	expect(await tab.call("createLong", 63, 1_000_000, "字")).toBe("ok");
	expect(await tab.call("createLong", 67, 1_000_000, "字")).toMatchObject({ code: "too_large" });
	expect(await tab.call("createLong", 125, 1_000_000, "a")).toBe("ok");
	expect(await (await tabOn("long")).call("lengthOfNotes")).toBe(188_000_000);
});
