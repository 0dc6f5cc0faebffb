import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { liveRows } from "../../../src/live/index.js";
import { Outline } from "../../../src/outline.js";
import { planted, twoOutlines } from "../../support/outline.js";
import { around, readRows, shown } from "./rows.js";

/** Sets the clock until the test ends. Turns of the event loop stay real: work of earlier files may still take some. */
function setClock(moment: string): void {
	vi.useFakeTimers({ now: Date.parse(moment), toFake: ["Date", "setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
}

/** Waits until so many timers are left. The clock goes on by a second at most, in which timers of earlier files end. */
async function timersLeft(count: number): Promise<void> {
	await vi.waitFor(() => expect(vi.getTimerCount()).toBe(count));
}

describe("rows below a key", () => {
	test("read only after commits that concern the key", async () => {
		const { outline, a } = await planted("a #a\nb");
		await outline.setShortcut("home", a);
		let asked = 0;
		const counted = around(outline, {
			get: (ref) => {
				asked += 1;
				return outline.get(ref);
			},
		});
		const live = await readRows(counted, { root: "home" });
		expect(asked).toBe(1);
		await outline.create({ name: "x" });
		await outline.setShortcut("work", a);
		await outline.ensure("today");
		expect(asked).toBe(1);
		await outline.deleteShortcut("home");
		await vi.waitFor(() => expect(live.current.root).toBeUndefined());
		expect(asked).toBe(2);
	});

	test("appear when the key gets a node, here or elsewhere, and disappear with the node", async () => {
		const [here, there] = twoOutlines();
		const lives = [
			liveRows(here, { root: "today" }),
			liveRows(here, { root: "inbox" }),
			liveRows(here, { root: "key" }),
		];
		await Promise.all(lives.map(({ ready }) => ready));
		for (const live of lives) expect(live.current).toEqual({ root: undefined, rows: [] });
		await here.create({ name: "x", parent: "today" });
		await there.create({ name: "y", parent: "inbox" });
		const { id } = await here.create({ name: "list" });
		await here.create({ name: "z", parent: id });
		await here.setShortcut("key", id);
		await expect.poll(() => lives.map(shown)).toEqual([["? x"], ["? y"], ["? z"]]);
		await there.delete("inbox");
		await expect.poll(() => lives[1]!.current).toEqual({ root: undefined, rows: [] });
		await here.create({ name: "again", parent: "inbox" });
		await expect.poll(() => shown(lives[1]!)).toEqual(["? again"]);
		for (const live of lives) live.close();
	});

	test("follow a shortcut that is set to another node", async () => {
		const { outline, a, b } = await planted("a #a\n  below a\nb #b\n  below b");
		await outline.setShortcut("key", a);
		const live = await readRows(outline, { root: "key" });
		expect(shown(live)).toEqual(["? below a"]);
		await outline.setShortcut("key", b);
		await expect.poll(() => shown(live)).toEqual(["? below b"]);
		expect(live.current.root?.id).toBe(b);
		await outline.deleteShortcut("key");
		await expect.poll(() => live.current).toEqual({ root: undefined, rows: [] });
	});

	test("change at midnight in the outline's zone, and leave no timer after they are closed", async () => {
		setClock("2026-11-21T22:58:30Z");
		const outline = new Outline({ storage: createMemoryStorage(), timeZone: "Europe/Berlin" });
		for (const parent of ["2026-11-21", "2026-11-22", "2026-11-23"]) await outline.create({ name: parent, parent });
		const live = liveRows(outline, { root: "today" });
		const next = liveRows(outline, { root: "tomorrow" });
		const fixed = liveRows(outline, { root: "2026-11-21" });
		await Promise.all([live, next, fixed].map(({ ready }) => ready));
		const seen = () => [live, next, fixed].map((each) => each.current.rows[0]?.node.name);
		expect(seen()).toEqual(["2026-11-21", "2026-11-22", "2026-11-21"]);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(seen()).toEqual(["2026-11-21", "2026-11-22", "2026-11-21"]);
		await vi.advanceTimersByTimeAsync(31_000);
		expect(seen()).toEqual(["2026-11-22", "2026-11-23", "2026-11-21"]);
		await timersLeft(2);
		for (const each of [live, next, fixed]) each.close();
		await timersLeft(0);
	});

	test("change at midnight also if the day begins while the root is being read", async () => {
		setClock("2026-11-21T23:59:59Z");
		const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
		for (const parent of ["2026-11-21", "2026-11-22"]) await outline.create({ name: parent, parent });
		let reads = 0;
		const slow = around(outline, {
			get: async (ref) => {
				const found = await outline.get(ref);
				if (++reads === 1) await vi.advanceTimersByTimeAsync(2000);
				return found;
			},
		});
		slow.today = () => outline.today();
		const live = await readRows(slow, { root: "today" });
		expect(shown(live)).toEqual(["? 2026-11-22"]);
		live.close();
	});

	test("change at midnight also if the clock was wrong for a while", async () => {
		setClock("2026-11-21T23:57:30Z");
		let isWrong = false;
		const now = () => (isWrong ? Number.NaN : Date.now());
		const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC", now });
		for (const parent of ["2026-11-21", "2026-11-22"]) await outline.create({ name: parent, parent });
		const live = await readRows(outline, { root: "today" });
		isWrong = true;
		await vi.advanceTimersByTimeAsync(60_000);
		expect(shown(live)).toEqual(["? 2026-11-21"]);
		isWrong = false;
		await vi.advanceTimersByTimeAsync(120_000);
		expect(shown(live)).toEqual(["? 2026-11-22"]);
		live.close();
		await timersLeft(0);
	});

	test("stop following the key when the outline is closed", async () => {
		setClock("2026-11-21T23:59:30Z");
		const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
		await readRows(outline, { root: "today" });
		await outline.close();
		await vi.advanceTimersByTimeAsync(60_000);
		await timersLeft(0);
	});
});
