import { fieldIn, unescaped } from "../../engine/field-text.js";
import type { Document } from "../../storage.js";
import type { Delta, DeltaFields, KnownNode, NodeDelta } from "../delta.js";
import { deltaFields } from "./commit-delta.js";
import { seqOf } from "./journal.js";
import { same } from "./line-text.js";

/** A line of an entry. All lines but the last have `more`, and nodes alone. */
export type Line = Partial<Delta> & { readonly seq: number; readonly more?: true };

type Fields = DeltaFields & Pick<NodeDelta, "above" | "below"> & Partial<Pick<KnownNode, "key">>;

const names = [...deltaFields, "above", "below", "key"] as const satisfies readonly (keyof Fields)[];

/** Returns the line in a document of the journal. */
export function lineOf({ key, value }: Document): Line {
	return lineIn(seqOf(key), value);
}

/** Returns the line with a number that a text has, as `line-text.ts` describes it. Its JSON is the line to send. */
export function lineIn(seq: number, stored: string): Line {
	if (stored.startsWith("{")) return JSON.parse(stored);
	const [first, ...items] = stored.split("|");
	const [at, rare = "{}"] = first!.split("^");
	const nodes: NodeDelta[] = [];
	const known: { [id: string]: Fields } = {};
	let last: Fields = {};
	let parent: string | null | undefined;
	for (const item of items) {
		const [start, ...texts] = item.slice(1).split("^") as [string, ...string[]];
		const id = unescaped(start);
		const mark = item[0]!;
		const node = nodes.at(-1)!;
		if (mark === ".") {
			Object.assign(node, JSON.parse(id));
			continue;
		}
		const fields: { [name: string]: unknown } = {};
		for (const text of texts) {
			const name = names[Number.parseInt(text[0]!, 36)]!;
			const value = text.slice(1);
			fields[name] = value === same ? last[name] : fieldIn(value, name);
		}
		last = fields;
		if (mark === "+") nodes.push({ id, before: null, after: last });
		else if (mark === "-") nodes.push({ id, before: last, after: null });
		else if (mark === "/") {
			known[id || parent!] = last;
			parent = last.parentId;
		} else Object.assign(node, mark === "@" ? last : { [mark === ">" ? "after" : "rest"]: last });
	}
	const end = at ? { at: Number(at) } : { more: true as const };
	return { seq, ...end, nodes, ...(parent !== undefined && { known }), ...JSON.parse(unescaped(rare)) };
}
