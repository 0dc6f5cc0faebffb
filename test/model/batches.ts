import fc from "fast-check";
import type { BatchOperation, BatchReference } from "../../src/operations/batch.js";
import { unusedId } from "../support/ids.js";

/** The node that is meant: one from before the batch, one that the batch has named, or the node of a key. */
type Pick = { kind: "there"; index: number } | { kind: "named"; index: number } | { kind: "key"; key: string };

/** An operation whose references are still picks. */
export interface Draft {
	type: BatchOperation["type"];
	ref: Pick;
	parent: Pick | "root" | "absent";
	position: "top" | "bottom" | "absent" | { side: "before" | "after"; sibling: Pick };
	text: number;
}

export const keys = ["inbox", "today", "2026-12-24", "2026", "home", "work"];
const texts = ["plain", "**bold**", "# Title", "- [x] done", "a\n\nb\n- c", ""];

const pick: fc.Arbitrary<Pick> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant("there"), index: fc.nat(40) }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant("named"), index: fc.nat(6) }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("key"), key: fc.constantFrom(...keys) }) },
);
/** An operation at random. */
export const draft: fc.Arbitrary<Draft> = fc.record({
	type: fc.oneof(
		{ weight: 5, arbitrary: fc.constantFrom("create", "createTree") },
		{ weight: 8, arbitrary: fc.constantFrom("move", "move", "mirror", "duplicate") },
		{ weight: 3, arbitrary: fc.constantFrom("update", "complete", "uncomplete", "ensure", "setShortcut") },
		{ weight: 3, arbitrary: fc.constantFrom("delete", "removeMirror", "deleteShortcut") },
	) as fc.Arbitrary<Draft["type"]>,
	ref: pick,
	parent: fc.oneof({ weight: 4, arbitrary: pick }, { weight: 1, arbitrary: fc.constantFrom("root", "absent") }),
	position: fc.oneof(
		fc.constantFrom("top", "bottom", "absent"),
		fc.record({ side: fc.constantFrom("before", "after"), sibling: pick }),
	) as fc.Arbitrary<Draft["position"]>,
	text: fc.nat(texts.length - 1),
});

/** Returns the operations of some drafts. An operation that creates a node names it by its own index. */
export function operationsOf(drafts: readonly Draft[], there: readonly string[]): BatchOperation[] {
	const named: string[] = [];
	return drafts.map(({ type, ref, parent, position, text }, place) => {
		const reference = (which: Pick): BatchReference => {
			if (which.kind === "key") return which.key;
			if (which.kind === "named" && named.length > 0) return { as: named[which.index % named.length]! };
			return there[which.index % there.length] ?? unusedId;
		};
		const beside = (at: Exclude<Draft["position"], string>) =>
			at.side === "before" ? { before: reference(at.sibling) } : { after: reference(at.sibling) };
		const at = {
			...(parent !== "absent" && { parent: parent === "root" ? null : reference(parent) }),
			...(position !== "absent" && { position: typeof position === "string" ? position : beside(position) }),
		};
		const as = `node ${place}`;
		const name = texts[text]!;
		const made = (operation: object) => {
			named.push(as);
			return { ...operation, as } as BatchOperation;
		};
		switch (type) {
			case "create":
				return made({ type, name, note: "note", properties: { text }, completed: text % 2 === 0, ...at });
			case "createTree":
				return made({
					type,
					name,
					...at,
					children: [
						{ name: "x", completed: true, properties: { of: "x" } },
						{ name, children: [{ name: "y" }] },
					],
				});
			case "mirror":
				// A batch checks all arguments before it begins, so here they are all well-formed.
				return made({
					type,
					ref: reference(ref),
					...at,
					parent: typeof parent === "string" || parent.kind === "key" ? unusedId : reference(parent),
				});
			case "move":
				return { type, ref: reference(ref), ...at };
			case "duplicate":
				return made({ type, ref: reference(ref), ...at });
			case "update": {
				const properties = { text: text % 2 === 0 ? null : "odd", updated: true };
				return { type, ref: reference(ref), name, layoutMode: "quote-block", properties, completed: text % 2 === 0 };
			}
			case "ensure":
				return made({ type, ref: reference(ref) });
			case "setShortcut":
				return { type, key: keys[4 + (text % 2)]!, ref: reference(ref) };
			case "deleteShortcut":
				return { type, key: keys[4 + (text % 2)]! };
			default:
				return { type, ref: reference(ref) } as BatchOperation;
		}
	});
}
