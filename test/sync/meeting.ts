import { describe, expect, test } from "vitest";
import type { BatchOperation } from "../../src/operations/batch.js";
import type { Outline } from "../../src/outline.js";
import type { ReplicaConflict } from "../../src/sync/index.js";
import { short } from "../setup/soak.js";
import { codeOf, dedented, drawn, exported, plant } from "../support/outline.js";
import { type Content, contentOf, type Device, Site, settleAll } from "./site.js";

export const day = "2026-11-21";
/** A scene with a node `a` below `p`, with two children. */
export const tree = "p #p\n  a #a\n    b #b\n    c #c\nx #x";
/** A scene with a node `a` below `p`, with a child, and a mirror of `a` below `x`. */
export const mirrored = "p #p\n  a #a\n    b #b\n  q #q\nx #x\n  (mirror a) #m";

/** The ids of a scene by mark. */
export type Marks = Readonly<Record<string, string>>;

/** Changes that meet other changes. */
export interface Meeting {
	/** The outline that both devices know, as {@link plant} takes it. */
	readonly scene: string;
	/** Prepares the scene further, before both devices know it. */
	readonly given?: (outline: Outline, marks: Marks) => Promise<unknown>;
	/** The changes that reach the server first. */
	readonly first: (marks: Marks) => BatchOperation[];
	/** The changes of a device that doesn't know the first ones. */
	readonly later: (marks: Marks) => BatchOperation[];
	/** The outline afterwards, as {@link look} returns it; several if the rules leave a choice. */
	readonly shows: string | readonly string[];
	/**
	 * The beginnings of all conflicts, as `kind mark.field: shown | other`. Each conflict must have one of them,
	 * and each of them must have a conflict. Default: none.
	 */
	readonly tells?: readonly string[];
}

/** The ways in which the same changes can arrive. */
const ways = ["as commits", "as batches", "from a plain HTTP client"] as const;

let count = 0;

/**
 * Tests each meeting of a row of the table in all ways, or, in `npm test`, in the next way.
 *
 * @param common - what the meetings have if they don't say otherwise
 */
export function row(name: string, common: Partial<Meeting> = {}) {
	return (meetings: Record<string, Omit<Meeting, "scene"> & Partial<Meeting>>) =>
		describe(name, () => {
			for (const [which, given] of Object.entries(meetings)) {
				const meeting: Meeting = { scene: "", ...common, ...given };
				const next = ways[count++ % ways.length]!;
				test.each(short ? [next] : ways)(`${which}, %s`, (way) => meet(meeting, way));
			}
		});
}

/**
 * Lets the changes of a meeting arrive in one way, and checks what becomes of them: the outline, the
 * conflicts on all devices, and that each conflict can be resolved on any device.
 */
export async function meet(meeting: Meeting, way: (typeof ways)[number]): Promise<void> {
	const site = new Site();
	const [one, two, watcher] = [site.device(), site.device(), site.device()];
	const marks = await plant(one.outline, meeting.scene);
	await meeting.given?.(one.outline, marks);
	await settleAll(site.devices);
	const write = async (outline: Outline, operations: BatchOperation[]) => {
		for (const part of way === "as batches" ? [operations] : operations.map((operation) => [operation])) {
			await outline.batch(part);
			site.now += 60_000;
		}
	};
	await write(way === "from a plain HTTP client" ? site.outline : one.outline, meeting.first(marks));
	await write(two.outline, meeting.later(marks));
	await one.sync();
	await two.sync();
	await settleAll([one, two, watcher]);
	const shown = await look(site.outline);
	const expected = [meeting.shows].flat().map(dedented);
	if (!expected.includes(shown)) expect(shown).toBe(expected[0]);
	const devices = [...site.devices, site.device()];
	await devices.at(-1)!.sync();
	await expectEqual(site, devices);
	await expectTold(watcher, marks, meeting.tells ?? []);
	await expectResolvable(site, devices);
}

/** Checks that all devices show what the server has, tell the same conflicts, and break no rule. */
export async function expectEqual(site: Site, devices: readonly Device[] = site.devices): Promise<void> {
	const content = await contentOf(site.outline);
	expect((await site.outline.verify()).problems).toEqual([]);
	const conflicts = await conflictsOf(devices[0]!);
	for (const device of devices) {
		expect(await contentOf(device.outline)).toEqual(content);
		expect((await device.outline.verify()).problems).toEqual([]);
		expect(await conflictsOf(device)).toEqual(conflicts);
		expect(device.replica.status.current).toMatchObject({
			phase: "idle",
			pending: 0,
			oldestPendingAt: null,
			error: null,
			conflicts: conflicts.length,
		});
	}
}

/** Returns the conflicts that a device tells, by id. */
export async function conflictsOf(device: Device): Promise<ReplicaConflict[]> {
	const conflicts = await device.replica.conflicts();
	return [...conflicts].sort((left, right) => (left.id < right.id ? -1 : 1));
}

async function expectTold(device: Device, marks: Marks, expected: readonly string[]): Promise<void> {
	const nodes = new Map((await exported(device.outline)).map(({ id, name }) => [id, name]));
	for (const [mark, id] of Object.entries(marks)) nodes.set(id, mark);
	const named = (value: unknown) =>
		typeof value === "string" ? (nodes.get(value) ?? value) : value === null ? "none" : JSON.stringify(value);
	const told = (await device.replica.conflicts()).map(
		({ kind, nodeId, field, shown, other }) =>
			`${kind} ${named(nodeId)}${field === undefined ? "" : `.${field}`}: ${named(shown)} | ${named(other)}`,
	);
	const unexpected = told.filter((conflict) => !expected.some((start) => conflict.startsWith(start)));
	const missing = expected.filter((start) => !told.some((conflict) => conflict.startsWith(start)));
	expect({ told, unexpected, missing }).toEqual({ told, unexpected: [], missing: [] });
}

/** Puts the other value of each conflict in place on one device, or keeps what is shown, and undoes it. */
async function expectResolvable(site: Site, devices: readonly Device[]): Promise<void> {
	const [one, two] = [devices.at(-1)!, devices[0]!];
	const before = await contentOf(site.outline);
	const conflicts = await conflictsOf(one);
	if (conflicts.length === 0) return;
	await one.outline.clearHistory();
	const refusal = await codeOf(one.replica.resolve(conflicts[0]!.id, "other"));
	// The other value may be impossible: a parent that is gone, or below the node.
	if (refusal !== undefined) expect(["not_found", "would_create_cycle"]).toContain(refusal);
	await settleAll(devices);
	const left = (await conflictsOf(two)).map(({ id }) => id);
	expect(left.includes(conflicts[0]!.id)).toBe(refusal !== undefined);
	await expectEqual(site, devices);
	while ((await one.outline.undo()) !== null);
	await settleAll(devices);
	await expectEqual(site, devices);
	expect(textsIn(await contentOf(site.outline))).toEqual(textsIn(before));
	for (const { id } of await conflictsOf(two)) await two.replica.resolve(id, "shown");
	await settleAll(devices);
	for (const device of devices) expect(await conflictsOf(device)).toEqual([]);
	await expectEqual(site, devices);
}

function textsIn({ nodes }: Content): unknown[] {
	return nodes.map(({ id, name, note, parentId }) => ({ id, name, note, parentId }));
}

/**
 * Returns an outline as a text with a node on each line: `[x]` before a completed one, its note in
 * parentheses, its properties in braces, and `-> name` for a mirror.
 */
export function look(outline: Outline): Promise<string> {
	return drawn(outline, ({ name, note, properties, completed, mirror }) => {
		if (mirror?.originId !== undefined) return `-> ${name}`;
		const rest = `${note === null ? "" : ` (${note})`}${Object.keys(properties).length === 0 ? "" : ` ${JSON.stringify(properties)}`}`;
		return `${completed ? "[x] " : ""}${name}${rest}`;
	});
}
