import { expect } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import type { OutlineEvent } from "../../src/engine/event.js";
import type { OutlineOptions } from "../../src/engine/settings.js";
import type { OutlineNode } from "../../src/node.js";
import type { Outline } from "../../src/outline.js";
import { exported, newOutline, picture, plant } from "./outline.js";

/** The marks in the text of a scene. */
type MarkIn<Text extends string> = string extends Text
	? string
	: Text extends `${string}#${infer Rest}`
		? (Rest extends `${infer Mark}\n${string}` ? Mark : Rest) | MarkIn<Rest>
		: never;

/** The outline of a scene, with the id of each node that the scene marks. */
export type Scene<Text extends string = string> = { readonly [M in MarkIn<Text>]: string } & {
	readonly outline: Outline;
};

/** The options of a proof. */
interface ProofOptions<Text extends string> extends Partial<OutlineOptions> {
	/** Prepares the scene further, before the operation. */
	readonly given?: (scene: Scene<Text>) => Promise<unknown>;
}

/**
 * Proves one case of an operation: runs it on a scene, and compares the outline with a picture. It also proves what is true of
 * every case: listeners receive exactly the nodes whose view has changed; `undo` and `redo` go there and back; an outline that
 * opens the same storage again shows the same, and so does a copy by export and import; `verify` finds nothing.
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
	operation: (scene: Scene<Text>) => Promise<T>,
	expected: string,
	{ given, ...options }: ProofOptions<Text> = {},
): Promise<Scene<Text> & { result: T }> {
	const storage = options.storage ?? createMemoryStorage();
	const outline = newOutline({ ...options, storage });
	const marked = Object.assign(await plant(outline, dedented(scene)), { outline }) as Scene<Text>;
	await given?.(marked);
	outline.clearHistory();
	const before = await viewsOf(outline);
	const events: OutlineEvent[] = [];
	const stop = outline.subscribe((event) => events.push(event));
	const result = await operation(marked);
	stop();
	const after = await viewsOf(outline);
	expect(await picture(outline)).toBe(dedented(expected));
	expect(changesIn(events)).toEqual(differences(before, after));
	await proveUndo(outline, before, after);
	expect(await viewsOf(newOutline({ ...options, storage }))).toEqual(after);
	expect(await viewsOf(await copyOf(outline))).toEqual(after);
	expect((await outline.verify()).problems).toEqual([]);
	return Object.assign(marked, { result });
}

/** Proves that an operation on a scene fails with an error of this code, and changes nothing. Returns the error. */
export async function proveRefusal<const Text extends string>(
	scene: Text,
	operation: (scene: Scene<Text>) => Promise<unknown>,
	code: string,
	{ given, ...options }: ProofOptions<Text> = {},
): Promise<{ code: string; message: string; mirrorIds?: string[]; operation?: number }> {
	const outline = newOutline(options);
	const marked = Object.assign(await plant(outline, dedented(scene)), { outline }) as Scene<Text>;
	await given?.(marked);
	const before = await viewsOf(outline);
	const steps = outline.history.undo;
	const error = await operation(marked).then(
		() => expect.unreachable("the operation succeeds"),
		(thrown) => thrown,
	);
	expect(error).toMatchObject({ code });
	expect(await viewsOf(outline)).toEqual(before);
	expect(outline.history.undo).toBe(steps);
	return error;
}

/** Goes back through all steps and forth again. Nodes on demand stay when the change that created them is undone. */
async function proveUndo(outline: Outline, before: Views, after: Views): Promise<void> {
	const steps = outline.history.undo;
	for (let step = 0; step < steps; step++) await outline.undo();
	const undone = await viewsOf(outline);
	const stayed = [...undone.keys()].filter((id) => !before.has(id));
	const onDemand = new Set<string | undefined>(stayed.filter((id) => isOnDemand(undone.get(id)!)));
	expect(stayed.filter((id) => !onDemand.has(id))).toEqual([]);
	for (const id of stayed) undone.delete(id);
	expect(undone).toEqual(before);
	for (let step = 0; step < steps; step++) await outline.redo();
	expect(await viewsOf(outline)).toEqual(after);
}

/** Whether a node looks like the inbox or an entry of the calendar. */
function isOnDemand({ name }: OutlineNode): boolean {
	return /^(Inbox|Calendar|\d{4}|[A-Z][a-z]+|<time datetime="\d{4}-\d\d-\d\d">.*<\/time>)$/.test(name);
}

type Views = Map<string, OutlineNode>;

async function viewsOf(outline: Outline): Promise<Views> {
	return new Map(
		(await exported(outline)).sort((left, right) => (left.id < right.id ? -1 : 1)).map((node) => [node.id, node]),
	);
}

/** The first view before and the last view after of each node that events name, without nodes that are as they were. */
function changesIn(events: readonly OutlineEvent[]): unknown[] {
	const first = new Map<string, OutlineNode | undefined>();
	const last = new Map<string, OutlineNode | undefined>();
	for (const { id, before, after } of events.flatMap(({ changes }) => changes)) {
		if (!first.has(id)) first.set(id, before);
		last.set(id, after);
	}
	return differences(first, last);
}

function differences(
	before: ReadonlyMap<string, OutlineNode | undefined>,
	after: ReadonlyMap<string, OutlineNode | undefined>,
): unknown[] {
	const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
	const changes = ids.map((id) => ({ id, before: before.get(id), after: after.get(id) }));
	return changes.filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/** A new outline with all nodes, mirrors and keys of another, by way of a JSON file. */
async function copyOf(outline: Outline): Promise<Outline> {
	let file = "";
	for await (const piece of outline.exportAs("json")) file += piece;
	const copy = newOutline();
	await copy.import(file, { format: "json" });
	return copy;
}

/** A text without its first empty line and without the indentation that all of its lines share. */
function dedented(text: string): string {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const depth = Math.min(...lines.map((line) => line.search(/\S/)));
	return lines.map((line) => line.slice(depth)).join("\n");
}
