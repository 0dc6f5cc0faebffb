import { Outline } from "outlinekit";
import { createPostgresStorage } from "outlinekit/postgres";
import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { stateText, storedState, Witness } from "../../model/witness.js";
import { soak } from "../../setup/soak.js";
import { codeOf, noon } from "../../support/outline.js";
import { testServer } from "./database.js";
import { errorWithCode, type Fate, RecordingPool } from "./recording-pool.js";

const server = testServer("faults");
let pool: pg.Pool;
beforeAll(() => {
	pool = server.pool("faults", { max: 2 });
});

const groups = ["shortcut", "system", "calendar", "2026", "2026-11", "calendar:2026", "calendar:2026-11"];

/** The ways in which a call may fail: the error, whether the call took effect, and whether to retry it. */
const failures: readonly { name: string; passing: boolean; fate: () => Fate }[] = [
	{ name: "never gets to the server", passing: true, fate: () => ({ instead: errorWithCode("ECONNRESET") }) },
	{ name: "loses its answer", passing: true, fate: () => ({ afterwards: errorWithCode("57P01") }) },
	{ name: "finds no room on the disk", passing: false, fate: () => ({ instead: errorWithCode("53100") }) },
	{ name: "is done, but fails for an odd reason", passing: false, fate: () => ({ afterwards: new Error("odd") }) },
];

/** The operations in an outline, one after another. */
const operations: readonly ((outline: Outline) => Promise<unknown>)[] = [
	(outline) => outline.create({ name: "# Project\n\n- one\n- two" }),
	async (outline) => outline.setShortcut("home", (await outline.list()).nodes[0]!.id),
	(outline) => outline.create({ parent: "today", name: "a day" }),
	async (outline) => outline.mirror("home", { parent: (await outline.list("today")).nodes[0]!.id }),
	async (outline) => outline.move((await outline.list("home")).nodes[0]!.id, { position: "bottom" }),
	async (outline) => {
		for await (const _ of outline.export());
	},
	(outline) => outline.delete("today"),
	(outline) => outline.deleteShortcut("home"),
];

let count = 0;

/** Every n-th call is tried; all in a soak test. Each kind of failure begins at a different call. */
const stride = soak === 1 ? failures.length : 1;

/**
 * Runs operations with the nth call to the pool failing. Returns whether there were that many calls, and the
 * number of failed operations.
 */
async function tryWithFault(
	base: pg.Pool,
	nth: number,
	{ fate }: (typeof failures)[number],
	operations: readonly ((outline: Outline) => Promise<unknown>)[],
): Promise<{ failed: boolean; refused: number }> {
	const pool = new RecordingPool(base);
	const name = `outline ${++count}`;
	const there = () => storedState(createPostgresStorage(new RecordingPool(base), { outline: name }), groups);
	let calls = 0;
	let failed = false;
	pool.fate = () => {
		if (++calls !== nth) return undefined;
		failed = true;
		return fate();
	};
	const witness = new Witness(createPostgresStorage(pool, { outline: name, notify: nth % 2 === 0 }));
	const outline = new Outline({ storage: witness, timeZone: "UTC", now: () => noon });
	let refused = 0;
	for (const operation of operations) {
		const code = await codeOf(operation(outline));
		if (code === undefined) continue;
		refused += 1;
		expect(failed, `call ${nth}`).toBe(true);
		expect(["storage_unavailable", "quota_exceeded"]).toContain(code);
		// It is unknown whether a refused commit was applied. The other commits must be there in both cases.
		const state = await there();
		const possible = [witness.acknowledged, ...witness.refused].map(stateText);
		expect(possible, `call ${nth}`).toContain(stateText(state));
		witness.acknowledged = state;
		witness.refused = [];
		// Without the failure, a second try works, or finds the work done.
		expect(["not_found", undefined], `call ${nth}`).toContain(await codeOf(operation(outline)));
	}
	expect(stateText(await there()), `call ${nth}`).toBe(stateText(witness.acknowledged));
	await outline.close();
	expect(pool.connections.out).toBe(0);
	expect(pool.brokenReturns).toBe(0);
	return { failed, refused };
}

describe.each(failures)("when the nth call $name,", (failure) => {
	const first = 1 + (failures.indexOf(failure) % stride);
	const most = failure.passing ? 0 : 1;

	test("an operation takes effect completely or not at all, and the storage continues", async () => {
		await new Outline({ storage: createPostgresStorage(new RecordingPool(pool), { outline: "a" }) }).list();
		for (let nth = first; ; nth += stride) {
			const { failed, refused } = await tryWithFault(pool, nth, failure, operations);
			expect(refused, `call ${nth}`).toBeLessThanOrEqual(most);
			if (failed) continue;
			expect(nth).toBeGreaterThan(40);
			break;
		}
	});

	test("the tables are created nevertheless, or by the next operation", async () => {
		for (let nth = first; ; nth += stride) {
			for (const table of ["schema", "outlines", "nodes", "keys", "documents"]) {
				await pool.query(`drop table if exists outlinekit_${table}`);
			}
			const { failed, refused } = await tryWithFault(pool, nth, failure, operations.slice(0, 1));
			expect(refused, `call ${nth}`).toBeLessThanOrEqual(most);
			if (failed) continue;
			expect(nth).toBeGreaterThan(15);
			break;
		}
	});
});
