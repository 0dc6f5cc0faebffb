import { createMemoryStorage } from "../../adapters/memory.js";
import type { OutlineOptions } from "../../src/engine/settings.js";
import type { OutlineNode } from "../../src/node.js";
import type { TreeInput } from "../../src/operations/create-tree.js";
import { Outline } from "../../src/outline.js";
import type { Occurrence } from "../../src/read/walk.js";

/** Saturday, November 21, 2026, 12:00 in UTC. */
export const noon = Date.UTC(2026, 10, 21, 12);

/** An outline in memory. By default its clock always shows noon, and its zone is UTC. */
export function newOutline(options: Partial<OutlineOptions> = {}): Outline {
	return new Outline({ storage: createMemoryStorage(), timeZone: "UTC", now: () => noon, ...options });
}

/** The marks in the text of a scene, as {@link plant} takes it. */
export type MarkIn<Text extends string> = string extends Text
	? string
	: Text extends `${string}#${infer Rest}`
		? (Rest extends `${infer Mark}\n${string}` ? Mark : Rest) | MarkIn<Rest>
		: never;

/** Two outlines on one storage in memory. */
export function twoOutlines(options: Partial<OutlineOptions> = {}): [Outline, Outline] {
	const storage = createMemoryStorage();
	return [newOutline({ ...options, storage }), newOutline({ ...options, storage })];
}

/**
 * Creates nodes from a text: each line is a node, and its children have two more spaces. `#x` at the end
 * marks a node; the result has the ids of the marked nodes. `(mirror x)` is a mirror of the node with the
 * mark `x`, and the nodes below it are children of the mirror alone.
 */
export async function plant<const Text extends string>(
	outline: Outline,
	text: Text,
): Promise<Record<MarkIn<Text>, string>>;
export async function plant<Mark extends string>(outline: Outline, text: string): Promise<Record<Mark, string>>;
export async function plant(outline: Outline, text: string): Promise<Record<string, string>> {
	const marks = new Map<string, string>();
	const path: OutlineNode[] = [];
	for (const line of text.split("\n").filter((each) => each !== "")) {
		const [, indentation = "", content = "", mark] = /^( *)(.*?)(?: *#(\w+))?$/.exec(line)!;
		path.length = indentation.length / 2;
		const above = path.at(-1);
		const parent = above?.id ?? null;
		const origin = /^\(mirror (\w+)\)$/.exec(content)?.[1];
		const node =
			origin === undefined
				? await outline.create({ parent, name: content, position: "bottom" })
				: await outline.mirror(marks.get(origin) ?? `no node #${origin} above its mirror`, {
						parent: parent!,
						position: "bottom",
					});
		if (above?.mirror?.originId !== undefined) await outline.move(node.id, { parent, position: "bottom" });
		path.push(node);
		if (mark !== undefined) marks.set(mark, node.id);
	}
	return Object.fromEntries(marks);
}

/** A new outline with the nodes of a text, and the ids of the marked nodes. */
export async function planted<const Text extends string>(text: Text, options: Partial<OutlineOptions> = {}) {
	const outline = newOutline(options);
	return { outline, ...(await plant(outline, text)) };
}

/** A node with a chain of descendants, each the only child of its parent. */
export function chain(length: number): TreeInput {
	let tree: TreeInput = { name: `${length}` };
	for (let place = length - 1; place > 0; place--) tree = { name: `${place}`, children: [tree] };
	return tree;
}

/** Every node of an outline. */
export async function exported(outline: Outline): Promise<OutlineNode[]> {
	const nodes: OutlineNode[] = [];
	for await (const node of outline.export()) nodes.push(node);
	return nodes;
}

/** What a walk returns. */
export async function walked(outline: Pick<Outline, "walk">, ...given: Parameters<Outline["walk"]>) {
	const occurrences: Occurrence[] = [];
	for await (const occurrence of outline.walk(...given)) occurrences.push(occurrence);
	return occurrences;
}

/** The outline as {@link plant} takes it, without marks; a mirror appears as `(mirror <name>)`. */
export function picture(outline: Outline): Promise<string> {
	return drawn(outline, ({ name, mirror }) => (mirror?.originId === undefined ? name : `(mirror ${name})`));
}

/** An outline as a text, with a line for each node, two more spaces for each level. */
export async function drawn(outline: Outline, lineOf: (node: OutlineNode) => string): Promise<string> {
	const nodes = (await exported(outline)).sort((left, right) => left.priority - right.priority);
	const lines = (parentId: string | null, indentation: string): string[] =>
		nodes
			.filter((node) => node.parentId === parentId)
			.flatMap((node) => [`${indentation}${lineOf(node)}`, ...lines(node.id, `${indentation}  `)]);
	return lines(null, "").join("\n");
}

/** A text without its first empty line and without the indentation that all of its lines share. */
export function dedented(text: string): string {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const depth = Math.min(...lines.map((line) => line.search(/\S/)));
	return lines.map((line) => line.slice(depth)).join("\n");
}

/** The names of the children that are visible under a node, in their order. */
export async function namesBelow(outline: Outline, parent: string | null): Promise<string[]> {
	return (await outline.list(parent)).nodes.map(({ name }) => name);
}

/** The code that a promise rejects with; undefined if it doesn't. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
	try {
		await promise;
		return undefined;
	} catch (error) {
		return (error as { code?: string }).code ?? String(error);
	}
}
