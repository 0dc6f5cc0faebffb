import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Notices } from "../../../adapters/indexeddb/notices.js";
import { createIndexedDbStorage } from "../../../adapters/indexeddb.js";
import type { CommitNotice } from "../../../src/storage.js";
import { FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";
import { adding } from "../../support/batches.js";

afterEach(() => vi.unstubAllGlobals());

/** A document whose tab the test shows and hides. */
class Page extends EventTarget {
	visibilityState = "visible";

	become(state: string): void {
		this.visibilityState = state;
		this.dispatchEvent(new Event("visibilitychange"));
	}
}

function stubPage() {
	const [page, window] = [new Page(), new EventTarget()];
	vi.stubGlobal("document", page);
	vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
	vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
	return { page, window };
}

describe("notices", () => {
	test("reach the tabs with the same name, except the sender", async () => {
		const heard: string[] = [];
		const hear = (who: string) => () => heard.push(who);
		const notices = ["a", "a", "b"].map((name, place) => new Notices(`notices ${name}`, hear(`${name}${place}`)));
		notices[0]!.notify();
		await vi.waitUntil(() => heard.length > 0);
		expect(heard).toEqual(["a1"]);
		for (const each of notices) each.close();
	});

	test("carry no data: the commits of other tabs come from the journal", async () => {
		const factory = new IDBFactory();
		const [one, two] = [0, 1].map(() => createIndexedDbStorage("noticed", new FaultyIndexedDb(factory).options));
		await one!.read([]);
		await two!.read([]);
		const seen: CommitNotice[] = [];
		two!.watch!((notice) => seen.push(notice));
		const sent: unknown[] = [];
		const channel = new BroadcastChannel("outlinekit:noticed");
		channel.onmessage = ({ data }) => sent.push(data);
		await one!.commit(adding(1, 0));
		await vi.waitUntil(() => seen.length > 0 && sent.length > 0);
		expect(seen).toEqual([{ revision: 1, detail: { batch: adding(1, 0), related: [] } }]);
		expect(sent).toEqual([null]);
		// Any other message is only a reason to read the journal.
		channel.postMessage({ revision: 99, nodes: ["forged"] });
		await one!.commit(adding(2, 1));
		await vi.waitUntil(() => seen.length > 1);
		expect(seen.length).toBe(2);
		channel.close();
		for (const storage of [one!, two!]) await storage.close();
	});

	test("ask the other tabs for a turn, which ends soon; tabs that ask at once don't wait for each other", async () => {
		let heard = 0;
		const [one, two, other] = [0, 1, 2].map(
			() =>
				new Notices("turns", () => {
					heard += 1;
				}),
		) as [Notices, Notices, Notices];
		expect(other.turn).toBeNull();
		one.askForTurn();
		two.askForTurn();
		await vi.waitUntil(() => other.turn !== null);
		await other.turn;
		expect([one.turn, two.turn, other.turn]).toEqual([null, null, null]);
		expect(heard).toBe(0);
		two.askForTurn();
		await vi.waitUntil(() => one.turn !== null);
		for (const each of [one, two, other]) each.close();
	});

	test("come one at a time: commits soon after a notice share the next one, sent at the latest when the user leaves the page", async () => {
		const sent: number[] = [];
		let now = 0;
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		onTestFinished(() => void vi.useRealTimers());
		vi.stubGlobal(
			"BroadcastChannel",
			class {
				postMessage = () => sent.push(now);
				close = () => undefined;
			},
		);
		const { window } = stubPage();
		const notices = new Notices("many", () => undefined);
		for (; now < 60; now++) {
			notices.notify();
			vi.advanceTimersByTime(1);
		}
		expect(sent).toEqual([0, 24, 49]);
		window.dispatchEvent(new Event("pagehide"));
		expect(sent.length).toBe(4);
		window.dispatchEvent(new Event("pagehide"));
		vi.advanceTimersByTime(100);
		expect(sent.length).toBe(4);
		notices.notify();
		notices.notify();
		notices.close();
		expect(sent.length).toBe(6);
		expect(vi.getTimerCount()).toBe(0);
	});

	test("count as missed when the user shows a page again or comes back to it", async () => {
		const { page, window } = stubPage();
		let looked = 0;
		const notices = new Notices("back", () => {
			looked += 1;
		});
		page.become("hidden");
		expect(looked).toBe(0);
		page.become("visible");
		expect(looked).toBe(1);
		window.dispatchEvent(new Event("pageshow"));
		expect(looked).toBe(2);
		notices.close();
		page.become("visible");
		window.dispatchEvent(new Event("pageshow"));
		expect(looked).toBe(2);
	});

	test("aren't heeded in a frozen page, whose reads of the database would hold up other tabs, and count as missed when it resumes", async () => {
		const { page } = stubPage();
		const channels: { onmessage(event: object): void }[] = [];
		vi.stubGlobal(
			"BroadcastChannel",
			class {
				onmessage = () => undefined;
				close = () => undefined;
				constructor() {
					channels.push(this);
				}
			},
		);
		let looked = 0;
		const notices = new Notices("frozen", () => {
			looked += 1;
		});
		const receive = () => channels[0]!.onmessage({ data: null });
		receive();
		expect(looked).toBe(1);
		page.dispatchEvent(new Event("freeze"));
		receive();
		expect(looked).toBe(1);
		page.dispatchEvent(new Event("resume"));
		expect(looked).toBe(2);
		receive();
		expect(looked).toBe(3);
		notices.close();
		page.dispatchEvent(new Event("resume"));
		expect(looked).toBe(3);
	});

	test("may be missing: a tab without them finds out when the user shows it again, or when it writes", async () => {
		const { page } = stubPage();
		vi.stubGlobal("BroadcastChannel", undefined);
		const factory = new IDBFactory();
		const [one, two] = [0, 1].map(() => createIndexedDbStorage("deaf", new FaultyIndexedDb(factory).options));
		await two!.read([]);
		await one!.commit(adding(1, 0));
		page.become("visible");
		await vi.waitUntil(() => two!.peek!([])?.revision === 1);
		await one!.commit(adding(2, 1));
		await expect(two!.commit(adding(3, 1))).rejects.toMatchObject({ code: "conflict" });
		expect(two!.peek!([])).toMatchObject({ revision: 2 });
		for (const storage of [one!, two!]) await storage.close();
	});

	test("may be refused by the browser", async () => {
		vi.stubGlobal(
			"BroadcastChannel",
			class {
				constructor() {
					throw new DOMException("not here", "SecurityError");
				}
			},
		);
		const storage = createIndexedDbStorage("refused", new FaultyIndexedDb(new IDBFactory()).options);
		expect(await storage.commit(adding(1, 0))).toBe(1);
		await storage.close();
	});

	test("that can't be sent fail no commit", async () => {
		vi.stubGlobal(
			"BroadcastChannel",
			class {
				close = () => undefined;
				postMessage() {
					throw new DOMException("not now", "InvalidStateError");
				}
			},
		);
		const storage = createIndexedDbStorage("unsent", new FaultyIndexedDb(new IDBFactory()).options);
		expect(await storage.commit(adding(1, 0))).toBe(1);
		expect(await storage.commit(adding(2, 1))).toBe(2);
		await storage.close();
	});

	test("don't keep a process alive", () => {
		const program = fileURLToPath(new URL("unclosed-program.ts", import.meta.url));
		const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", program], {
			encoding: "utf8",
			timeout: 20_000,
		});
		expect(stdout).toBe("1\n");
		expect(status).toBe(0);
	});
});
