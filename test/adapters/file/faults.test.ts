import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { FileHandle } from "../../../adapters/file/file-system.js";
import { openFileStorage } from "../../../adapters/file.js";
import { OutlineError } from "../../../src/errors.js";
import {
	type Call,
	type CallType,
	CrashFileSystem,
	type FailedSync,
	type Fault,
} from "../../faults/crash-file-system.js";
import { systemError } from "../../faults/system-error.js";
import { keyGroups, type StoredState, stateText, storedState } from "../../model/witness.js";
import { soak, thorough } from "../../setup/soak.js";
import { adding } from "../../support/batches.js";
import { CrashTrial, flawOf, openTrialStorage, trialPath, type Weakening } from "./trial.js";

const timeout = 120_000 * soak;

const directory = "/data";

/** 51: with this seed, an old piece of the file after its durable part was once taken for damage. */
const seeds = [51, ...Array.from({ length: soak }, (_, index) => index + 1)];

/**
 * The distance between the calls that are tried. A longer run tries more. Not a multiple of 3: a commit makes
 * three calls, so the same one of them would fail each time.
 */
const stride = thorough ? Math.ceil(4 / soak) : 7;

/** The same distance for the second call of a pair. */
const secondStride = Math.ceil((thorough ? 48 : 96) / soak);

/** The distance between the calls of cheaper trials. The thorough run tries every call. */
const step = thorough ? 1 : 2;

const operations = 12;
const groups = ["shortcut", "system", "calendar", "2026", "2026-11", "2027", "2027-02"];

/** The number of calls in a trial without faults. */
async function callCount(seed: number): Promise<number> {
	const trial = new CrashTrial(new CrashFileSystem(), { seed });
	await trial.work(operations);
	await trial.outline.close();
	// One rename creates the file. A second one shows that the trial includes a snapshot.
	expect(trial.disk.calls.filter(({ type }) => type === "rename").length).toBeGreaterThan(1);
	return trial.disk.calls.length;
}

/** For each seed, the calls of its trial that are tried: every so many, from the first one on. */
async function* triedCalls(distance: number, first = 0): AsyncGenerator<{ seed: number; index: number }> {
	for (let seed = 1; seed <= soak; seed++) {
		const calls = await callCount(seed);
		for (let index = first; index < calls; index += distance) yield { seed, index };
	}
}

function fail(call: Call, code: string): Error {
	return systemError(code, call.type, call.path);
}

/**
 * Expects that the storage shows the acknowledged state without reopening. Skips a file that couldn't be
 * opened.
 */
async function expectAcknowledged({ witness }: CrashTrial, where: string): Promise<void> {
	const found = await storedState(witness.storage, keyGroups(witness.acknowledged)).catch((error: unknown) => error);
	if (found instanceof OutlineError) {
		expect(found.message, where).toMatch(/^Opening /);
		expect(found.code).toBe("storage_unavailable");
	} else expect(stateText(found as StoredState), where).toBe(stateText(witness.acknowledged));
}

it("a power cut leaves all acknowledged commits and nothing invented, whatever is kept", { timeout }, async () => {
	let tried = 0;
	let renames = 0;
	for (const seed of seeds) {
		const trial = new CrashTrial(new CrashFileSystem(), { seed, states: 16 });
		expect(await trial.work(30)).toEqual([]);
		await trial.outline.close();
		trial.look("nothing more");
		expect(trial.disk.openHandles.size).toBe(0);
		const found = await trial.flawAtMoments();
		expect(found.flaw).toBeUndefined();
		tried += found.tried;
		renames += trial.disk.calls.filter(({ type }) => type === "rename").length;
	}
	if (soak > 1) console.log(`${tried} states of ${seeds.length} sequences`);
	expect(tried).toBeGreaterThan(500 * seeds.length);
	// The first rename creates the file; each later one is a snapshot.
	expect(renames).toBeGreaterThan(3 * seeds.length);
});

/** Works until the process is killed at a call, and returns the disk as the next process finds it. */
async function killed(
	seed: number,
	index: number,
	effect?: "half",
): Promise<{ disk: CrashFileSystem; trial: CrashTrial }> {
	const trial = new CrashTrial(new CrashFileSystem(), { seed });
	trial.disk.killAt(index, effect);
	await Promise.race([trial.work(operations).then(() => trial.outline.close()), trial.disk.killed]);
	return { disk: trial.disk.afterKill(), trial };
}

/**
 * Opens the file that a killed process left, with one call failing, then opens it again and commits. Returns
 * false if opening takes fewer calls.
 */
async function openTwice(seed: number, index: number, failing: number): Promise<boolean> {
	const { disk } = await killed(seed, index);
	disk.failOn((call) => (call.index === failing ? fail(call, "EIO") : undefined));
	const storage = openTrialStorage(disk);
	await storage.read([]).catch(() => undefined);
	await storage.close();
	if (disk.calls.length <= failing) return false;
	disk.failOn(() => undefined);
	const trial = new CrashTrial(disk, { seed: seed + 1, states: 3 });
	trial.witness.acknowledged = await storedState(trial.witness.storage, groups);
	// From now on, the state that was read must stay.
	trial.moments.length = 0;
	await trial.outline.create({ name: "acknowledged" });
	trial.look("nothing more");
	const where = `seed ${seed}, killed at call ${index}, then call ${failing} failed`;
	expect((await trial.flawAtMoments()).flaw, where).toBeUndefined();
	return true;
}

describe("a file storage whose process is killed", () => {
	it("has all acknowledged commits and nothing invented, whatever call it was killed at", { timeout }, async () => {
		for (const [first, effect] of [undefined, "half" as const].entries()) {
			for await (const { seed, index } of triedCalls(step, first % step)) {
				const { disk, trial } = await killed(seed, index, effect);
				const where = `seed ${seed}, killed at call ${index}`;
				expect(await flawOf(disk, trial.witness.possible()), where).toBeUndefined();
			}
		}
	});

	it("keeps its state and later commits, although opening failed at first", { timeout }, async () => {
		for await (const { seed, index } of triedCalls(1)) {
			let failing = index % secondStride;
			while (await openTwice(seed, index, failing)) failing += secondStride;
		}
	});
});

/** The faults of the failing call, and of the call after it. */
const faults: Readonly<Record<string, { at: (call: Call) => Fault; next?: (call: Call) => Fault }>> = {
	EIO: { at: (call) => fail(call, "EIO") },
	ENOSPC: { at: (call) => fail(call, "ENOSPC") },
	"half of the work": { at: () => "short" },
	"ENOSPC after half of the work": {
		at: () => "short",
		next: (call) => (call.type === "write" ? fail(call, "ENOSPC") : undefined),
	},
};

/**
 * Lets one call fail and continues. Nothing may be lost, invented or left open, and every error must have a
 * code. Returns the failed call; undefined if there were fewer calls.
 */
async function failOnce(
	seed: number,
	index: number,
	name: string,
	failedSync: FailedSync,
): Promise<CallType | undefined> {
	const where = `seed ${seed}, ${name} at call ${index}`;
	const trial = new CrashTrial(new CrashFileSystem({ failedSync }), { seed, states: 3 });
	let failed: Call | undefined;
	trial.disk.failOn((call) => {
		if (call.index === index) failed = call;
		if (failed === call) return faults[name]!.at(call);
		return failed?.type === "write" && call.index === index + 1 ? faults[name]!.next?.(call) : undefined;
	});
	const errors = await trial.work(operations, () => expectAcknowledged(trial, where));
	const expected = name === "EIO" ? /^storage_unavailable$/ : /^quota_exceeded$/;
	for (const error of errors)
		expect(error.code, where).toMatch(failed?.type === "write" ? expected : /^(quota|storage)_/);
	// The last calls belong to closing.
	if (failed !== undefined) {
		const create = () => trial.outline.create({ name: "last" }).catch((error: unknown) => error);
		let last = await create();
		// A snapshot may have run at the same time, and the fault may have hit it too.
		if (last instanceof OutlineError && last.code === "quota_exceeded") last = await create();
		if (last instanceof OutlineError) {
			// The storage can't know any more what is durable: a sync failed, or wasn't possible.
			expect(failed, where).toMatchObject(failed.path === directory ? {} : { type: "datasync" });
			expect(last.code).toBe("storage_unavailable");
			expect(await create(), where).toBe(last);
		}
	}
	await expectAcknowledged(trial, where);
	await trial.outline.close();
	trial.disk.failOn(() => undefined);
	trial.look("nothing more");
	expect(trial.disk.openHandles.size, where).toBe(0);
	const next = trial.moments.filter(({ calls }) => calls > index && calls <= index + 12);
	expect((await trial.flawAtMoments([...next, ...trial.moments.slice(-1)])).flaw, where).toBeUndefined();
	expect(await flawOf(trial.disk, [trial.witness.acknowledged]), where).toBeUndefined();
	return failed?.type;
}

describe("a file storage on a disk that fails once", () => {
	describe.each(["keeps", "drops"] as const)("that %s the bytes that a failed sync hasn't written", (failedSync) => {
		const failed = new Set<CallType | undefined>();

		it.each(Object.keys(faults))("continues after %s at any call, or says why not", { timeout }, async (name) => {
			for await (const { seed, index } of triedCalls(stride, Object.keys(faults).indexOf(name) % stride)) {
				// This trial may make fewer calls than the one that counted them.
				failed.add(await failOnce(seed, index, name, failedSync));
			}
		});

		it("has failed at a write, a sync and a look at the file", () => {
			for (const type of ["write", "datasync", "stat"] as const) expect(failed).toContain(type);
		});
	});
});

it("a full disk refuses what doesn't fit, is read, and accepts writes once there is room", { timeout }, async () => {
	for (let seed = 1; seed <= 4 * soak; seed++) {
		const trial = new CrashTrial(new CrashFileSystem(), { seed });
		await trial.work(8);
		trial.disk.failOn((call) => (call.type === "write" ? fail(call, "ENOSPC") : undefined));
		const { revision } = trial.witness.acknowledged;
		const where = `seed ${seed}`;
		const errors = await trial.work(8, () => expectAcknowledged(trial, where));
		expect(errors.length).toBeGreaterThan(0);
		expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["quota_exceeded"]));
		expect(trial.witness.acknowledged.revision).toBe(revision);
		trial.disk.failOn(() => undefined);
		expect(await trial.work(8)).toEqual([]);
		expect(trial.witness.acknowledged.revision).toBeGreaterThan(revision);
		await trial.outline.close();
		expect(await flawOf(trial.disk, [trial.witness.acknowledged]), where).toBeUndefined();
	}
});

/** Creates one node, and then three at once. Resolves with whether each was refused. */
async function createTogether({ outline }: CrashTrial, names: readonly string[]): Promise<boolean[]> {
	const create = (name: string) => outline.create({ name, position: "bottom" });
	const created = [create("alone")];
	// Waits until the first write has begun; the other writes then wait for it.
	for (let turn = 0; turn < 3; turn++) await null;
	created.push(...names.map(create));
	return (await Promise.allSettled(created)).map(({ status }) => status === "rejected");
}

/** Writes to a disk that has room for two commits of three. */
async function refusedTogether(states: number): Promise<CrashTrial> {
	const trial = new CrashTrial(new CrashFileSystem(), { seed: 1, states });
	await trial.outline.create({ name: "earlier" });
	let writes = 0;
	trial.disk.failOn((call) => {
		if (call.type !== "write" || ++writes < 2) return undefined;
		return writes === 2 ? "short" : fail(call, "ENOSPC");
	});
	expect(await createTogether(trial, ["then", "more", "large".repeat(300)])).toEqual([false, true, true, true]);
	trial.disk.failOn(() => undefined);
	return trial;
}

describe("a commit that a file storage has refused", () => {
	it("is missing for the next process", async () => {
		const { disk, witness } = await refusedTogether(0);
		expect(await flawOf(disk.afterKill(), [witness.acknowledged])).toBeUndefined();
	});

	it("never counts as a part of the next commit's flush, whatever the disk has kept", async () => {
		const trial = await refusedTogether(thorough ? 3_000 : 1_000);
		trial.moments.length = 0;
		// The same length as the commit that was refused first.
		await trial.outline.create({ name: "next", position: "bottom" });
		const moment = trial.moments.find(({ before }) => before.endsWith("(datasync)"));
		expect((await trial.flawAtMoments([moment!])).flaw).toBeUndefined();
	});
});

describe("bytes after the durable part of a file", () => {
	it("never count as a part of the next commit's flush", async () => {
		const trial = new CrashTrial(new CrashFileSystem(), { seed: 1, states: 200 });
		await trial.outline.create({ name: "earlier" });
		await createTogether(trial, ["x".repeat(600), "more", "large".repeat(300)]);
		const written = trial.moments.find(
			({ before, possible }) => before.endsWith("(datasync)") && possible.length === 4,
		);
		let cut = 0;
		for (const { description, root } of written!.states) {
			const next = new CrashTrial(new CrashFileSystem({}, root), { seed: 2 });
			const before = await storedState(next.witness.storage, groups);
			if (before.revision > 2) continue;
			cut += 1;
			next.witness.acknowledged = before;
			// The same length as the commit that was lost first, so that the lines after it would fit.
			await next.outline.create({ name: "y".repeat(600), position: "bottom" });
			expect(await flawOf(next.disk.afterKill(), [next.witness.acknowledged]), description).toBeUndefined();
		}
		expect(cut).toBeGreaterThan(50);
	});

	it("may be an old piece of the file", async () => {
		const trial = new CrashTrial(new CrashFileSystem(), { seed: 1 });
		await createTogether(trial, ["then", "more"]);
		const { disk, witness } = trial;
		const content = Buffer.from(disk.content("/data/outline") ?? []);
		const lines = content.toString().split("\n");
		expect(lines.length).toBeGreaterThan(4);
		// A whole header never comes after commits: that is damage.
		for (let start = 1; start < content.length; start++) {
			const after = new CrashFileSystem();
			after.put("/data/outline", Buffer.concat([content, content.subarray(start)]));
			expect(await flawOf(after, [witness.acknowledged]), `from ${start}`).toBeUndefined();
		}
	});
});

it("a dead disk throws OutlineErrors, and has all acknowledged commits once it is back", { timeout }, async () => {
	for await (const { seed, index } of triedCalls(step)) {
		const where = `seed ${seed}, dead from call ${index}`;
		const trial = new CrashTrial(new CrashFileSystem(), { seed });
		trial.disk.failOn((call) => (call.index >= index ? fail(call, "EIO") : undefined));
		const errors = await trial.work(operations, () => expectAcknowledged(trial, where));
		for (const error of errors) expect(error.code, where).toBe("storage_unavailable");
		await trial.outline.close();
		trial.disk.failOn(() => undefined);
		// Refused commits couldn't be cut off either.
		const possible = [trial.witness.acknowledged, ...trial.witness.refused];
		expect(await flawOf(trial.disk, possible), where).toBeUndefined();
	}
});

it.each(["keeps", "drops"] as const)("a failed sync refuses later writes: %s", { timeout }, async (failedSync) => {
	const trial = new CrashTrial(new CrashFileSystem({ failedSync }), { seed: 1, states: 20 });
	await trial.work(8);
	trial.disk.failOn((call) => (call.type === "datasync" ? fail(call, "EIO") : undefined));
	const first = await trial.outline.create({ name: "not confirmed" }).catch((error: unknown) => error);
	expect(first).toMatchObject({ code: "storage_unavailable", cause: { code: "EIO", syscall: "datasync" } });
	trial.disk.failOn(() => undefined);
	await expect(trial.outline.create({ name: "later" })).rejects.toBe(first);
	const writes = trial.disk.calls.filter(({ type }) => type === "write").length;
	await expect(trial.outline.create({ name: "again" })).rejects.toBe(first);
	await expectAcknowledged(trial, "after the failed sync");
	trial.look("closing");
	await trial.outline.close();
	expect(trial.disk.calls.filter(({ type }) => type === "write")).toHaveLength(writes);
	expect((await trial.flawAtMoments()).flaw).toBeUndefined();
	expect(await flawOf(trial.disk, [trial.witness.acknowledged])).toBeUndefined();
});

it("when the first commit is refused, the lock has been released, and this reported", async () => {
	const disk = new CrashFileSystem();
	const told: string[] = [];
	const lock = async (path: string) => ({ path, release: async () => void told.push("released") });
	const onBroken = () => void told.push("broken");
	const storage = openFileStorage(trialPath, {}, { fileSystem: disk, lock, onBroken });
	await storage.read([]);
	disk.failOn((call) => (call.type === "datasync" ? fail(call, "EIO") : undefined));
	await expect(storage.commit(adding(1, 0))).rejects.toMatchObject({ code: "storage_unavailable" });
	expect(told).toEqual(["released", "broken"]);
	await storage.close();
	expect(told).toEqual(["released", "broken"]);
	expect(disk.openHandles.size).toBe(0);
});

/** The changes by another program, at any call. Each returns the content that it leaves at the path, and that stays. */
const foreignChanges: Readonly<Record<string, (disk: CrashFileSystem) => Uint8Array | undefined>> = {
	"replaces it": (disk) => {
		const foreign = Buffer.from("another program's");
		disk.put(trialPath, foreign);
		return foreign;
	},
	"deletes it": (disk) => {
		disk.move(trialPath);
		return undefined;
	},
	"moves it away": (disk) => {
		disk.move(trialPath, "/data/elsewhere");
		return undefined;
	},
};

it.each(Object.keys(foreignChanges))("nothing is acknowledged after another program %s", { timeout }, async (name) => {
	for (let seed = 1; seed <= soak; seed++) {
		const calls = await callCount(seed);
		let tried = 0;
		let index = Object.keys(foreignChanges).indexOf(name) % step;
		for (; index < calls; index += step) {
			const where = `seed ${seed}, at call ${index}`;
			const trial = new CrashTrial(new CrashFileSystem(), { seed });
			const { disk, witness } = trial;
			let left: Uint8Array | undefined;
			let acknowledged: number | undefined;
			disk.failOn((call) => {
				// The storage can't notice a change between its last look and the rename of a snapshot. Before
				// its first commit, the file isn't the storage's own.
				if (call.index === index && call.type !== "rename" && witness.acknowledged.revision > 0) {
					left = foreignChanges[name]!(disk);
					// The caller learns in this turn of all commits acknowledged by now.
					setImmediate(() => {
						acknowledged = witness.acknowledged.revision;
					});
				}
				return undefined;
			});
			const errors = await trial.work(operations, () => expectAcknowledged(trial, where));
			if (acknowledged === undefined) continue;
			tried += 1;
			for (const error of errors) expect(error.code, where).toBe("storage_unavailable");
			await expectAcknowledged(trial, where);
			await trial.outline.close();
			expect(witness.acknowledged.revision, where).toBe(acknowledged);
			expect(disk.content(trialPath), where).toEqual(left);
			expect(disk.names("/data"), where).not.toContain("outline.outlinekit-new");
			expect(disk.openHandles.size, where).toBe(0);
			if (name !== "moves it away") continue;
			disk.move("/data/elsewhere", trialPath);
			expect(await flawOf(disk.afterKill(), [witness.acknowledged]), where).toBeUndefined();
		}
		expect(tried).toBeGreaterThan(20);
	}
});

/** A file system whose open files are changed by `weaken`. */
function withHandles(weaken: (handle: FileHandle) => Partial<FileHandle>): Weakening {
	return (fileSystem) => ({
		open: async (path, flags, mode) => {
			const handle = await fileSystem.open(path, flags, mode);
			return Object.assign(handle, weaken(handle));
		},
		rename: (from, to) => fileSystem.rename(from, to),
		unlink: (path) => fileSystem.unlink(path),
		lstatSync: (path) => fileSystem.lstatSync(path),
	});
}

const nothing = async () => undefined;

/** Corrects the checksum of each line that is read, as if there were no checksums. */
function withRightChecksums(bytes: Buffer): void {
	for (let at = bytes.indexOf('{"crc32":"'); at >= 0; at = bytes.indexOf('{"crc32":"', at + 1)) {
		const newline = bytes.indexOf(10, at);
		const line = bytes.subarray(at + 20, newline < 0 ? bytes.length : newline);
		bytes.write(crc32(line).toString(16).padStart(8, "0"), at + 10, "latin1");
	}
}

describe("these trials", () => {
	const weakenings: (readonly [string, Weakening, RegExp])[] = [
		["without the sync of data", withHandles(() => ({ datasync: nothing })), /: lost: /],
		["without the sync of the directory", withHandles(() => ({ sync: nothing })), /: lost: /],
		[
			"without checksums",
			withHandles((handle) => {
				const read = handle.read.bind(handle);
				return {
					read: async (buffer, offset, length, position) => {
						const result = await read(buffer, offset, length, position);
						withRightChecksums(Buffer.from(buffer.buffer, buffer.byteOffset + offset, result.bytesRead));
						return result;
					},
				};
			}),
			/: invented: |although its checksum is right/,
		],
	];
	it.each(weakenings)("find the flaw of a storage %s, by power cuts", { timeout }, async (_, weaken, expected) => {
		let flaw: string | undefined;
		for (let seed = 1; seed <= 12 && flaw === undefined; seed++) {
			const trial = new CrashTrial(new CrashFileSystem(), { seed, states: 16, weaken });
			await trial.work(25);
			flaw = (await trial.flawAtMoments()).flaw;
		}
		expect(flaw).toMatch(expected);
	});

	it("find the flaw of a storage that leaves the bytes of refused commits", { timeout }, async () => {
		const weaken = withHandles(() => ({ truncate: nothing }));
		let flaw: string | undefined;
		const calls = await callCount(1);
		for (let index = 0; index < calls && flaw === undefined; index++) {
			const trial = new CrashTrial(new CrashFileSystem(), { seed: 1, weaken });
			// There is room for a part of the bytes.
			trial.disk.failOn((call) => {
				if (call.type !== "write" || call.index < index) return undefined;
				return call.index === index ? "short" : fail(call, "ENOSPC");
			});
			await trial.work(operations);
			await trial.outline.close();
			trial.disk.failOn(() => undefined);
			flaw = await flawOf(trial.disk, [trial.witness.acknowledged], weaken);
		}
		// Opening also notices that the bytes are still there after it cut them off.
		expect(flaw).toMatch(/^invented|while it was being opened/);
	});
});
