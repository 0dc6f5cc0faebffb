import type { Operation } from "../../engine/protocol.js";
import type { Delta } from "../delta.js";
import type { Records } from "../record-fields.js";
import type { Entry } from "./exchange-documents.js";
import { changedFrom, creatableOn, foreignDelta, type Gaps, withEntries } from "./foreign-commits.js";
import type { Pulled } from "./pulled.js";
import { takenBack } from "./states.js";

/* The entries that a rebase adds to the journal, for what no commit of the replica's own outline has done. */

/** Returns an entry that no commit of the outline made; none if it changes nothing. */
export function entryOf(seq: number, delta: Delta): Entry[] {
	if (delta.nodes.length + (delta.keys?.length ?? 0) === 0) return [];
	return [{ seq, parts: 0, delta: { ...delta, joins: true } }];
}

/**
 * Returns the entries for all foreign commits; none if the server has all of it. One has the number of the last
 * foreign commit, because later entries may need its nodes. Entries between the first and the last foreign
 * commit may need nodes too. So if there are any, an entry with the number of the first one creates what it can.
 *
 * @param gaps - the revisions of the first and of the last foreign commit
 * @param remaining - the entries of the journal, which the server doesn't have yet
 */
export function* entriesOfForeign(
	{ first, last }: Gaps,
	remaining: readonly Entry[],
	local: Records,
	pulled: Pulled,
): Operation<Entry[]> {
	const earlier = remaining.filter(({ seq }) => seq < last);
	const later = remaining.slice(earlier.length);
	const back = yield* takenBack(later, (id) => local.nodes.get(id), { nodes: new Map(), keys: new Map() });
	const then: Records = {
		nodes: new Map([...local.nodes, ...back.nodes]),
		keys: new Map([...local.keys, ...back.keys]),
	};
	const { changed: there, state } = pulled;
	const at = state.at ?? 0;
	const here = yield* changedFrom(first);
	const between = earlier.filter(({ seq }) => seq > first);
	let created: Entry[] = [];
	if (between.length > 0) {
		const before = yield* withEntries(pulled, earlier.slice(0, -between.length));
		const own = between.flatMap(({ delta }) => delta.nodes.flatMap((node) => (node.before === null ? node.id : [])));
		const nodes = yield* creatableOn(before, then, here.nodes, new Set(own));
		const delta = yield* foreignDelta({ nodes, keys: new Set() }, there, before, then);
		created = entryOf(first, { at, ...delta });
	}
	const before = yield* withEntries(pulled, [...created, ...earlier]);
	return [...created, ...entryOf(last, { at, ...(yield* foreignDelta(here, there, before, then)) })];
}
