import { OutlineError } from "../../errors.js";
import type { Steps } from "../../pace.js";
import { sorted } from "../../pace.js";
import { freeFrom } from "../../place/priority.js";
import { byPlace } from "../../siblings.js";
import type { NodeRecord, Subtree } from "../../storage.js";
import { childrenIn } from "../subtree.js";

/** The most nodes that one deletion copies. Each mirror gets copies of its own, so a few mirrors of a large tree make very many. */
const mostCopies = 100_000;

/** How many rows a step goes through. */
const stepSize = 500;

/** A row that is copied. */
interface Copy {
	/** The node whose content it has: the row itself, or the origin that it was a mirror of. */
	readonly content: NodeRecord;
	/** The nodes whose children it has. */
	readonly childrenOf: readonly string[];
	/** The place of its parent among the copies; -1 for the mirror that is being detached. */
	readonly parent: number;
	readonly priority: number;
	/** The id of the node that it is a mirror of: of one that stays, or of one that goes, whose copy is meant then. */
	readonly originId: string | null;
}

/** The copies that each mirror of an origin gets. */
interface Copies {
	/** Each after its parent. */
	readonly all: readonly Copy[];
	/** By the id of a node whose content is copied, the place of its copy; -1 for the origin. */
	readonly places: ReadonlyMap<string, number>;
}

/** Mirrors that become nodes of their own, and what they need for it. */
export class Detachment {
	readonly #records: ReadonlyMap<string, NodeRecord>;
	readonly #children: ReadonlyMap<string, readonly NodeRecord[]>;
	readonly #copies = new Map<string, Copies>();
	/** How many nodes would be made: at least so many, where it is more than are allowed. */
	#count = 0;

	/** @param going - what goes, and the children of each node of it */
	private constructor(going: Subtree, children: ReadonlyMap<string, readonly NodeRecord[]>) {
		this.#records = new Map(going.nodes.map((node) => [node.record.id, node.record]));
		this.#children = children;
	}

	/** @param mirrors - the mirrors outside of what goes, each with what stands below it by itself */
	static *of(mirrors: readonly Subtree[], going: Subtree): Steps<Detachment> {
		const detachment = new Detachment(going, yield* childrenIn(going));
		let different = 0;
		for (const { nodes } of mirrors) {
			const originId = nodes[0]!.record.originId!;
			let copies = detachment.#copies.get(originId);
			if (copies === undefined) {
				// The exact number would help no caller, and may take long to find out.
				if (different > mostCopies) break;
				copies = yield* detachment.#copiesOf(originId);
				detachment.#copies.set(originId, copies);
				different += copies.all.length;
			}
			detachment.#count += copies.all.length;
		}
		return detachment;
	}

	/** How many nodes would be made. Where more than are allowed have been found, it may be even more. */
	get count(): number {
		return this.#count;
	}

	/** @throws `too_large` if more nodes would be made than are allowed */
	assertAllowed(): void {
		if (this.#count <= mostCopies) return;
		throw new OutlineError(
			"too_large",
			`Detaching the mirrors would make ${this.#count} copies of nodes, and ${mostCopies} are allowed in one deletion. Use mirrors: "promote", or delete some of the mirrors first.`,
		);
	}

	/** How many new ids a mirror needs. */
	copiesFor(mirror: Subtree): number {
		return this.#copies.get(mirror.nodes[0]!.record.originId!)!.all.length;
	}

	/** The records that make a mirror a node of its own, given as many new ids as it needs. */
	*changes(
		mirror: Subtree,
		ids: readonly string[],
	): Generator<{ before: NodeRecord | null; after: NodeRecord }, void, undefined> {
		const { record } = mirror.nodes[0]!;
		const originId = record.originId!;
		const { all, places } = this.#copies.get(originId)!;
		const idAt = (place: number) => (place < 0 ? record.id : ids[place]!);
		const { name, note, layoutMode, modifiedAt, completedAt } = this.#records.get(originId)!;
		yield {
			before: record,
			after: { ...record, name, note, layoutMode, modifiedAt, completedAt, originId: null },
		};
		const taken = new Set(
			mirror.nodes.flatMap((node) => (node.record.parentId === record.id ? [node.record.priority] : [])),
		);
		for (const [number, copy] of all.entries()) {
			const place = copy.originId === null ? undefined : places.get(copy.originId);
			yield {
				before: null,
				after: {
					...copy.content,
					id: ids[number]!,
					parentId: idAt(copy.parent),
					priority: copy.parent < 0 ? freeFrom(copy.priority, taken) : copy.priority,
					originId: place === undefined ? copy.originId : idAt(place),
					revision: 0,
				},
			};
		}
	}

	/**
	 * The copies of all below an origin. Each node that goes is copied once: what mirrored another one of them within mirrors its
	 * copy, so that the copy has the same shape, and no more nodes, however the mirrors lie within each other.
	 */
	*#copiesOf(originId: string): Steps<Copies> {
		const children = this.#children;
		/** The nodes below the origin: they are copied in their own places, even if a mirror of one comes first. */
		const below = new Set([originId]);
		let seen = 0;
		for (const id of below) {
			if (++seen % stepSize === 0) yield;
			for (const child of children.get(id) ?? []) below.add(child.id);
		}
		const places = new Map([[originId, -1]]);
		const all: Copy[] = [];
		const add = (row: NodeRecord, parent: number, priority: number) => {
			const isMirror = row.originId !== null;
			const shown = row.originId === null ? row : this.#records.get(row.originId);
			const own = isMirror ? [row.id] : [];
			if (shown === undefined || places.has(shown.id) || (isMirror && below.has(shown.id))) {
				const shownId = shown === undefined ? row.originId : shown.id;
				all.push({ content: row, childrenOf: own, parent, priority, originId: shownId });
				return;
			}
			places.set(shown.id, all.length);
			all.push({ content: shown, childrenOf: [shown.id, ...own], parent, priority, originId: null });
		};
		for (let parent = -1; parent < all.length; parent++) {
			if (parent % stepSize === stepSize - 1) yield;
			const taken = new Set<number>();
			const childrenOf = parent < 0 ? [originId] : all[parent]!.childrenOf;
			const rows = yield* sorted(
				childrenOf.flatMap((id) => children.get(id) ?? []),
				byPlace,
			);
			for (const row of rows) {
				if (all.length % stepSize === stepSize - 1) yield;
				// At the top there may be others as well, which each mirror has of its own.
				add(row, parent, parent < 0 ? row.priority : freeFrom(row.priority, taken));
			}
		}
		return { all, places };
	}
}
