import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import type { OutlineNode } from "../../../src/node.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import { Outline } from "../../../src/outline.js";
import type { ScopedOutline } from "../../../src/scope/scoped-outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { openDatabase } from "../../adapters/sqlite/open-database.js";
import { type Command, command, type Pick, referenceText } from "../../model/commands.js";
import { type PlaceArguments, perform } from "../../model/perform.js";
import { soak } from "../../setup/soak.js";
import { countedIds, scattered } from "../../support/ids.js";
import { codeOf, noon } from "../../support/outline.js";
import { all } from "./scene.js";
import { restricted, type State, seenFrom, stateOf, storageWith } from "./state.js";

const appUrl = "https://outline.example";

/** An outline with ids that count up from a number. */
function outlineOn(storage: StorageAdapter, firstId: number, seconds = 0): Outline {
	return new Outline({
		storage,
		timeZone: "UTC",
		appUrl,
		now: () => noon + seconds * 1000,
		generateId: countedIds((drawn) => scattered(firstId + drawn)),
	});
}

/** The ids to choose from. With a scope's node most of them are inside, and some are only visible. */
function poolOf(state: State, from: string | null, index: number): string[] {
	const seen = from === null ? undefined : seenFrom(state, from);
	const pool = seen === undefined || index % 8 === 7 ? state.nodes.keys() : index % 8 < 6 ? seen.inside : seen.visible;
	return [...pool].sort();
}

/** A reference. `top` is the reference of the top level, if there is one; `from` is the node of a scope. */
function textOf(pick: Pick, state: State, from: string | null, top: string | null): string | null | undefined {
	if (pick.kind === "root" && top !== null) return top;
	return referenceText(pick, appUrl, (index) => {
		const ids = poolOf(state, from, index);
		return ids[index % ids.length];
	});
}

/** A command with its references resolved, so that several outlines can run it. */
interface Step {
	readonly command: Command;
	readonly node: string;
	readonly place: PlaceArguments;
}

/** As {@link textOf}. */
function stepOf(command: Command, state: State, from: string | null, top: string | null): Step {
	const node = "node" in command ? textOf(command.node, state, from, null) : undefined;
	const spot = "spot" in command ? command.spot : undefined;
	const given = "parent" in command && command.parent !== undefined ? command.parent : undefined;
	const besides = typeof spot === "object";
	const position =
		spot === undefined || typeof spot === "string"
			? spot
			: ({
					[spot.side]: textOf({ kind: "node", index: spot.index, form: "id" }, state, from, null),
				} as unknown as PlaceArguments["position"]);
	const isAbsent = given === undefined || (given.kind === "root" && given.form === "absent");
	// Half of the siblings come with their parent.
	const isNamed = !isAbsent && !(besides && (spot as { index: number }).index % 2 === 0);
	const leftOut = command.type === "create" && !besides ? (top ?? undefined) : undefined;
	const parent = isNamed ? textOf(given, state, from, top) : leftOut;
	return { command, node: node ?? "None", place: { parent, position } };
}

/** An outline whose methods return their calls as operations of a batch; undefined if no batch takes them. */
const written = new Proxy({} as Outline, {
	get: (_, type: string) => (first: unknown, second?: object | string) => {
		if (["get", "list", "targets"].includes(type)) return undefined;
		if (type === "create") return { type, ...(first as object) };
		if (type === "setShortcut" || type === "deleteShortcut") return { type, key: first, ref: second };
		return { type, ref: first, ...(second as object | undefined) };
	},
});

/** The step as an operation of a batch; undefined if no batch takes it. */
function operationOf({ command, node, place }: Step): Promise<BatchOperation | undefined> {
	return perform(written, command, node, place) as Promise<BatchOperation | undefined>;
}

type Outcome =
	| { readonly value: unknown }
	| { readonly error: { code: string; message: string; mirrorIds: unknown; operation: number | undefined } };

async function outcomeOf(promise: Promise<unknown>): Promise<Outcome> {
	return promise.then(
		(value) => ({ value: value ?? null }),
		({ code, message, mirrorIds, operation }) => ({ error: { code, message, mirrorIds, operation } }),
	);
}

/** A view without the parent and priority of the scope's node, which differ in the compared outline. */
function asSeen<T>(value: T, top: string): T {
	return JSON.parse(JSON.stringify(value), function (this: object, field, each) {
		if (field === "parentId" && "id" in this && this.id === top && !("asListed" in this)) return null;
		if (field === "path" && Array.isArray(each) && each.includes(top)) return each.slice(each.indexOf(top));
		if (field === "ancestors" && "node" in this) {
			const ids = [...each, this.node].map(({ id }) => id);
			return ids.includes(top) ? each.slice(ids.indexOf(top)) : each;
		}
		return each;
	});
}

/** A random outline, and one of its nodes. */
async function scene(commands: readonly Command[], index: number): Promise<{ state: State; top: string }> {
	const storage = createMemoryStorage();
	const outline = outlineOn(storage, 0);
	const { id } = await outline.createTree({
		name: "a",
		children: [{ name: "b", children: [{ name: "c" }] }, { name: "d" }],
	});
	await outline.createTree({ name: "e #x", children: [{ name: "f" }, { name: `see ${appUrl}/#/${id.slice(-12)}` }] });
	for (const each of commands) {
		const { node, place, command } = stepOf(each, await stateOf(storage), null, null);
		await codeOf(perform(outline, command, node, place));
	}
	await outline.create({ name: "last" });
	const state = await stateOf(storage);
	// Most often a node with children.
	const ids = [...state.nodes.keys()].sort();
	const large = ids.filter((id) => seenFrom(state, id).inside.size > 3);
	const pool = large.length === 0 || index % 5 === 0 ? ids : large;
	return { state, top: pool[index % pool.length]! };
}

const commands = fc.array(
	fc.oneof(
		{ weight: 3, arbitrary: command },
		{ weight: 1, arbitrary: command.filter(({ type }) => type === "mirror") },
	),
	{ minLength: 10, maxLength: 35, size: "max" },
);

/** All answers of an outline about some references. */
async function readAll(
	outline: Outline | ScopedOutline,
	top: string,
	refs: readonly string[],
	isWhole: boolean,
): Promise<unknown[]> {
	const readings: (() => Promise<unknown>)[] = refs.flatMap((ref) => [
		() => outline.get(ref),
		() => outline.list(ref),
		() => all(outline.walk(ref, { budget: 40 })),
		() => outline.search("plain OR x OR created:2026", { within: ref, limit: 7, ancestors: true, ranges: true }),
		() => outline.backlinks(ref),
	]);
	const rest: (() => Promise<unknown>)[] = [
		() => outline.targets(),
		() => outline.list(isWhole ? top : undefined),
		() => all(outline.walk(isWhole ? top : null, { budget: 40 })),
		() => outline.search("-zzz", { within: isWhole ? top : undefined }),
		() => outline.search("is:mirror", { within: isWhole ? top : undefined }),
		() => outline.search("date:2026 OR plain", { within: isWhole ? top : undefined, order: "date", ancestors: true }),
	];
	const found: unknown[] = [];
	for (const reading of [...readings, ...rest]) found.push(asSeen(await outcomeOf(reading()), top));
	return found;
}

const references = ["inbox", "calendar", "today", "2026", "2026-11", "2026-11-21", "home", "Work", "x", "nowhere"];

function refsTo(state: State): string[] {
	const ids = [...state.nodes.keys()];
	return [...references, ...ids, ...ids.map((id) => id.slice(-12).toUpperCase()), "0123456789ab"];
}

function difference(before: State, after: State) {
	const ids = new Set([...before.nodes.keys(), ...after.nodes.keys()]);
	const keys = new Set([...before.keys.keys(), ...after.keys.keys()]);
	const changed = <T>(left: T | undefined, right: T | undefined) => JSON.stringify(left) !== JSON.stringify(right);
	return {
		ids: [...ids].filter((id) => changed(before.nodes.get(id), after.nodes.get(id))),
		keys: [...keys].filter((key) => changed(before.keys.get(key), after.keys.get(key))),
	};
}

/** Whether a scope allows a change that the outline of its visible nodes has made. */
function verdict(
	whole: State,
	before: State,
	after: State,
	top: string,
): "done" | "forbidden" | "not_found" | "has_mirrors" {
	const { inside } = seenFrom(whole, top);
	const { ids, keys } = difference(before, after);
	const insideAfter = seenFrom(after, top).inside;
	if (ids.some((id) => before.nodes.has(id) && !inside.has(id))) return "forbidden";
	const [was, is] = [before.nodes.get(top), after.nodes.get(top)];
	if (is === undefined || was!.parentId !== is.parentId || was!.priority !== is.priority) return "forbidden";
	const gone = new Set(ids.filter((id) => !after.nodes.has(id)));
	for (const { originId, id } of whole.nodes.values()) {
		if (originId !== null && gone.has(originId) && !gone.has(id)) return "has_mirrors";
	}
	const keyed = new Set(
		keys
			.map((key) => after.keys.get(key))
			.filter((key) => key && key.group !== "shortcut")
			.map((key) => key!.nodeId),
	);
	for (const id of ids) {
		if (after.nodes.has(id) && !insideAfter.has(id))
			return keyed.has(id) || [...keyed].some((each) => !insideAfter.has(each)) ? "not_found" : "forbidden";
	}
	for (const key of keys) {
		const [former, next] = [before.keys.get(key), after.keys.get(key)];
		if (former === undefined && whole.keys.has(key) && next!.group !== "shortcut") return "not_found";
		if (former === undefined && next!.group === "shortcut") return "forbidden";
		if (former !== undefined && !inside.has(former.nodeId)) return "forbidden";
		if (next !== undefined && !insideAfter.has(next.nodeId)) return "forbidden";
	}
	return "done";
}

/** Whether a step is about a visible node outside, or about the place of the scope's node. */
function isAimedOutside(whole: State, { command, node, place }: Step, top: string): boolean {
	const { inside, visible } = seenFrom(whole, top);
	const find = (ref: unknown) => {
		if (typeof ref !== "string") return undefined;
		const shortId = ref.slice(-12).toLowerCase();
		const key =
			ref === "today" ? "2026-11-21" : ref === "tomorrow" ? "2026-11-22" : ref === "next_week" ? "2026-11-23" : ref;
		const found =
			whole.nodes.get(whole.keys.get(key)?.nodeId ?? ref.toLowerCase()) ??
			[...whole.nodes.values()].find(({ id }) => /^[0-9a-f]{12}$/.test(shortId) && id.endsWith(shortId));
		return found && visible.has(found.id) ? found : undefined;
	};
	const row = (ref: unknown) => find(ref) !== undefined && !inside.has(find(ref)!.id);
	const content = (ref: unknown) => {
		const found = find(ref);
		return (
			found !== undefined &&
			!inside.has(found.originId !== null && whole.nodes.has(found.originId) ? found.originId : found.id)
		);
	};
	switch (command.type) {
		case "update":
		case "complete":
		case "uncomplete":
			return content(node);
		case "create":
		case "mirror":
			return content(place.parent);
		case "duplicate":
			if (typeof place.parent === "string") return content(place.parent);
			return typeof place.position !== "object" && (row(node) || find(node)?.id === top);
		case "move":
			return row(node) || row(place.parent) || find(node)?.id === top;
		case "delete":
		case "remove mirror":
			return row(node) || find(node)?.id === top;
		case "set shortcut": {
			const at = whole.keys.get(command.key)?.nodeId;
			return row(node) || at === undefined || !inside.has(at);
		}
		case "ensure":
		case "get":
		case "list":
		case "delete shortcut":
		case "targets":
		case "prune":
		case "wait":
		case "reopen":
			return false;
		default:
			throw new Error(`Add the command ${(command satisfies never as Command).type}.`);
	}
}

/** Whether a scope refused an operation of a batch in which a later operation fails in any case. */
function refusedEarlier(actual: Outcome, expected: Outcome): boolean {
	if (!("error" in actual && "error" in expected)) return false;
	const isRefusal = actual.error.code === "forbidden" || actual.error.code === "not_found";
	return isRefusal && (actual.error.operation ?? -1) < expected.error.operation!;
}

function isBeside({ position }: PlaceArguments, sibling: string): boolean {
	return typeof position === "object" && Object.values(position).includes(sibling);
}

/** Runs the same step through a scope and in an outline of its visible nodes, and compares the results. */
async function compareWrites(
	state: State,
	steps: readonly Step[],
	scoped: readonly Step[],
	top: string,
	firstId: number,
): Promise<State> {
	const operations = await Promise.all(steps.map(operationOf));
	const inBatch = operations.length > 1;
	const seen = restricted(state, top);
	const there = await storageWith(seen);
	const here = await storageWith(state);
	const run = (outline: Outline, [step]: readonly Step[], given: (BatchOperation | undefined)[]) =>
		inBatch
			? outline.batch(given.filter((each) => each !== undefined))
			: perform(outline, step!.command, step!.node, step!.place);
	const expected = await outcomeOf(run(outlineOn(there, firstId, firstId), steps, operations));
	const scope = outlineOn(here, firstId, firstId).scope(top, { write: true });
	const actual = await outcomeOf(run(scope as unknown as Outline, scoped, await Promise.all(scoped.map(operationOf))));
	const seenAfter = await stateOf(there);
	const after = await stateOf(here);
	const aimedOutside = steps.some((step) => isAimedOutside(state, step, top));
	const due = "error" in expected ? "refused" : verdict(state, seen, seenAfter, top);

	// No step changes a node outside.
	const { inside } = seenFrom(state, top);
	const made = [...after.nodes.keys()].filter((id) => !state.nodes.has(id));
	const insideAfter = seenFrom(after, top).inside;
	for (const id of made) expect(insideAfter.has(id)).toBe(true);
	for (const record of state.nodes.values())
		if (!inside.has(record.id)) expect(after.nodes.get(record.id)).toEqual(record);
	for (const key of state.keys.values()) if (!inside.has(key.nodeId)) expect(after.keys.get(key.key)).toEqual(key);

	if (steps.some(({ place }) => isBeside(place, top)) && "error" in actual) {
		// The node of the scope has no siblings, even if a mirror shows them elsewhere.
		expect(after).toEqual(state);
	} else if (aimedOutside && "error" in actual && actual.error.code === "forbidden") {
		expect(after).toEqual(state);
	} else if ("error" in expected && inBatch && refusedEarlier(actual, expected)) {
		expect(after).toEqual(state);
	} else if ("error" in expected) {
		expect(asSeen(actual, top)).toEqual(asSeen(expected, top));
		expect(after).toEqual(state);
	} else if (due === "done" && inBatch && "error" in actual) {
		// The changes of earlier operations have to be inside, too.
		expect(["forbidden", "not_found"]).toContain(actual.error.code);
		expect(after).toEqual(state);
	} else if (due === "done" && !(aimedOutside && !inBatch)) {
		expect(asSeen(actual, top)).toEqual(asSeen(expected, top));
		const [left, right] = [restricted(after, top), restricted(seenAfter, top)];
		expect(left).toEqual(right);
	} else {
		// The scope may refuse several of the operations.
		const codes = inBatch ? ["forbidden", "not_found", "has_mirrors"] : [due === "done" ? "forbidden" : due];
		const types = steps.map(({ command }) => command.type).join(", ");
		const advice = `the end of ${types}: see \`needs\` in description.ts, and \`isAimedOutside\` here`;
		expect(codes, advice).toContain("error" in actual ? actual.error.code : "none");
		expect(after).toEqual(state);
	}
	return after;
}

describe("a scope", () => {
	test("reads as an outline of the nodes that are visible from its node", async () => {
		await fc.assert(
			fc.asyncProperty(commands, fc.nat(), async (given, index) => {
				const { state, top } = await scene(given, index);
				const whole = outlineOn(await storageWith(restricted(state, top)), 1000);
				const scope = outlineOn(await storageWith(state), 1000).scope(top.slice(-12));
				const refs = refsTo(state);
				expect(await readAll(scope, top, refs, false)).toEqual(await readAll(whole, top, refs, true));
				const { inside } = seenFrom(state, top);
				const byId = (left: OutlineNode, right: OutlineNode) => (left.id < right.id ? -1 : 1);
				const rows = (await all(whole.export())).filter(({ id }) => inside.has(id));
				expect((await all(scope.export())).sort(byId)).toEqual(asSeen(rows, top).sort(byId));
			}),
			{ numRuns: 14 * soak },
		);
	});

	test("reads the same within another scope, and on a paged storage", async () => {
		await fc.assert(
			fc.asyncProperty(commands, fc.nat(), fc.nat(), async (given, index, innerIndex) => {
				const { state, top } = await scene(given, index);
				const seen = restricted(state, top);
				const ids = [...seen.nodes.keys()].sort();
				const inner = ids[innerIndex % ids.length]!;
				const whole = outlineOn(await storageWith(restricted(seen, inner)), 1000);
				const paged = createSqliteStorage(openDatabase("libsql", ":memory:"));
				const scope = outlineOn(await storageWith(state, paged), 1000)
					.scope(top)
					.scope(inner);
				// The scope's node has no parent, even if it is visible below a mirror.
				fc.pre(seen.nodes.get(top)!.parentId === null);
				const refs = [...references, ...[...state.nodes.keys()].slice(0, 12)];
				expect(await readAll(scope, inner, refs, false)).toEqual(await readAll(whole, inner, refs, true));
			}),
			{ numRuns: 8 * soak },
		);
	});

	test("writes nodes inside as the whole outline would, and no other nodes", async () => {
		await fc.assert(
			fc.asyncProperty(
				commands,
				fc.nat(),
				fc.array(command, { minLength: 1, maxLength: 12 }),
				async (given, index, more) => {
					let { state, top } = await scene(given, index);
					for (const [place, each] of more.entries()) {
						if (each.type === "wait" || each.type === "reopen") continue;
						const firstId = 1000 + 100 * place;
						state = await compareWrites(
							state,
							[stepOf(each, state, top, top)],
							[stepOf(each, state, top, null)],
							top,
							firstId,
						);
					}
				},
			),
			{ numRuns: 100 * soak },
		);
	});

	test("writes batches the same way", async () => {
		const batch = fc.array(
			command.filter(({ type }) => !["wait", "reopen", "get", "list", "targets"].includes(type)),
			{ minLength: 2, maxLength: 5 },
		);
		await fc.assert(
			fc.asyncProperty(
				commands,
				fc.nat(),
				fc.array(batch, { minLength: 1, maxLength: 5 }),
				async (given, index, batches) => {
					let { state, top } = await scene(given, index);
					for (const [place, each] of batches.entries()) {
						const steps = each.map((one) => stepOf(one, state, top, top));
						const scoped = each.map((one) => stepOf(one, state, top, null));
						state = await compareWrites(state, steps, scoped, top, 1000 + 100 * place);
					}
				},
			),
			{ numRuns: 60 * soak },
		);
	});
});
