import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { OutlineError } from "../../../../src/errors.js";
import { refusedPrefix } from "../../../../src/sync/replica/journal.js";
import { paged } from "../../../conformance/wrapped.js";
import { bound } from "../../../support/notices.js";
import { codeOf, newOutline, plant } from "../../../support/outline.js";
import { directRemote, newDevice, slowRemote } from "./direct-remote.js";

function scene() {
	const server = newOutline();
	const remote = directRemote(() => server);
	return { server, remote, first: newDevice(remote), second: newDevice(remote) };
}

describe("a replica", () => {
	test("that is opened again tells its listeners how much waits, once it has read its storage", async () => {
		const { remote, first } = scene();
		await plant(first.outline, "a\nb");
		const { replica } = newDevice(remote, { local: paged(first.local) });
		const heard: number[] = [];
		replica.status.subscribe(({ pending }) => heard.push(pending));
		await expect.poll(() => heard).toEqual([2]);
		expect(replica.status.current.pending).toBe(2);
	});

	test("tells the time of its last exchange also after its clock was set back", async () => {
		const { remote } = scene();
		let now = 10_000_000;
		const { local, outline, replica } = newDevice(remote, { now: () => now });
		const lastSyncedAt = () => replica.status.current.lastSyncedAt;
		await outline.create({ name: "a" });
		await replica.sync();
		expect(lastSyncedAt()).toBe(10_000);
		now = 2_000_000;
		await replica.sync();
		expect(lastSyncedAt()).toBe(2000);
		const tab = newDevice(remote, { local, now: () => now });
		await tab.outline.create({ name: "b" });
		expect(lastSyncedAt()).toBe(2000);
		now = 1_000_000;
		await tab.replica.sync();
		expect(lastSyncedAt()).toBe(1000);
	});

	test("has no error while it is paused or idle, but that of a commit that its storage refused", async () => {
		let fails = false;
		const { server } = scene();
		const local = createMemoryStorage();
		const full = () => Promise.reject(new OutlineError("quota_exceeded", "There is no room left."));
		const commit: typeof local.commit = (batch) => (fails ? full() : local.commit(batch));
		const direct = directRemote(() => server);
		const push: typeof direct.push = (...given) =>
			fails ? Promise.reject(new Error("offline")) : direct.push(...given);
		const { outline, replica } = newDevice({ ...direct, push }, { local: { ...bound(local), commit } });
		await replica.sync();
		fails = true;
		const { status } = replica;
		const error = { code: "storage_unavailable" };
		expect(await codeOf(replica.sync())).toBe(error.code);
		expect(status.current).toMatchObject({ phase: "offline", error });
		replica.pause();
		expect(status.current).toMatchObject({ phase: "paused", error: null });
		expect(await codeOf(replica.sync())).toBe(error.code);
		expect(status.current).toMatchObject({ phase: "paused", error: null });
		replica.resume();
		expect(status.current).toMatchObject({ phase: "idle", error: null });
		expect(await codeOf(replica.sync())).toBe(error.code);
		expect(await codeOf(outline.create({ name: "a" }))).toBe("quota_exceeded");
		replica.pause();
		expect(status.current).toMatchObject({ phase: "paused", error: { code: "quota_exceeded" } });
		fails = false;
		await outline.create({ name: "a" });
		expect(status.current).toMatchObject({ phase: "paused", error: null });
	});

	describe("counts what waits", () => {
		test("after a commit of unknown outcome, in a storage that doesn't tell of commits", async () => {
			const memory = createMemoryStorage();
			const lost = () => Promise.reject(new OutlineError("storage_unavailable", "The outcome is unknown."));
			const commit: typeof memory.commit = (batch) => memory.commit(batch).then(lost);
			const { outline, replica } = newDevice(scene().remote, { local: { ...bound(memory), commit } });
			expect(replica.status.current.pending).toBe(0);
			expect(await codeOf(outline.create({ name: "a" }))).toBe("storage_unavailable");
			await expect.poll(() => replica.status.current.pending).toBe(1);
		});

		test("if a storage answers the count after a later commit", async () => {
			const storage = paged(createMemoryStorage());
			let isSlow = true;
			const letGo: (() => void)[] = [];
			const read: typeof storage.read = async (queries) => {
				const answer = await storage.read(queries);
				const isLast = queries.some((query) => query.type === "documents" && query.prefix === refusedPrefix);
				if (isSlow && isLast) await new Promise<void>((resolve) => letGo.push(resolve));
				return answer;
			};
			const { outline, replica } = newDevice(scene().remote, { local: { ...storage, read } });
			const heard: number[] = [];
			replica.status.subscribe(({ pending }) => heard.push(pending));
			await expect.poll(() => letGo.length).toBe(1);
			await outline.create({ name: "a" });
			isSlow = false;
			letGo[0]!();
			await expect.poll(() => heard.at(-1)).toBe(1);
			expect(replica.status.current.pending).toBe(1);
		});

		test("after an exchange that couldn't count", async () => {
			const memory = createMemoryStorage();
			let isLost = false;
			const read: typeof memory.read = (queries) =>
				isLost ? Promise.reject(new OutlineError("storage_unavailable", "The disk is gone.")) : memory.read(queries);
			const { outline, replica } = newDevice(scene().remote, { local: { ...bound(memory), read } });
			await replica.sync();
			await outline.create({ name: "a" });
			await expect.poll(() => replica.status.current.pending).toBe(1);
			const stop = memory.watch!(() => {
				isLost = true;
			});
			expect(await codeOf(replica.sync())).toBe("storage_unavailable");
			stop();
			isLost = false;
			await expect.poll(() => replica.status.current.pending).toBe(0);
			expect(replica.status.current).toMatchObject({ error: { code: "storage_unavailable" } });
		});
	});

	test("shows an exchange that is under way, also if it is paused and resumed meanwhile", async () => {
		const { server } = scene();
		const remote = slowRemote(directRemote(() => server));
		const { replica } = newDevice(remote);
		const phases: string[] = [];
		remote.during = async () => {
			for (const change of [() => replica.pause(), () => replica.resume()]) {
				change();
				phases.push(replica.status.current.phase);
			}
		};
		await replica.sync();
		expect(new Set(phases)).toEqual(new Set(["syncing"]));
		expect(replica.status.current.phase).toBe("idle");
		replica.status.subscribe(({ phase }) => phase === "idle" && replica.pause());
		await replica.sync();
		expect(replica.status.current.phase).toBe("paused");
	});

	test("tells every listener of its last phase at last, also if the first listener pauses", async () => {
		const { first } = scene();
		const phases: string[] = [];
		first.replica.status.subscribe(({ phase }) => phase === "idle" && first.replica.pause());
		first.replica.status.subscribe(({ phase }) => phases.push(phase));
		await first.replica.sync();
		expect(phases.at(-1)).toBe("paused");
	});
});
