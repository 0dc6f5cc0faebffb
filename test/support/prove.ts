import { expect } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import type { OutlineEvent } from "../../src/engine/event.js";
import type { OutlineOptions } from "../../src/engine/settings.js";
import type { OutlineError } from "../../src/errors.js";
import type { OutlineNode } from "../../src/node.js";
import type { Outline } from "../../src/outline.js";
import { createReplica } from "../../src/sync/index.js";
import { fileOf } from "../src/exchange/files.js";
import { dedented, exported, type MarkIn, newOutline, noon, picture, plant } from "./outline.js";

/** The outline of a scene, with the id of each node that the scene marks. */
export type Scene<Text extends string = string> = { readonly [M in MarkIn<Text>]: string } & {
	readonly outline: Outline;
};

/** An operation on a scene. */
export type OperationOn<Text extends string, T = unknown> = (scene: Scene<Text>) => Promise<T>;

/** The options of a proof. */
interface ProofOptions<Text extends string> extends Partial<OutlineOptions> {
	/** Prepares the scene further, before the operation. */
	readonly given?: OperationOn<Text>;
}

/**
 * Proves one case of an operation: runs it on a scene, and compares the outline with a picture. It also
 * proves the claims that hold for every case:
 *
 * - Listeners receive exactly the nodes whose view has changed, and the changed keys. Each event is a step of the
 *   history.
 * - `undo` and `redo` go there and back, shortcuts and other keys included.
 * - An outline that opens the same storage again shows the same, and so does a copy by export and import.
 * - `verify` finds nothing.
 * - All of this is the same on a replica, and its server follows.
 *
 * ```ts
 * await prove("a #a\n  b\nc #c", ({ outline, a, c }) => outline.move(a, { parent: c }), "c\n  a\n    b");
 * ```
 *
 * @param scene - as {@link plant} takes it; the marks name the ids in the argument of `operation`
 * @param expected - as {@link picture} returns it
 * @returns the result of the operation, and the scene after it
 */
export async function prove<const Text extends string, T>(
	scene: Text,
	operation: OperationOn<Text, T>,
	expected: string,
	{ given, ...options }: ProofOptions<Text> = {},
): Promise<Scene<Text> & { result: T }> {
	const storage = options.storage ?? createMemoryStorage();
	const outline = newOutline({ ...options, storage });
	const marked = await marksOf(outline, scene, given);
	await outline.clearHistory();
	const before = await stateOf(outline);
	const { value: result, events } = await heard(outline, () => operation(marked));
	const after = await stateOf(outline);
	expect(await picture(outline)).toBe(dedented(expected));
	expect(changesIn(events)).toEqual(differences(before.views, after.views));
	expect(keysIn(events, before.keys)).toEqual(differences(before.keys, after.keys));
	expect(outline.history).toEqual({ undo: events.length, redo: 0 });
	await proveUndo(outline, before, after);
	expect(await stateOf(newOutline({ ...options, storage }))).toEqual(after);
	expect(await stateOf(await copyOf(outline, options))).toEqual(after);
	expect((await outline.verify()).problems).toEqual([]);
	if (options.storage === undefined)
		await proveOnReplica(scene, operation, expected, { ...(given && { given }), ...options });
	return Object.assign(marked, { result });
}

/** Proves that a replica and its server come to the same outline, and go back and forth with it. */
async function proveOnReplica<const Text extends string>(
	scene: Text,
	operation: OperationOn<Text>,
	expected: string,
	{ given, ...options }: ProofOptions<Text>,
): Promise<void> {
	const server = newOutline(options);
	const remote = { push: (lines: readonly string[]) => server.sync(lines), image: () => server.syncImage() };
	const replica = createReplica({ local: createMemoryStorage(), remote, auto: false, now: () => noon });
	const outline = newOutline({ ...options, storage: replica.storage });
	const marked = await marksOf(outline, scene, given);
	const expectSame = async () => {
		await replica.sync();
		expect(await stateOf(outline)).toEqual(await stateOf(server));
		expect((await server.verify()).problems).toEqual([]);
		expect(await replica.conflicts()).toEqual([]);
	};
	await expectSame();
	await outline.clearHistory();
	await operation(marked);
	await expectSame();
	expect(await picture(server)).toBe(dedented(expected));
	const steps = outline.history.undo;
	for (let step = 0; step < steps; step++) await outline.undo();
	await expectSame();
	for (let step = 0; step < steps; step++) await outline.redo();
	await expectSame();
	expect(await picture(server)).toBe(dedented(expected));
}

/** Proves that an operation on a scene succeeds and changes nothing. Returns as {@link prove} does. */
export async function proveUnchanged<const Text extends string, T>(
	scene: Text,
	operation: OperationOn<Text, T>,
	{ given, ...options }: ProofOptions<Text> = {},
): Promise<Scene<Text> & { result: T }> {
	const outline = newOutline(options);
	const marked = await marksOf(outline, scene, given);
	const [before, history] = [await stateOf(outline), outline.history];
	const { value: result, events } = await heard(outline, () => operation(marked));
	expect(events).toEqual([]);
	expect(await stateOf(outline)).toEqual(before);
	expect(outline.history).toEqual(history);
	return Object.assign(marked, { result });
}

/**
 * Proves that an operation on a scene fails with an error of this code, and changes nothing.
 *
 * @returns the error
 */
export async function proveRefusal<const Text extends string>(
	scene: Text,
	operation: OperationOn<Text>,
	code: string,
	options: ProofOptions<Text> = {},
): Promise<OutlineError> {
	const refused: OperationOn<Text, OutlineError> = (marked) =>
		operation(marked).then(
			() => expect.unreachable("the operation succeeds"),
			(error) => error,
		);
	const { result } = await proveUnchanged(scene, refused, options);
	expect(result).toMatchObject({ code });
	return result;
}

async function marksOf<Text extends string>(
	outline: Outline,
	scene: Text,
	given: ProofOptions<Text>["given"],
): Promise<Scene<Text>> {
	const marked = Object.assign(await plant(outline, dedented(scene)), { outline }) as Scene<Text>;
	await given?.(marked);
	return marked;
}

/** The value of a call, and the events that listeners receive during the call. */
async function heard<T>(outline: Outline, call: () => Promise<T>): Promise<{ value: T; events: OutlineEvent[] }> {
	const events: OutlineEvent[] = [];
	const stop = outline.subscribe((event) => events.push(event));
	const value = await call();
	stop();
	return { value, events };
}

/** Goes back through all steps and forth again. Nodes created on demand stay after an undo. */
async function proveUndo(outline: Outline, before: State, after: State): Promise<void> {
	const steps = outline.history.undo;
	const { events } = await heard(outline, async () => {
		for (let step = 0; step < steps; step++) await outline.undo();
	});
	const undone = await stateOf(outline);
	expect(changesIn(events)).toEqual(differences(after.views, undone.views));
	expect(keysIn(events, after.keys)).toEqual(differences(after.keys, undone.keys));
	const stayed = [...undone.views.keys()].filter((id) => !before.views.has(id));
	const onDemand = new Set<string | undefined>(stayed.filter((id) => isOnDemand(undone.views.get(id)!)));
	expect(stayed.filter((id) => !onDemand.has(id))).toEqual([]);
	for (const id of stayed) undone.views.delete(id);
	const keys = new Map(before.keys);
	for (const [key, id] of undone.keys) {
		if (!onDemand.has(id)) continue;
		undone.keys.delete(key);
		keys.delete(key);
	}
	expect(undone).toEqual({ ...before, keys });
	for (let step = 0; step < steps; step++) await outline.redo();
	expect(await stateOf(outline)).toEqual(after);
}

/** Whether a node looks like the inbox or an entry of the calendar. */
function isOnDemand({ name }: OutlineNode): boolean {
	return /^(Inbox|Calendar|\d{4}|[A-Z][a-z]+|<time datetime="\d{4}-\d\d-\d\d">.*<\/time>)$/.test(name);
}

/** The nodes of an outline by id, and the ids that keys point at. */
interface State {
	readonly views: Map<string, OutlineNode>;
	readonly keys: Map<string, string>;
}

async function stateOf(outline: Outline): Promise<State> {
	const nodes = await exported(outline);
	const { keys } = await outline.changes({ since: 0, limit: 10_000 });
	const set = keys.flatMap(({ key, nodeId }) => (nodeId === null ? [] : [[key, nodeId] as const]));
	return { views: new Map(nodes.map((node) => [node.id, node])), keys: new Map(set) };
}

/** The first view before and the last view after of each node in events, without unchanged nodes. */
function changesIn(events: readonly OutlineEvent[]): unknown[] {
	const first = new Map<string, OutlineNode | undefined>();
	const last = new Map<string, OutlineNode | undefined>();
	for (const { id, before, after } of events.flatMap(({ changes }) => changes)) {
		expect(after).not.toEqual(before);
		if (!first.has(id)) first.set(id, before);
		last.set(id, after);
	}
	return differences(first, last);
}

/** The keys that events set or drop, by key, as {@link differences} returns them from before. */
function keysIn(events: readonly OutlineEvent[], before: ReadonlyMap<string, string>): unknown[] {
	const after = new Map(before);
	for (const { key, nodeId } of events.flatMap(({ keys }) => keys)) {
		if (nodeId === null) after.delete(key);
		else after.set(key, nodeId);
	}
	return differences(before, after);
}

/** The views or keys that differ, by id or key. */
function differences<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): unknown[] {
	const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
	const changes = ids.map((id) => ({ id, before: before.get(id), after: after.get(id) }));
	return changes.filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/** A new outline with all nodes, mirrors and keys of another, by way of a JSON file. */
async function copyOf(outline: Outline, options: Partial<OutlineOptions>): Promise<Outline> {
	const copy = newOutline({ ...options, storage: createMemoryStorage() });
	await copy.import(await fileOf(outline, "json"), { format: "json" });
	return copy;
}
