import type { Steps } from "../../../src/pace.js";
import { sorted } from "../../../src/pace.js";
import type { ChangedSince, NodeRecord, Tombstone } from "../../../src/storage.js";
import { NodesImage } from "../snapshot/nodes-image.js";
import type { NodeGraph } from "./node-graph.js";

interface Entry {
	readonly id: string;
	readonly revision: number;
}

/** The number of entries of a step. */
const stepSize = 1000;

/** Every record and tombstone by the revision of its last change, with outdated entries among them. */
export class ChangeLog {
	readonly #nodes: NodeGraph;
	readonly #deleted: ReadonlyMap<string, number>;
	/** Ordered by revision. */
	readonly #entries: Entry[];

	private constructor(nodes: NodeGraph, deleted: ReadonlyMap<string, number>, entries: Entry[]) {
		this.#nodes = nodes;
		this.#deleted = deleted;
		this.#entries = entries;
	}

	/**
	 * Makes a log of all nodes and tombstones. Later answers leave out the entries that are outdated by then.
	 */
	static *of(nodes: NodeGraph, deleted: ReadonlyMap<string, number>): Steps<ChangeLog> {
		const entries: Entry[] = [];
		for (const { id, revision } of new NodesImage(nodes.copy()).records()) {
			if (entries.push({ id, revision }) % stepSize === 0) yield;
		}
		for (const [id, revision] of deleted) if (entries.push({ id, revision }) % stepSize === 0) yield;
		return new ChangeLog(nodes, deleted, yield* sorted(entries, byRevision));
	}

	/** Whether so many entries are outdated that a new log is better. */
	get isStale(): boolean {
		return this.#entries.length > 2 * (this.#nodes.size + this.#deleted.size) + 1000;
	}

	/** Adds a change of the newest revision. */
	add(id: string, revision: number): void {
		this.#entries.push({ id, revision });
	}

	/** Answers a `changes` query at a revision. */
	*since(since: number, limit: number, current: number): Steps<ChangedSince> {
		const nodes: NodeRecord[] = [];
		const deleted: Tombstone[] = [];
		let revision = current;
		const start = this.#firstAfter(since);
		for (let at = start; at < this.#entries.length; at++) {
			if (at % stepSize === stepSize - 1) yield;
			const entry = this.#entries[at]!;
			const startsCommit = at > start && this.#entries[at - 1]!.revision !== entry.revision;
			if (startsCommit && nodes.length + deleted.length >= limit) {
				revision = this.#entries[at - 1]!.revision;
				break;
			}
			const record = this.#nodes.get(entry.id)?.record;
			if (record?.revision === entry.revision) nodes.push(record);
			else if (this.#deleted.get(entry.id) === entry.revision) deleted.push(entry);
		}
		return { nodes: yield* sorted(nodes, byRevision), deleted: yield* sorted(deleted, byRevision), revision };
	}

	#firstAfter(revision: number): number {
		let low = 0;
		for (let high = this.#entries.length; low < high; ) {
			const middle = (low + high) >> 1;
			if (this.#entries[middle]!.revision <= revision) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

function byRevision(left: Entry, right: Entry): number {
	return left.revision - right.revision || (left.id < right.id ? -1 : 1);
}
