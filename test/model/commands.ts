import fc from "fast-check";
import type { LayoutMode } from "../../src/layout-mode.js";
import type { PropertyChanges } from "../../src/properties.js";
import { unusedId } from "../support/ids.js";
import type { NaiveEnd } from "./naive-outline.js";

/** A reference to a node: its index among all nodes (modulo their number), and a form of references. */
export type Pick =
	| { kind: "node"; index: number; form: "id" | "upper case id" | "short id" | "address" }
	| { kind: "key"; key: string }
	| { kind: "shortcut"; key: string }
	| { kind: "root"; form: "None" | "null" | "absent" }
	| { kind: "unknown"; text: string };

/** Returns the text of a reference. `idOf` returns the id of the node at an index; undefined if there are no nodes. */
export function referenceText(
	pick: Pick,
	appUrl: string,
	idOf: (index: number) => string | undefined,
): string | null | undefined {
	if (pick.kind === "root") return { None: "None", null: null, absent: undefined }[pick.form];
	if (pick.kind === "unknown") return pick.text;
	if (pick.kind !== "node") return pick.key;
	const id = idOf(pick.index);
	if (id === undefined) return unusedId;
	const shortId = id.slice(-12);
	return { id, "upper case id": id.toUpperCase(), "short id": shortId, address: `${appUrl}/#/${shortId}` }[pick.form];
}

/**
 * The position of a node: at an end, or beside the node at an index among all nodes (modulo their number).
 * The sibling's parent is then the parent.
 */
export type Spot = NaiveEnd | { side: "before" | "after"; index: number };

/** One step of a random sequence. */
export type Command =
	| {
			type: "create";
			parent: Pick;
			name: number;
			note: string | null;
			layoutMode?: LayoutMode;
			properties?: number;
			completed?: boolean;
			spot?: Spot;
	  }
	| {
			type: "update";
			node: Pick;
			name?: number;
			note?: string | null;
			layoutMode?: LayoutMode;
			properties?: number;
			completed?: boolean;
	  }
	| { type: "move"; node: Pick; parent?: Pick; spot?: Spot }
	| { type: "duplicate"; node: Pick; parent?: Pick; spot?: Spot }
	| { type: "mirror"; node: Pick; parent: Pick; spot?: Spot }
	| { type: "remove mirror" | "delete" | "complete" | "uncomplete" | "ensure" | "get" | "list"; node: Pick }
	| { type: "set shortcut"; key: string; node: Pick }
	| { type: "delete shortcut"; key: string }
	| { type: "targets" }
	| { type: "prune"; back: number }
	| { type: "wait"; seconds: number }
	| { type: "reopen" };

interface NaiveBlock {
	depth: number;
	name: string;
	layoutMode: LayoutMode;
	completed: boolean;
}

const block = (depth: number, name: string, layoutMode: LayoutMode = "bullets", completed = false): NaiveBlock => ({
	depth,
	name,
	layoutMode,
	completed,
});

/** Names for new nodes, with the blocks of each. */
export const names: readonly { text: string; blocks: NaiveBlock[] }[] = [
	{ text: "plain", blocks: [block(0, "plain")] },
	{ text: "", blocks: [block(0, "")] },
	{ text: "a < b & c", blocks: [block(0, "a &lt; b &amp; c")] },
	{ text: "**bold** `code`", blocks: [block(0, "<b>bold</b> <code>code</code>")] },
	{ text: "# Title", blocks: [block(0, "Title", "h1")] },
	{ text: "- [x] done", blocks: [block(0, "done", "todo", true)] },
	{ text: "- [ ] open", blocks: [block(0, "open", "todo")] },
	{ text: "first\n\nsecond\nline", blocks: [block(0, "first"), block(1, "second line")] },
	{
		text: "list\n- one\n  - two\n- three",
		blocks: [block(0, "list"), block(1, "one"), block(2, "two"), block(1, "three")],
	},
];

/** Fragments to update with, and their canonical form. */
export const fragments: readonly { html: string; name: string }[] = [
	{ html: "plain", name: "plain" },
	{ html: "other", name: "other" },
	{ html: "<strong>x</strong> & <u>y</u>", name: "<b>x</b> &amp; &lt;u&gt;y&lt;/u&gt;" },
	{ html: "", name: "" },
];

/** Changes of properties, with values of each type of JSON. */
export const propertyChanges: readonly PropertyChanges[] = [
	{},
	{ due: "2026-12-01" },
	{ due: null },
	{ due: "2027-01-01", done: true, count: 3.5 },
	{ list: ["ä", 1, null, false], nested: { z: { y: null }, a: [] }, '<&> 日\n"': "" },
	{ done: null, count: 0, list: null, missing: null },
];

export const shortcutKeys = ["home", "Work", "x"];
export const calendarWords = [
	"inbox",
	"calendar",
	"today",
	"tomorrow",
	"next_week",
	"2026",
	"2026-11",
	"2026-11-21",
	"2026-02-28",
	"2025-12-31",
	"2027-01-01",
];

const spot: fc.Arbitrary<Spot | undefined> = fc.oneof(
	{ weight: 2, arbitrary: fc.constantFrom<NaiveEnd | undefined>("top", "bottom", undefined) },
	{ weight: 1, arbitrary: fc.record({ side: fc.constantFrom("before", "after"), index: fc.nat(60) }) },
);
const layoutMode = fc.option(fc.constantFrom<LayoutMode>("bullets", "todo", "h2", "quote-block"), { nil: undefined });
const completed = fc.option(fc.boolean(), { nil: undefined, freq: 1 });
const properties = fc.option(fc.nat(propertyChanges.length - 1), { nil: undefined, freq: 1 });
const note = fc.option(fc.constantFrom("note", "", "two\nlines"), { nil: null });
const existing: fc.Arbitrary<Pick> = fc.record({
	kind: fc.constant("node" as const),
	index: fc.nat(60),
	form: fc.constantFrom("id" as const, "id" as const, "upper case id" as const, "short id" as const),
});
const word: fc.Arbitrary<Pick> = fc.oneof(
	fc.record({ kind: fc.constant("key" as const), key: fc.constantFrom(...calendarWords) }),
	fc.record({ kind: fc.constant("shortcut" as const), key: fc.constantFrom(...shortcutKeys) }),
);
const unknown: fc.Arbitrary<Pick> = fc.record({
	kind: fc.constant("unknown" as const),
	text: fc.constantFrom("nowhere", "0123456789ab", unusedId, "Today"),
});
const node: fc.Arbitrary<Pick> = fc.oneof(
	{ weight: 12, arbitrary: existing },
	{ weight: 2, arbitrary: word },
	{ weight: 1, arbitrary: unknown },
);
const parent: fc.Arbitrary<Pick> = fc.oneof(
	{ weight: 10, arbitrary: existing },
	{ weight: 4, arbitrary: word },
	{ weight: 1, arbitrary: unknown },
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant("root" as const),
			form: fc.constantFrom("None" as const, "null" as const, "absent" as const),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant("node" as const),
			index: fc.nat(60),
			form: fc.constant("address" as const),
		}),
	},
);
const mirrorParent: fc.Arbitrary<Pick> = fc.record({
	kind: fc.constant("node" as const),
	index: fc.nat(60),
	form: fc.constantFrom("id" as const, "upper case id" as const),
});

/** A kind of step, with its share among all. Its fields that are undefined are as if they were absent. */
function steps(weight: number, type: fc.Arbitrary<Command["type"]>, fields: Record<string, fc.Arbitrary<unknown>>) {
	return { weight, arbitrary: fc.record({ type, ...fields }) as fc.Arbitrary<Command> };
}

const only = (type: Command["type"]) => fc.constant(type);
const newParent = fc.option(parent, { nil: undefined });
const shortcut = fc.constantFrom(...shortcutKeys);
const onOne = ["remove mirror", "delete", "complete", "uncomplete", "get", "list", "list"] as const;

/** A random step; most are changes. */
export const command: fc.Arbitrary<Command> = fc.oneof(
	steps(6, only("create"), { parent, name: fc.nat(names.length - 1), note, layoutMode, properties, completed, spot }),
	steps(3, only("update"), {
		node,
		name: fc.option(fc.nat(fragments.length - 1), { nil: undefined }),
		note: fc.option(note, { nil: undefined }),
		layoutMode,
		properties,
		completed,
	}),
	steps(7, only("move"), { node, parent: newParent, spot }),
	steps(2, only("duplicate"), { node, parent: newParent, spot }),
	steps(5, only("mirror"), { node, parent: mirrorParent, spot }),
	steps(6, fc.constantFrom(...onOne), { node }),
	steps(2, only("ensure"), { node: fc.oneof({ weight: 1, arbitrary: node }, { weight: 2, arbitrary: word }) }),
	steps(2, only("set shortcut"), { key: shortcut, node }),
	steps(1, only("delete shortcut"), { key: shortcut }),
	steps(1, only("targets"), {}),
	steps(1, only("prune"), { back: fc.nat(9) }),
	steps(1, only("wait"), { seconds: fc.constantFrom(1, 3600, 86_400, 700_000) }),
	steps(1, only("reopen"), {}),
);
