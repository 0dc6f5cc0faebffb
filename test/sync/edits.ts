import { OutlineError } from "../../src/errors.js";
import type { OutlineNode } from "../../src/node.js";
import type { Outline } from "../../src/outline.js";
import type { Position } from "../../src/place/priority.js";
import type { Random } from "../conformance/random.js";
import { exported } from "../support/outline.js";

/** Codes of errors by the outline itself, after which everything is as before. */
const refusals: ReadonlySet<string> = new Set([
	"not_found",
	"would_create_cycle",
	"has_mirrors",
	"not_a_mirror",
	"undo_blocked",
	"forbidden",
	// A node beside itself.
	"invalid_argument",
]);

const days = ["today", "tomorrow", "2026-11-23", "2026-12", "2027-01-01"];
const shortcuts = ["home", "work"];

/** What a random edit needs. */
interface Hand {
	readonly outline: Outline;
	readonly random: Random;
	/** Returns a new word. */
	readonly word: () => string;
	/** Nodes of the outline, by id. */
	readonly nodes: readonly OutlineNode[];
}

/** Edits by name and weight. Each returns a description of its arguments. */
const edits: Record<string, readonly [weight: number, edit: (hand: Hand) => Promise<unknown>]> = {
	create: [
		8,
		({ outline, ...hand }) => outline.create({ name: text(hand), parent: parentOf(hand), position: end(hand) }),
	],
	"create beside": [6, ({ outline, ...hand }) => outline.create({ name: text(hand), position: beside(hand) })],
	"create a tree": [
		2,
		({ outline, ...hand }) => {
			const children = [{ name: text(hand), children: [{ name: text(hand) }] }, { name: text(hand) }];
			return outline.createTree({ name: text(hand), parent: parentOf(hand), children });
		},
	],
	"create in a day": [
		4,
		({ outline, ...hand }) => outline.create({ name: text(hand), parent: hand.random.pick(days) }),
	],
	"create in the inbox": [3, ({ outline, ...hand }) => outline.create({ name: text(hand), parent: "inbox" })],
	ensure: [1, ({ outline, random }) => outline.ensure(random.pick([...days, "inbox", "calendar"]))],
	"edit a name": [
		10,
		({ outline, ...hand }) => {
			const { id, name } = some(hand);
			return outline.update(id, { name: changed(name, " ", hand) });
		},
	],
	"edit a note": [
		4,
		({ outline, ...hand }) => {
			const { id, note } = some(hand);
			return outline.update(id, { note: changed(note ?? "", "\n", hand) || null });
		},
	],
	"set a property": [
		4,
		({ outline, ...hand }) => {
			const value = hand.random.happens(0.2) ? null : hand.word();
			return outline.update(some(hand).id, { properties: { [hand.random.pick(["due", "from"])]: value } });
		},
	],
	"change the layout": [
		1,
		({ outline, ...hand }) =>
			outline.update(some(hand).id, { layoutMode: hand.random.pick(["todo", "h1", "bullets"] as const) }),
	],
	complete: [2, ({ outline, ...hand }) => outline.complete(some(hand).id)],
	uncomplete: [1, ({ outline, ...hand }) => outline.uncomplete(some(hand).id)],
	move: [8, ({ outline, ...hand }) => outline.move(some(hand).id, { parent: parentOf(hand), position: end(hand) })],
	"move beside": [6, ({ outline, ...hand }) => outline.move(some(hand).id, { position: beside(hand) })],
	"move to a day": [1, ({ outline, ...hand }) => outline.move(some(hand).id, { parent: hand.random.pick(days) })],
	delete: [7, ({ outline, ...hand }) => outline.delete(some(hand).id)],
	"delete and detach": [3, ({ outline, ...hand }) => outline.delete(some(hand).id, { mirrors: "detach" })],
	"delete and promote": [3, ({ outline, ...hand }) => outline.delete(some(hand).id, { mirrors: "promote" })],
	mirror: [5, ({ outline, ...hand }) => outline.mirror(some(hand).id, { parent: some(hand).id, position: end(hand) })],
	"remove a mirror": [
		1,
		({ outline, ...hand }) => {
			const mirrors = hand.nodes.filter(({ mirror }) => mirror?.originId != null);
			return outline.removeMirror((mirrors.length > 0 ? hand.random.pick(mirrors) : some(hand)).id);
		},
	],
	duplicate: [1, async ({ outline, ...hand }) => hand.nodes.length < 80 && outline.duplicate(some(hand).id)],
	"set a shortcut": [3, ({ outline, ...hand }) => outline.setShortcut(hand.random.pick(shortcuts), some(hand).id)],
	"delete a shortcut": [1, ({ outline, random }) => outline.deleteShortcut(random.pick(shortcuts))],
	undo: [6, ({ outline }) => outline.undo()],
	redo: [3, ({ outline }) => outline.redo()],
	batch: [
		3,
		({ outline, ...hand }) => {
			const [moved, edited] = [some(hand), some(hand)];
			return outline.batch([
				{ type: "create", as: "new", name: text(hand), parent: parentOf(hand) },
				{ type: "move", ref: moved.id, parent: { as: "new" } },
				{ type: "update", ref: edited.id, name: changed(edited.name, " ", hand) },
			]);
		},
	],
	import: [
		1,
		({ outline, ...hand }) =>
			outline.import(`${text(hand)}\n\t${text(hand)}\n${text(hand)}`, { format: "text", parent: parentOf(hand) }),
	],
	"write in a scope": [
		2,
		({ outline, ...hand }) =>
			outline.scope(some(hand).id, { write: true }).create({ name: text(hand), position: end(hand) }),
	],
};

const names = Object.entries(edits).flatMap(([name, [weight]]) => new Array<string>(weight).fill(name));

/**
 * Makes a random edit. Returns its name and what became of it: `done`, a refusal by the outline, or the code of
 * an error of the storage.
 */
export async function edit(
	outline: Outline,
	random: Random,
	word: () => string,
): Promise<{ edit: string; outcome: string }> {
	const name = random.pick(names);
	try {
		const nodes = (await exported(outline)).sort((left, right) => (left.id < right.id ? -1 : 1));
		const which = nodes.length < 3 ? "create" : nodes.length > 120 ? "delete and promote" : name;
		await edits[which]![1]({ outline, random, word, nodes });
		return { edit: which, outcome: "done" };
	} catch (error) {
		if (!(error instanceof OutlineError)) throw error;
		return { edit: name, outcome: refusals.has(error.code) ? "refused" : error.code };
	}
}

type Picking = Pick<Hand, "random" | "word" | "nodes">;

function some({ random, nodes }: Picking): OutlineNode {
	return random.pick(nodes);
}

function parentOf(hand: Picking): string | null {
	return hand.nodes.length === 0 || hand.random.happens(0.15) ? null : some(hand).id;
}

function end({ random }: Picking): Position {
	return random.pick(["top", "bottom"] as const);
}

function beside(hand: Picking): Position {
	const { id } = some(hand);
	return hand.random.happens(0.5) ? { before: id } : { after: id };
}

function text({ random, word }: Picking): string {
	return Array.from({ length: 1 + random.below(3) }, word).join(" ");
}

/** Replaces, adds or drops a word of a text. */
function changed(old: string, separator: string, { random, word }: Picking): string {
	const words = old === "" ? [] : old.split(separator);
	const at = random.below(words.length + 1);
	words.splice(at, random.below(2), ...(random.happens(0.8) ? [word()] : []));
	return words.join(separator);
}
