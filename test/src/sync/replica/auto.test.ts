import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { after } from "../../../../src/engine/promises.js";
import { OutlineError } from "../../../../src/errors.js";
import type { StorageAdapter } from "../../../../src/storage.js";
import type { Remote } from "../../../../src/sync/index.js";
import { bound } from "../../../support/notices.js";
import { newOutline, picture } from "../../../support/outline.js";
import { directRemote, newDevice } from "./direct-remote.js";

afterEach(() => void vi.unstubAllGlobals());

/** Locks as a browser has them: work of one name runs one after the other, unless a tab steals the lock. */
function stubLocks(): void {
	const held = new Map<string, { lose(): void }>();
	const waiting: { readonly name: string; begin(): void }[] = [];
	const begin = (name: string, work: () => Promise<unknown>) =>
		new Promise((resolve, reject) => {
			const hold = { lose: () => reject(new DOMException("The lock was stolen.", "AbortError")) };
			held.set(name, hold);
			const release = () => {
				if (held.get(name) !== hold) return;
				held.delete(name);
				const next = waiting.findIndex((each) => each.name === name);
				if (next >= 0) waiting.splice(next, 1)[0]!.begin();
			};
			work().then(resolve, reject).finally(release);
		});
	const request = (name: string, options: { signal?: AbortSignal; steal?: boolean }, work: () => Promise<unknown>) => {
		const { signal, steal } = options;
		if (steal) held.get(name)?.lose();
		if (steal || !held.has(name)) return signal?.aborted ? Promise.reject(signal.reason) : begin(name, work);
		return new Promise((resolve, reject) => {
			const turn = { name, begin: () => void begin(name, work).then(resolve, reject) };
			waiting.push(turn);
			signal!.addEventListener("abort", () => {
				if (waiting.includes(turn)) waiting.splice(waiting.indexOf(turn), 1);
				reject(signal!.reason);
			});
		});
	};
	vi.stubGlobal("navigator", { locks: { request } });
}

/** A remote that tells of the commits of an outline, and counts its watchers and requests. */
function watching(server = newOutline()) {
	const counts = { watchers: 0, pushes: 0 };
	const direct = directRemote(() => server);
	const remote: Remote = {
		...direct,
		push: (...request) => {
			counts.pushes += 1;
			return direct.push(...request);
		},
		watch: (_, listener, signal) => {
			counts.watchers += 1;
			return new Promise((resolve) => {
				const stop = server.subscribe(({ revision }) => listener(revision));
				signal.addEventListener("abort", () => {
					counts.watchers -= 1;
					stop();
					resolve();
				});
			});
		},
	};
	return { server, remote, counts };
}

function fakeTimers(): void {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
	onTestFinished(() => void vi.useRealTimers());
}

/** The storage as a tab of a browser has it: tabs don't close each other's. */
function connection(storage: StorageAdapter): StorageAdapter {
	return {
		...bound(storage),
		peek: storage.peek!.bind(storage),
		watch: storage.watch!.bind(storage),
		close: async () => {},
	};
}

/** Lets seconds pass on a clock of the test, with the work of the replicas. */
async function wait(seconds: number): Promise<void> {
	for (let second = 0; second < seconds; second++) {
		await vi.advanceTimersByTimeAsync(1000);
		for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
	}
}

describe("a browser's locks", () => {
	test("hold back one exchange for two minutes at most, because the browser may have frozen the tab that has the lock", async () => {
		stubLocks();
		const { server, remote } = watching();
		const local = createMemoryStorage();
		let resume = () => {};
		const frozen = new Promise<void>((resolve) => {
			resume = resolve;
		});
		const tabs = [
			newDevice(
				{ ...remote, push: (...request) => frozen.then(() => remote.push(...request)) },
				{ local: connection(local) },
			),
			newDevice(remote, { local: connection(local) }),
		] as const;
		await tabs[1].replica.sync();
		fakeTimers();
		const resumed = tabs[0].replica.sync();
		await wait(1);
		await tabs[1].outline.create({ name: "a" });
		let isDone = false;
		const syncing = tabs[1].replica.sync().then(() => {
			isDone = true;
		});
		await wait(115);
		expect(isDone).toBe(false);
		await wait(10);
		await syncing;
		expect(await picture(server)).toBe("a");
		await tabs[1].outline.create({ name: "b" });
		void tabs[1].replica.sync();
		await wait(1);
		expect(await picture(server)).toBe("b\na");
		resume();
		await wait(1);
		await expect(resumed).resolves.toBeUndefined();
	});

	test("aren't needed if the browser refuses them", async () => {
		vi.stubGlobal("navigator", { locks: { request: () => Promise.reject(new DOMException("No.", "SecurityError")) } });
		const { server, remote } = watching();
		const { outline } = newDevice(remote, { auto: true });
		onTestFinished(() => outline.close());
		await outline.create({ name: "a" });
		await expect.poll(() => picture(server)).toBe("a");
	});
});

describe("an automatic replica", () => {
	test("of two tabs, one exchanges, and the other one after it has closed", async () => {
		stubLocks();
		const { server, remote, counts } = watching();
		const local = createMemoryStorage();
		const tabs = [0, 1].map(() => newDevice(remote, { local: connection(local), auto: true }));
		await tabs[0]!.outline.create({ name: "a" });
		await expect.poll(() => picture(server)).toBe("a");
		await tabs[1]!.outline.create({ name: "b", position: "bottom" });
		await expect.poll(() => picture(server)).toBe("a\nb");
		await expect.poll(() => tabs.map(({ replica }) => replica.status.current.pending)).toEqual([0, 0]);
		expect(counts.watchers).toBe(1);
		await server.create({ name: "c", position: "bottom" });
		await expect.poll(() => picture(tabs[1]!.outline)).toBe("a\nb\nc");
		await tabs[0]!.outline.close();
		await tabs[1]!.outline.create({ name: "d", position: "bottom" });
		await expect.poll(() => picture(server)).toBe("a\nb\nc\nd");
		await tabs[1]!.outline.close();
		expect(counts.watchers).toBe(0);
	});

	test("exchanges in the tab that was shown last, because a browser may freeze the other ones", async () => {
		stubLocks();
		const document = { visibilityState: "visible" };
		vi.stubGlobal("document", document);
		const server = newOutline();
		const local = createMemoryStorage();
		const open = () => {
			const window = new EventTarget();
			vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
			const { remote, counts } = watching(server);
			const { outline } = newDevice(remote, { local: connection(local), auto: true });
			return { counts, outline, turn: () => window.dispatchEvent(new Event("visibilitychange")) };
		};
		const tabs = [open(), open()] as const;
		const watchers = () => tabs.map(({ counts }) => counts.watchers);
		await expect.poll(watchers).toEqual([0, 1]);
		for (const shown of [0, 1, 1, 0]) {
			tabs[shown]!.turn();
			await expect.poll(watchers).toEqual(shown === 0 ? [1, 0] : [0, 1]);
			await server.create({ name: `${shown}` });
			await expect.poll(() => picture(tabs[0].outline)).toBe(await picture(server));
		}
		document.visibilityState = "hidden";
		for (const { turn } of tabs) turn();
		await tabs[1].outline.create({ name: "a" });
		await expect.poll(() => picture(server)).toBe(await picture(tabs[1].outline));
		expect(watchers()).toEqual([1, 0]);
		await tabs[0].outline.close();
		await expect.poll(watchers).toEqual([0, 1]);
		await tabs[1].outline.close();
		expect(watchers()).toEqual([0, 0]);
	});

	test("listens to the server anew when the network returns, because the old connection may be dead", async () => {
		const window = new EventTarget();
		vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
		vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
		const { server, remote, counts } = watching();
		let isDead = true;
		const { outline } = newDevice(
			{ ...remote, watch: (since, listener, signal) => remote.watch!(since, isDead ? () => {} : listener, signal) },
			{ auto: true },
		);
		await expect.poll(() => counts.watchers).toBe(1);
		isDead = false;
		window.dispatchEvent(new Event("online"));
		expect(counts.watchers).toBe(0);
		await expect.poll(() => counts.watchers).toBe(1);
		await server.create({ name: "from elsewhere" });
		await expect.poll(() => picture(outline)).toBe("from elsewhere");
		await outline.close();
		expect(counts.watchers).toBe(0);
	});

	test("sends many commits together, and nothing while there is nothing to send", async () => {
		const { server, remote, counts } = watching();
		const { outline, replica } = newDevice(remote, { auto: true });
		onTestFinished(() => outline.close());
		await expect.poll(() => replica.status.current.lastSyncedAt).not.toBeNull();
		await expect.poll(() => replica.status.current.phase).toBe("idle");
		counts.pushes = 0;
		await Promise.all(Array.from({ length: 50 }, (_, number) => outline.create({ name: `${number}` })));
		await expect.poll(async () => (await server.list()).nodes.length).toBe(50);
		await expect.poll(() => replica.status.current).toMatchObject({ phase: "idle", pending: 0 });
		expect(counts.pushes).toBeLessThan(10);
	});

	test("sends commits within ten seconds that an `Outline` directly on its storage has made", async () => {
		const { server, remote, counts } = watching();
		const local = createMemoryStorage();
		const { outline, replica } = newDevice(remote, { local, auto: true });
		onTestFinished(() => outline.close());
		await replica.sync();
		fakeTimers();
		await wait(1);
		const direct = newOutline({ storage: local });
		await direct.create({ name: "a" });
		await wait(11);
		expect(await picture(server)).toBe("a");
		const { pushes } = counts;
		await wait(60);
		expect(counts.pushes).toBe(pushes);
	});

	test("asks less and less often if the server can't tell of changes", async () => {
		const { remote, counts } = watching();
		let watches = 0;
		const watch = () => {
			watches += 1;
			return Promise.reject(new Error("There is no such path."));
		};
		// Modules that load on first use need real time.
		await newDevice(remote).replica.sync();
		fakeTimers();
		const { outline } = newDevice({ ...remote, watch }, { auto: true });
		await wait(300);
		expect(watches).toBeGreaterThan(4);
		expect(counts.pushes).toBeLessThan(20);
		vi.useRealTimers();
		await outline.close();
	});

	test("asks once for a revision that a server has lost, because it was restored from an older copy", async () => {
		const { server, remote, counts } = watching();
		await newDevice(remote).replica.sync();
		fakeTimers();
		const watch: Remote["watch"] = (since, listener, signal) => {
			// The server told of it before it was set back.
			if (since < 100) after(1000, () => listener(100));
			return remote.watch!(since, listener, signal);
		};
		const { outline } = newDevice({ ...remote, watch }, { auto: true });
		await wait(30);
		expect(counts.pushes).toBeLessThan(5);
		await server.create({ name: "a" });
		await wait(1);
		expect(await picture(outline)).toBe("a");
		vi.useRealTimers();
		await outline.close();
	});

	test.each([
		[20, 20],
		[3600, 60],
	])("waits %i seconds if the server asks for that, but at most a minute", async (retryAfter, seconds) => {
		const { server, remote } = watching();
		const pushes: number[] = [];
		await newDevice(remote).replica.sync();
		fakeTimers();
		const busy: Remote = {
			...remote,
			push: (...request) => {
				pushes.push(performance.now());
				if (pushes.length > 1) return remote.push(...request);
				return Promise.reject(
					Object.assign(new OutlineError("storage_unavailable", "Too many requests."), { retryAfter }),
				);
			},
		};
		const { outline } = newDevice(busy, { auto: true });
		await wait(6);
		await outline.create({ name: "a" });
		await wait(64);
		const waited = (pushes[1]! - pushes[0]!) / 1000;
		expect(waited).toBeGreaterThanOrEqual(seconds);
		expect(waited).toBeLessThanOrEqual(Math.min(seconds * 1.25, 61));
		expect(await picture(server)).toBe("a");
		vi.useRealTimers();
		await outline.close();
	});

	test("sends commits at once after an exchange has succeeded, although the server asked for a longer wait", async () => {
		const { server, remote } = watching();
		await newDevice(remote).replica.sync();
		fakeTimers();
		const busy = Object.assign(new OutlineError("storage_unavailable", "Too many requests."), { retryAfter: 3600 });
		let isBusy = true;
		const push: Remote["push"] = (...request) => (isBusy ? Promise.reject(busy) : remote.push(...request));
		const { outline, replica } = newDevice({ ...remote, push }, { auto: true });
		await wait(2);
		isBusy = false;
		await replica.sync();
		await outline.create({ name: "a" });
		await wait(1);
		expect(await picture(server)).toBe("a");
		vi.useRealTimers();
		await outline.close();
	});

	test("waits after a failure also if a remote has read Retry-After wrongly", async () => {
		const { remote } = watching();
		await newDevice(remote).replica.sync();
		fakeTimers();
		let pushes = 0;
		const push = () => {
			pushes += 1;
			const error = new OutlineError("storage_unavailable", "Too many requests.");
			return Promise.reject(Object.assign(error, { retryAfter: Number("Fri, 31 Dec 1999 23:59:59 GMT") }));
		};
		const { outline } = newDevice({ ...remote, push }, { auto: true });
		await wait(20);
		expect(pushes).toBeLessThan(10);
		vi.useRealTimers();
		await outline.close();
	});

	test("sends and listens again at once after `sync()` has succeeded, however long it would have waited", async () => {
		const { server, remote, counts } = watching();
		await newDevice(remote).replica.sync();
		fakeTimers();
		let isSignedIn = false;
		const push: Remote["push"] = (...request) =>
			isSignedIn ? remote.push(...request) : Promise.reject(new OutlineError("unauthorized", "Sign in."));
		const { outline, replica } = newDevice({ ...remote, push }, { auto: true });
		await wait(70);
		expect(replica.status.current.phase).toBe("refused");
		isSignedIn = true;
		await replica.sync();
		await wait(1);
		expect(counts.watchers).toBe(1);
		await outline.create({ name: "here" });
		await server.create({ name: "there", position: "bottom" });
		await wait(1);
		expect(replica.status.current).toMatchObject({ phase: "idle", pending: 0 });
		expect([await picture(server), await picture(outline)].map((text) => text.split("\n").sort())).toEqual([
			["here", "there"],
			["here", "there"],
		]);
		vi.useRealTimers();
		await outline.close();
	});

	test("sends its commits although the tab that leads does nothing, because the browser has frozen it", async () => {
		vi.stubGlobal("navigator", {
			locks: {
				request: (name: string, _: object, work: () => Promise<unknown>) =>
					name.startsWith("outlinekit/auto/") ? new Promise(() => {}) : work(),
			},
		});
		const { server, remote, counts } = watching();
		await newDevice(remote).replica.sync();
		fakeTimers();
		const { outline, replica } = newDevice(remote, { auto: true });
		const pushes = counts.pushes;
		await wait(60);
		expect(counts.pushes).toBe(pushes);
		for (const name of ["b", "a"]) {
			await outline.create({ name });
			await wait(9);
			expect(replica.status.current.pending).toBe(1);
			await wait(12);
			expect(replica.status.current.pending).toBe(0);
		}
		expect(await picture(server)).toBe("a\nb");
		expect(counts.watchers).toBe(0);
		const done = counts.pushes;
		await wait(120);
		expect(counts.pushes).toBe(done);
		vi.useRealTimers();
		await outline.close();
	});

	test("isn't offline any more soon after the network has returned, also in a tab that doesn't lead and has nothing to send", async () => {
		stubLocks();
		const window = new EventTarget();
		vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
		vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
		const { remote, counts } = watching();
		let isDown = false;
		const push: Remote["push"] = (...request) =>
			isDown ? Promise.reject(new OutlineError("storage_unavailable", "No network.")) : remote.push(...request);
		const local = createMemoryStorage();
		fakeTimers();
		const tabs = [0, 1].map(() => newDevice({ ...remote, push }, { local: connection(local), auto: true }));
		await wait(1);
		isDown = true;
		await tabs[1]!.outline.create({ name: "a" });
		await wait(40);
		const phases = () => tabs.map(({ replica }) => replica.status.current.phase);
		expect(phases()).toEqual(["offline", "offline"]);
		isDown = false;
		window.dispatchEvent(new Event("online"));
		await wait(1);
		expect(phases()).toEqual(["idle", "idle"]);

		// By hand, with nothing to send. The network returns without an event.
		isDown = true;
		for (const { replica } of tabs) await expect(replica.sync()).rejects.toThrow("No network.");
		expect(phases()).toEqual(["offline", "offline"]);
		isDown = false;
		await wait(3);
		expect(phases()).toEqual(["idle", "idle"]);
		expect(tabs.map(({ replica }) => replica.status.current.error)).toEqual([null, null]);
		const pushes = counts.pushes;
		await wait(120);
		expect(counts.pushes).toBe(pushes);
		vi.useRealTimers();
		for (const { outline } of tabs) await outline.close();
	});

	test.each([-3, 3])("exchanges at once if the clock was set by %i hours after a failure", async (hours) => {
		const { server, remote } = watching();
		let isDown = true;
		const push: Remote["push"] = (...request) =>
			isDown ? Promise.reject(new OutlineError("storage_unavailable", "No network.")) : remote.push(...request);
		const { outline, replica } = newDevice({ ...remote, push }, { auto: true });
		onTestFinished(() => outline.close());
		await expect.poll(() => replica.status.current.phase).toBe("offline");
		vi.setSystemTime(Date.now() + hours * 3_600_000);
		onTestFinished(() => void vi.useRealTimers());
		isDown = false;
		await outline.create({ name: "a" });
		await expect.poll(() => picture(server)).toBe("a");
		await outline.create({ name: "b", position: "bottom" });
		await expect.poll(() => picture(server)).toBe("a\nb");
	});

	test("leaves a replica that is closed before its first exchange alone", async () => {
		const { remote, counts } = watching();
		const { outline } = newDevice(remote, { auto: true });
		await outline.close();
		await expect.poll(() => counts.watchers).toBe(0);
		expect(counts.pushes).toBe(0);
	});
});
