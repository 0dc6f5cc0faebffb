import { OutlineError } from "../../errors.js";
import { type Steps, sorted } from "../../pace.js";
import { freeFrom } from "../../place/priority.js";
import { byPlace } from "../../siblings.js";
import type { NodeRecord, Subtree } from "../../storage.js";
import { childrenIn } from "../subtree.js";

/** The most nodes that one deletion copies. There may be very many, because each mirror gets its copies. */
const mostCopies = 100_000;

/** The number of records in a step. */
const stepSize = 500;

/** A copy of a record. */
interface Copy {
	/** The record whose content it has: the copied record, or the origin of a copied mirror. */
	readonly content: NodeRecord;
	/** The ids of the nodes whose children it has. */
	readonly childrenOf: readonly string[];
	/** The index of its parent among the copies; -1 for the detached mirror. */
	readonly parent: number;
	readonly priority: number;
	/** If it is a mirror: the id of its origin. If that node is deleted, the copy of it becomes the origin. */
	readonly originId: string | null;
}

/** The copies for each mirror of an origin. */
interface Copies {
	/** The copies, each after its parent. */
	readonly all: readonly Copy[];
	/** The index of the copy of a node's content, by the node's id; -1 for the origin. */
	readonly indexes: ReadonlyMap<string, number>;
}

/** The copies that make mirrors plain nodes. */
export class Detachment {
	/** The number of copies. If it is more than allowed, there may be even more. */
	count = 0;
	readonly #records: ReadonlyMap<string, NodeRecord>;
	readonly #children: ReadonlyMap<string, readonly NodeRecord[]>;
	readonly #copies = new Map<string, Copies>();

	/**
	 * @param going - the deleted nodes
	 * @param children - the children of each of them
	 */
	private constructor(going: Subtree, children: ReadonlyMap<string, readonly NodeRecord[]>) {
		this.#records = new Map(going.nodes.map((node) => [node.record.id, node.record]));
		this.#children = children;
	}

	/** @param mirrors - the mirrors outside of the deleted nodes, each with the nodes below it */
	static *of(mirrors: readonly Subtree[], going: Subtree): Steps<Detachment> {
		const detachment = new Detachment(going, yield* childrenIn(going));
		let different = 0;
		for (const { nodes } of mirrors) {
			const originId = nodes[0]!.record.originId!;
			let copies = detachment.#copies.get(originId);
			if (copies === undefined) {
				// The exact number would help no caller, and could take long to compute.
				if (different > mostCopies) break;
				copies = yield* detachment.#copiesOf(originId);
				detachment.#copies.set(originId, copies);
				different += copies.all.length;
			}
			detachment.count += copies.all.length;
		}
		return detachment;
	}

	/** @throws `too_large` if there are more copies than allowed */
	assertAllowed(): void {
		if (this.count <= mostCopies) return;
		throw new OutlineError(
			"too_large",
			`To detach the mirrors would make ${this.count} copies of nodes, and one deletion may make ${mostCopies}. Use mirrors: "promote", or delete some of the mirrors first.`,
		);
	}

	/** Returns the number of new ids for a mirror. */
	copiesFor(mirror: Subtree): number {
		return this.#copies.get(mirror.nodes[0]!.record.originId!)!.all.length;
	}

	/**
	 * Yields the changes that make a mirror a plain node: first its own, then its copies, each with the id of the
	 * node whose content it has.
	 *
	 * @param ids - as many as {@link copiesFor} returns
	 */
	*changes(
		mirror: Subtree,
		ids: readonly string[],
	): Generator<{ before: NodeRecord; after: NodeRecord } | { copied: string; after: NodeRecord }, void, undefined> {
		const { record } = mirror.nodes[0]!;
		const originId = record.originId!;
		const { all, indexes } = this.#copies.get(originId)!;
		const idAt = (index: number) => (index < 0 ? record.id : ids[index]!);
		const { name, note, layoutMode, properties, modifiedAt, completedAt } = this.#records.get(originId)!;
		yield {
			before: record,
			after: { ...record, name, note, layoutMode, properties, modifiedAt, completedAt, originId: null },
		};
		const taken = new Set(
			mirror.nodes.flatMap((node) => (node.record.parentId === record.id ? [node.record.priority] : [])),
		);
		for (const [index, copy] of all.entries()) {
			const origin = copy.originId === null ? undefined : indexes.get(copy.originId);
			yield {
				copied: copy.content.id,
				after: {
					...copy.content,
					id: ids[index]!,
					parentId: idAt(copy.parent),
					priority: copy.parent < 0 ? freeFrom(copy.priority, taken) : copy.priority,
					originId: origin === undefined ? copy.originId : idAt(origin),
					revision: 0,
				},
			};
		}
	}

	/** Returns the copies of all nodes below an origin. */
	*#copiesOf(originId: string): Steps<Copies> {
		const copies = new CopyList(originId, yield* this.#idsBelow(originId), this.#records);
		for (let parent = -1; parent < copies.all.length; parent++) {
			if (parent % stepSize === stepSize - 1) yield;
			const taken = new Set<number>();
			const childrenOf = parent < 0 ? [originId] : copies.all[parent]!.childrenOf;
			const records = yield* sorted(
				childrenOf.flatMap((id) => this.#children.get(id) ?? []),
				byPlace,
			);
			for (const record of records) {
				if (copies.all.length % stepSize === stepSize - 1) yield;
				// At the top, each mirror may have other children of its own. So `changes` looks for free priorities.
				copies.add(record, parent, parent < 0 ? record.priority : freeFrom(record.priority, taken));
			}
		}
		return copies;
	}

	/** Returns the ids of an origin and of all nodes below it. */
	*#idsBelow(originId: string): Steps<ReadonlySet<string>> {
		const ids = new Set([originId]);
		let seen = 0;
		// Grows during the loop.
		for (const id of ids) {
			if (++seen % stepSize === 0) yield;
			for (const child of this.#children.get(id) ?? []) ids.add(child.id);
		}
		return ids;
	}
}

/**
 * Collects the copies of the nodes below an origin. It copies the content of each deleted node once: a second
 * mirror of the same node becomes a mirror of its copy. So the copies have the structure of the originals,
 * and are no more, even if mirrors contain each other.
 */
class CopyList implements Copies {
	readonly all: Copy[] = [];
	readonly indexes: Map<string, number>;
	/** The ids of the nodes below the origin. Each is copied at its position, even after a mirror of it. */
	readonly #below: ReadonlySet<string>;
	readonly #records: ReadonlyMap<string, NodeRecord>;

	constructor(originId: string, below: ReadonlySet<string>, records: ReadonlyMap<string, NodeRecord>) {
		this.indexes = new Map([[originId, -1]]);
		this.#below = below;
		this.#records = records;
	}

	/** Adds the copy of a record: with the content that it shows, or as a mirror. */
	add(record: NodeRecord, parent: number, priority: number): void {
		const isMirror = record.originId !== null;
		const shownId = record.originId ?? record.id;
		const shown = this.#records.get(shownId);
		const own = isMirror ? [record.id] : [];
		if (shown === undefined || this.indexes.has(shownId) || (isMirror && this.#below.has(shownId))) {
			this.all.push({ content: record, childrenOf: own, parent, priority, originId: shownId });
			return;
		}
		this.indexes.set(shownId, this.all.length);
		this.all.push({ content: shown, childrenOf: [shownId, ...own], parent, priority, originId: null });
	}
}
