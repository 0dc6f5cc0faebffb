import { describe, expect, test } from "vitest";
import { short } from "../setup/soak.js";
import { numbered, OutlineTabs } from "./indexeddb-tabs.js";

const tabs = new OutlineTabs();

describe("several tabs", () => {
	test("write at once, each sees the changes of each, and nothing is lost or doubled", async () => {
		const writers = await Promise.all([0, 1, 2].map(() => tabs.open("several", { compactAfter: 20 })));
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
		for (const tab of [...writers, await tabs.open("several")]) expect(await tab.call("names")).toEqual(wanted.sort());
		// There have been snapshots: the journal doesn't go back to the beginning.
		const { journal, blocks } = await writers[0]!.call("stored", "several");
		expect(blocks).toBeGreaterThan(0);
		expect(journal[0]).toBeGreaterThan(1);
	});

	test("that want the same day at once get one", async () => {
		const writers = await Promise.all([0, 1].map(() => tabs.open("days")));
		await Promise.all(writers.map((tab) => tab.call("create", numbered("task", 5), "2026-11-21")));
		const found = await tabs.storedNames("days");
		expect(found.filter((name) => name.startsWith("task")).length).toBe(10);
		expect(found.length).toBe(14);
	});

	test("each get their turn, although one of them writes without a pause", async () => {
		const [busy, other] = [await tabs.open("turns"), await tabs.open("turns")];
		void busy.call("createWithoutPause", "busy").catch(() => undefined);
		await other.call("sees", 100);
		for (let number = 0; number < 30; number++) {
			expect(await other.call("create", [`other ${number}`])).toEqual(["ok"]);
		}
	});
});

describe("a database that disappears", () => {
	const gone = { code: "storage_unavailable", message: expect.stringContaining("deleted") };

	test("deleted by the browser makes the storage unavailable; a new one starts empty", async () => {
		const tab = await tabs.open("cleared");
		await tab.call("create", ["before"]);
		await tabs.browser.deleteDatabase("outlinekit:cleared");
		expect(await tab.call("create", ["after"])).toEqual([gone]);
		expect(await tab.call("look")).toEqual(gone);
		expect(await tab.call("databases")).not.toContain("outlinekit:cleared");
		await tab.call("close");
		await tab.call("open", "cleared");
		expect(await tab.call("create", ["anew"])).toEqual(["ok"]);
		expect(await tabs.storedNames("cleared")).toEqual(["anew"]);
	});

	test("by another tab isn't held up", async () => {
		const [one, two] = await Promise.all([tabs.open("deleted"), tabs.open("deleted")]);
		await one.call("create", ["before"]);
		await two.call("sees", 1);
		const elsewhere = await tabs.open("elsewhere");
		expect(await elsewhere.call("deleteDatabase", "deleted")).toBe(false);
		for (const tab of [one, two]) expect(await tab.call("create", ["after"])).toEqual([gone]);
		expect(await elsewhere.call("databases")).not.toContain("outlinekit:deleted");
		expect(await tabs.storedNames("deleted")).toEqual([]);
	});

	test("deleted and filled by another program isn't taken for the earlier one", async () => {
		const tab = await tabs.open("replaced");
		await tab.call("create", ["before"]);
		await tabs.browser.deleteDatabase("outlinekit:replaced");
		const other = await tabs.open("replaced");
		await other.call("create", ["other 1"]);
		await other.call("create", ["other 2"]);
		expect(await tab.call("create", ["after"])).toEqual([gone]);
		expect(await tabs.storedNames("replaced")).toEqual(["other 1", "other 2"]);
	});
});

describe("a connection", () => {
	test("that is closed without a word is opened again", async () => {
		const tab = await tabs.open("closed", { compactAfter: 3 });
		for (let round = 0; round < 5; round++) {
			expect(await tab.call("create", [`before ${round}`])).toEqual(["ok"]);
			await tab.call("closeConnections");
			expect(await tab.call("create", [`after ${round}`])).toEqual(["ok"]);
		}
		expect((await tabs.storedNames("closed")).length).toBe(10);
	});

	test("doesn't block a newer release, whose database it then leaves alone", async () => {
		const tab = await tabs.open("upgraded");
		await tab.call("create", ["before"]);
		const elsewhere = await tabs.open("elsewhere");
		expect(await elsewhere.call("upgradeDatabase", "upgraded")).toBe(false);
		const newer = { code: "storage_unavailable", message: expect.stringContaining("newer") };
		expect(await tab.call("create", ["after"])).toEqual([newer]);
		expect(await (await tabs.open("upgraded")).call("look")).toEqual(newer);
	});
});

test.runIf(!short)(
	"a commit is read back if it was acknowledged, however large, and else too_large",
	{
		timeout: 60_000,
	},
	async () => {
		const tab = await tabs.open("long");
		// The browser keeps each of these characters in two bytes, and refuses a record of 133,169,152.
		expect(await tab.call("createLong", 63, 1_000_000, "字")).toBe("ok");
		expect(await tab.call("createLong", 67, 1_000_000, "字")).toMatchObject({ code: "too_large" });
		expect(await tab.call("createLong", 125, 1_000_000, "a")).toBe("ok");
		expect(await (await tabs.open("long")).call("lengthOfNotes")).toBe(188_000_000);
	},
);
