import { addTo } from "../engine/lists.js";
import { type Steps, sorted } from "../pace.js";
import type { NodeRecord, StoredNode } from "../storage.js";
import { IdNumbers } from "./id-numbers.js";

/** The number of the top level as a parent, and of a missing origin. */
export const none = -1;

/**
 * The place and the fingerprints of each node of an outline, for the checks of the whole tree. A node takes
 * 70 bytes.
 */
export class AuditTable {
	readonly ids = new IdNumbers();
	#room = 1024;
	#parents = new Int32Array(this.#room);
	#origins = new Int32Array(this.#room);
	#priorities = new Float64Array(this.#room);
	#revisions = new Float64Array(this.#room);
	#prints = new Uint32Array(this.#room);
	#surroundings = new Uint32Array(this.#room);
	#present = new Uint8Array(this.#room);
	/** The index of each parent's first child in the list, created on first use. */
	#childrenStarts: Int32Array | undefined;
	#childrenList = new Int32Array(0);
	#mirrors: Map<number, number[]> | undefined;
	#size = 0;

	/** The number of nodes. */
	get size(): number {
		return this.#size;
	}

	/** Adds a node. Returns its number; `none` if the table has the node already. */
	add(node: StoredNode): number {
		const { id, parentId, originId, priority, revision } = node.record;
		const number = this.ids.numberOf(id);
		if (this.isPresent(number)) return none;
		const parent = parentId === null ? none : this.ids.numberOf(parentId);
		const origin = originId === null ? none : this.ids.numberOf(originId);
		if (this.ids.length > this.#room) this.#grow();
		this.#parents[number] = parent;
		this.#origins[number] = origin;
		this.#priorities[number] = numberOf(priority);
		this.#revisions[number] = revision;
		this.#prints[number] = recordPrint(node.record);
		this.#surroundings[number] = surroundingsPrint(node);
		this.#present[number] = 1;
		this.#size += 1;
		return number;
	}

	/** The numbers of all nodes. */
	*numbers(): Generator<number> {
		for (let number = 0; number < this.ids.length; number++) if (this.isPresent(number)) yield number;
	}

	/** Whether the table has the node with a number. Other numbers belong to missing parents and origins. */
	isPresent(number: number): boolean {
		return number >= 0 && this.#present[number] === 1;
	}

	/** The number of the parent, present or not; `none` at the top level. */
	parentOf(number: number): number {
		return this.#parents[number]!;
	}

	/** The number of the origin, present or not; `none` if the node is no mirror. */
	originOf(number: number): number {
		return this.#origins[number]!;
	}

	/** The number of the node whose content a node shows. */
	shownBy(number: number): number {
		const origin = this.originOf(number);
		return this.isPresent(origin) ? origin : number;
	}

	priorityOf(number: number): number {
		return this.#priorities[number]!;
	}

	revisionOf(number: number): number {
		return this.#revisions[number]!;
	}

	/** The fingerprint of the record. */
	printOf(number: number): number {
		return this.#prints[number]!;
	}

	/** The fingerprint of the origin and the mirrors that the storage returned with the record. */
	surroundingsOf(number: number): number {
		return this.#surroundings[number]!;
	}

	/** The fingerprint of the origin and the mirrors that the storage must return with the record. */
	rightSurroundingsOf(number: number): number {
		const origin = this.originOf(number);
		const mirrorIds = this.mirrorsOf(number).map((mirror) => this.ids.idOf(mirror));
		return surroundingsPrintOf(this.isPresent(origin) ? this.printOf(origin) : null, mirrorIds.sort());
	}

	/**
	 * The numbers of all parents, missing ones included, and `none` for the top level. The caller must have
	 * added all nodes.
	 */
	*parents(): Generator<number> {
		for (let number = none; number < this.ids.length; number++) {
			const [start, end] = this.#childrenSpan(number);
			if (end > start) yield number;
		}
	}

	/** The number of children of a node, or of the top level (`none`). The caller must have added all nodes. */
	childCountOf(parent: number): number {
		const [start, end] = this.#childrenSpan(parent);
		return end - start;
	}

	/**
	 * The children of a node, or of the top level (`none`), by priority and id. The caller must have added all
	 * nodes.
	 */
	childrenOf(parent: number): Steps<readonly number[]> {
		const children = Array.from(this.#childrenList.subarray(...this.#childrenSpan(parent)));
		return sorted(children, (left, right) => this.#compare(left, right));
	}

	/** The mirrors of a node. The caller must have added all nodes. */
	mirrorsOf(number: number): readonly number[] {
		this.#mirrors ??= this.#listMirrors();
		return this.#mirrors.get(number) ?? [];
	}

	#childrenSpan(parent: number): readonly [start: number, end: number] {
		this.#childrenStarts ??= this.#listChildren();
		return [this.#childrenStarts[parent + 1]!, this.#childrenStarts[parent + 2]!];
	}

	#compare(left: number, right: number): number {
		const order = comparePriorities(this.priorityOf(left), this.priorityOf(right));
		return order !== 0 ? order : this.ids.idOf(left) < this.ids.idOf(right) ? -1 : 1;
	}

	#listChildren(): Int32Array {
		const starts = new Int32Array(this.ids.length + 2);
		for (const number of this.numbers()) starts[this.parentOf(number) + 2]! += 1;
		for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
		const next = starts.slice();
		this.#childrenList = new Int32Array(this.#size);
		for (const number of this.numbers()) this.#childrenList[next[this.parentOf(number) + 1]!++] = number;
		return starts;
	}

	#listMirrors(): Map<number, number[]> {
		const mirrors = new Map<number, number[]>();
		for (const number of this.numbers()) {
			const origin = this.originOf(number);
			if (origin === none) continue;
			addTo(mirrors, origin, number);
		}
		return mirrors;
	}

	#grow(): void {
		while (this.#room < this.ids.length) this.#room *= 2;
		this.#parents = grown(this.#parents, new Int32Array(this.#room));
		this.#origins = grown(this.#origins, new Int32Array(this.#room));
		this.#priorities = grown(this.#priorities, new Float64Array(this.#room));
		this.#revisions = grown(this.#revisions, new Float64Array(this.#room));
		this.#prints = grown(this.#prints, new Uint32Array(this.#room));
		this.#surroundings = grown(this.#surroundings, new Uint32Array(this.#room));
		this.#present = grown(this.#present, new Uint8Array(this.#room));
	}
}

function grown<Column extends { set(column: Column): void }>(column: Column, larger: Column): Column {
	larger.set(column);
	return larger;
}

/** A 32-bit fingerprint of a record. Different records almost never have the same one. */
export function recordPrint(record: NodeRecord): number {
	const { id, parentId, priority, name, note, layoutMode, properties, originId, revision } = record;
	const times = [record.createdAt, record.modifiedAt, record.completedAt];
	const texts = [name, note, layoutMode, properties];
	return textPrint(JSON.stringify([id, parentId, priority, ...texts, ...times, originId, revision]));
}

/** A 32-bit fingerprint of the origin and the mirrors that a storage returns with a record. */
export function surroundingsPrint({ origin, mirrorIds }: StoredNode): number {
	return surroundingsPrintOf(origin && recordPrint(origin), mirrorIds);
}

/** Returns the {@link surroundingsPrint} for the {@link recordPrint} of the origin and the ids of the mirrors. */
function surroundingsPrintOf(origin: number | null, mirrorIds: readonly string[]): number {
	return textPrint(`${origin} ${mirrorIds.join()}`);
}

function textPrint(text: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	return hash >>> 0;
}

/**
 * Compares the values in the field `priority`, which needn't be numbers. Values that are no numbers come
 * last.
 */
export function comparePriorities(left: unknown, right: unknown): number {
	const [first, second] = [numberOf(left), numberOf(right)];
	return first === second ? 0 : first < second ? -1 : 1;
}

/** The value as a number; infinite if it is none. */
export function numberOf(value: unknown): number {
	return typeof value === "number" && !Number.isNaN(value) ? value : Number.POSITIVE_INFINITY;
}
