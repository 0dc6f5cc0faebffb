import { freeFrom } from "./order.js";
import { byPlace } from "./siblings.js";
import type { NodeRecord, Subtree } from "./storage.js";
import { childrenIn } from "./subtree.js";

/** What makes a mirror a node of its own. */
export interface Detachment {
	/** How many nodes are copied. */
	readonly count: number;
	/** The records to be written, given as many new ids. */
	changes(ids: readonly string[]): { before: NodeRecord | null; after: NodeRecord }[];
}

/** A row that is copied. */
interface Copy {
	/** Whose content it has: the row itself, or the origin that it was a mirror of. */
	readonly content: NodeRecord;
	/** Whose children it has. */
	readonly childrenOf: readonly string[];
	readonly parent: Copy | null;
	readonly priority: number;
	/** The place of its id among the new ones; -1 for the mirror that is being detached. */
	readonly number: number;
	/** The id of what it is a mirror of: of a node that stays, or of one that goes, whose copy is meant then. */
	readonly originId: string | null;
}

/**
 * Makes a mirror of an origin that goes a node of its own, with a copy of the origin's content and of all below it. Each node
 * that goes is copied once: what mirrored another one of them within mirrors its copy, so that the copy has the same shape,
 * and no more nodes, however the mirrors lie within each other.
 *
 * @param mirror - the mirror, and what stands below it by itself
 * @param going - what goes
 */
export function copiesFor(mirror: Subtree, going: Subtree): Detachment {
	const { record } = mirror.nodes[0]!;
	const records = new Map(going.nodes.map((node) => [node.record.id, node.record]));
	const children = childrenIn(going);
	const origin = records.get(record.originId!)!;
	/** The nodes below the origin: they are copied in their own places, even if a mirror of one comes first. */
	const below = new Set([origin.id]);
	for (const id of below) for (const child of children.get(id) ?? []) below.add(child.id);
	const top: Copy = {
		content: origin,
		childrenOf: [origin.id],
		parent: null,
		priority: record.priority,
		number: -1,
		originId: null,
	};
	/** The copies by the ids of the nodes whose content they have. */
	const copies = new Map([[origin.id, top]]);
	const all: Copy[] = [];

	const add = (row: NodeRecord, parent: Copy, priority: number) => {
		const place = { parent, priority, number: all.length };
		const isMirror = row.originId !== null;
		const shown = row.originId === null ? row : records.get(row.originId);
		const own = isMirror ? [row.id] : [];
		if (shown === undefined || copies.has(shown.id) || (isMirror && below.has(shown.id))) {
			const originId = shown === undefined ? row.originId : shown.id;
			all.push({ ...place, content: row, childrenOf: own, originId });
			return;
		}
		const copy: Copy = { ...place, content: shown, childrenOf: [shown.id, ...own], originId: null };
		copies.set(shown.id, copy);
		all.push(copy);
	};
	const addChildren = (copy: Copy, taken: Set<number>) => {
		const rows = copy.childrenOf.flatMap((id) => children.get(id) ?? []).sort(byPlace);
		for (const row of rows) add(row, copy, freeFrom(row.priority, taken));
	};
	const kept = mirror.nodes.flatMap((node) => (node.record.parentId === record.id ? [node.record.priority] : []));
	addChildren(top, new Set(kept));
	// Grows while it is walked.
	for (const copy of all) addChildren(copy, new Set());

	return {
		count: all.length,
		changes(ids) {
			const idOf = ({ number }: Copy) => (number < 0 ? record.id : ids[number]!);
			const originIdOf = (id: string) => {
				const copy = copies.get(id);
				return copy === undefined ? id : idOf(copy);
			};
			const content = ({ name, note, layoutMode, modifiedAt, completedAt }: NodeRecord) => ({
				name,
				note,
				layoutMode,
				modifiedAt,
				completedAt,
			});
			return [
				{ before: record, after: { ...record, ...content(origin), originId: null } },
				...all.map((copy) => ({
					before: null,
					after: {
						...copy.content,
						id: idOf(copy),
						parentId: idOf(copy.parent!),
						priority: copy.priority,
						originId: copy.originId === null ? null : originIdOf(copy.originId),
						revision: 0,
					},
				})),
			];
		},
	};
}
