import { describe, expect, it } from "vitest";
import type { FileHandle, FileSystem } from "../../adapters/file/file-system.js";
import { OutlineError } from "../../src/errors.js";
import { type Call, CrashFileSystem, type FailedSync, type Fault } from "./crash-file-system.js";
import { soak } from "./soak.js";
import { systemError } from "./system-error.js";
import { flawOf, openTrialStorage, Trial, type Weakening } from "./trial.js";
import { keyGroups, stateText, storedState } from "./witness.js";

const timeout = 60_000 * soak;

describe("a file storage whose power is cut", () => {
	it("has what was acknowledged and nothing invented, whatever the disk has kept", { timeout }, async () => {
		let tried = 0;
		let renames = 0;
		for (let seed = 1; seed <= 12 * soak; seed++) {
			const trial = new Trial(new CrashFileSystem(), { seed, states: 16 });
			expect(await trial.work(25)).toEqual([]);
			await trial.outline.close();
			trial.look("nothing more");
			expect(trial.disk.openHandles.size).toBe(0);
			const found = await trial.flawAtMoments();
			expect(found.flaw).toBeUndefined();
			tried += found.tried;
			renames += trial.disk.calls.filter(({ type }) => type === "rename").length;
		}
		expect(tried).toBeGreaterThan(4_000 * soak);
		// One of each trial makes the file.
		expect(renames - 12 * soak).toBeGreaterThan(12 * soak);
	});
});

describe("a file storage whose process is killed", () => {
	it("has what was acknowledged and nothing invented, at whatever call", { timeout }, async () => {
		for (let seed = 1; seed <= 2 * soak; seed++) {
			for (let index = 0; index < (await callCount(seed)); index++) {
				for (const effect of ["none", "half"] as const) {
					const trial = new Trial(new CrashFileSystem(), { seed });
					trial.disk.killAt(index, effect);
					await trial.workUntilKilled(operations);
					const flaw = await flawOf(trial.disk.afterKill(), trial.witness.possible());
					expect(flaw, `seed ${seed}, killed at call ${index}`).toBeUndefined();
				}
			}
		}
	});

	it("keeps what is acknowledged afterwards, even if opening it fails at first and the power is cut", {
		timeout,
	}, async () => {
		for (let seed = 1; seed <= 1 * soak; seed++) {
			for (let index = 0; index < (await callCount(seed)); index++) {
				for (let failing = 0; ; failing++) {
					const killed = new Trial(new CrashFileSystem(), { seed });
					killed.disk.killAt(index);
					await killed.workUntilKilled(operations);
					const disk = killed.disk.afterKill();
					disk.failOn((call) => (call.index === failing ? systemError("EIO", call.type, call.path) : undefined));
					const storage = openTrialStorage(disk);
					await storage.read([]).catch(() => undefined);
					await storage.close();
					if (disk.calls.length <= failing) break;
					disk.failOn(() => undefined);
					const trial = new Trial(disk, { seed: seed + 1, states: 3 });
					trial.witness.acknowledged = await storedState(trial.witness.storage, groups);
					trial.moments.length = 0;
					await trial.outline.create({ name: "acknowledged" });
					trial.look("nothing more");
					const where = `seed ${seed}, killed at call ${index}, then call ${failing} failed`;
					expect((await trial.flawAtMoments()).flaw, where).toBeUndefined();
				}
			}
		}
	});
});

const operations = 16;
const groups = ["shortcut", "system", "calendar", "2026", "2026-11", "2027", "2027-02"];

/** How many calls the work of a trial makes if nothing goes wrong. */
async function callCount(seed: number): Promise<number> {
	const trial = new Trial(new CrashFileSystem(), { seed });
	await trial.work(operations);
	await trial.outline.close();
	return trial.disk.calls.length;
}
