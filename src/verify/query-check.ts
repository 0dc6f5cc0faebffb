import { shortIdOf } from "../id.js";
import type { Query, StoredNode } from "../storage.js";
import { type AuditTable, none, recordPrint, surroundingsPrint } from "./audit-table.js";
import type { ChangedNodes } from "./changed-nodes.js";
import { nodeProblem, type Problem } from "./problem.js";
import { isPriority } from "./record-rules.js";

/** The most nodes, and the most parents, in one request. */
const nodesAtOnce = 256;
const parentsAtOnce = 16;

/** The number of nodes in a step. */
const nodesInStep = 1024;

/** The most children in one answer. */
const pageSize = 1000;

/** The most entries of the feed in one answer. */
const feedSize = 1000;

/** Checks that other queries return the same nodes as a scan. */
export class QueryCheck {
	readonly #table: AuditTable;
	readonly #changed: ChangedNodes;
	readonly #report: (problem: Problem) => void;

	/** @param table - the nodes of a scan */
	constructor(table: AuditTable, changed: ChangedNodes, report: (problem: Problem) => void) {
		this.#table = table;
		this.#changed = changed;
		this.#report = report;
	}

	/**
	 * Checks the origin and the mirrors that the scan returned with each node. Yields the number of checked
	 * nodes.
	 */
	*checkSurroundings(): Generator<number> {
		let done = 0;
		for (const number of this.#table.numbers()) {
			if (++done % nodesInStep === 0) yield done;
			if (this.#table.surroundingsOf(number) === this.#table.rightSurroundingsOf(number)) continue;
			this.#disagree(this.#table.ids.idOf(number), "A scan gives it an origin or mirrors that don't fit the records.");
		}
	}

	/** Checks every node by its id and by its short id. Yields the number of checked nodes. */
	async *checkNodes(): AsyncGenerator<number> {
		let done = 0;
		for (const numbers of chunks(this.#table.numbers(), nodesAtOnce)) {
			const ids = numbers.map((number) => this.#table.ids.idOf(number));
			const shortIds = ids.map(shortIdOf);
			const [related, taken] = await this.#changed.read({ type: "related", ids }, { type: "taken", shortIds });
			const found = new Map(related.map((node) => [node.record.id, node]));
			const held = new Set(taken);
			for (const [index, number] of numbers.entries()) {
				const id = ids[index]!;
				if (this.#isOutdated(number)) continue;
				if (!this.#isSame(number, found.get(id)))
					this.#disagree(id, "A query by its id and a scan give it differently.");
				if (!held.has(shortIds[index]!)) this.#disagree(id, "A query finds no node with its short id.");
			}
			done += numbers.length;
			yield done;
		}
	}

	/**
	 * Checks the children of every node, and each parent by its short id. Yields the number of checked nodes.
	 */
	async *checkChildren(): AsyncGenerator<number> {
		let done = 0;
		for (const numbers of this.#parents()) {
			const queries = numbers.map((number) => this.#childrenQuery(number));
			const shortIds = numbers.map((number) => ({
				shortId: number === none ? "" : shortIdOf(this.#table.ids.idOf(number)),
			}));
			const answers = await this.#changed.read(...queries, ...shortIds.map((at) => ({ type: "node", at }) as const));
			for (const [index, number] of numbers.entries()) {
				const check = this.#checkChildrenOf(number, answers[index] as readonly StoredNode[]);
				for await (const _ of check) yield done;
				const node = answers[numbers.length + index] as StoredNode | null;
				if (number !== none && !this.#isOutdated(number) && !this.#isHolder(number, node)) {
					this.#disagree(this.#table.ids.idOf(number), "A query by its short id and a scan give it differently.");
				}
				done += this.#table.childCountOf(number);
			}
			yield done;
		}
	}

	/** Checks that the whole feed has each node once. Yields the number of checked nodes. */
	async *checkFeed(): AsyncGenerator<number> {
		const told = new Uint8Array(this.#table.ids.length);
		let done = 0;
		for (let since = 0; ; ) {
			const [answer] = await this.#changed.read({ type: "changes", since, limit: feedSize });
			for (const record of answer.nodes) {
				if (++done % nodesInStep === 0) yield done;
				const number = this.#table.ids.find(record.id);
				if (this.#changed.has(record.id)) continue;
				if (!this.#table.isPresent(number))
					this.#disagree(record.id, "The changes since the beginning have it, and a scan doesn't.");
				else if (told[number] === 1) this.#disagree(record.id, "The changes since the beginning have it twice.");
				else if (this.#table.printOf(number) !== recordPrint(record)) {
					this.#disagree(record.id, "The changes since the beginning and a scan give it differently.");
				}
				if (number >= 0) told[number] = 1;
			}
			for (const { id } of answer.deleted) {
				if (this.#changed.has(id) || !this.#table.isPresent(this.#table.ids.find(id))) continue;
				this.#disagree(id, "The changes since the beginning have it as deleted, and a scan has it.");
			}
			yield done;
			// Later entries are changes since the scan, and other writers may add them faster than this loop reads.
			if (answer.revision >= this.#changed.since || answer.revision <= since) break;
			since = answer.revision;
		}
		for (const number of this.#table.numbers()) {
			// A node with an invalid revision may be missing, because of that revision.
			if (told[number] === 1 || this.#isOutdated(number) || !(this.#table.revisionOf(number) >= 1)) continue;
			this.#disagree(this.#table.ids.idOf(number), "The changes since the beginning lack it.");
		}
	}

	/** The existing parents and the top level, in groups with a page of children or a little more. */
	*#parents(): Generator<number[]> {
		let group: number[] = [];
		let children = 0;
		for (const number of this.#table.parents()) {
			if (number !== none && !this.#table.isPresent(number)) continue;
			group.push(number);
			children += Math.min(this.#table.childCountOf(number), pageSize);
			if (group.length < parentsAtOnce && children < pageSize) continue;
			yield group;
			group = [];
			children = 0;
		}
		if (group.length > 0) yield group;
	}

	#childrenQuery(number: number, after?: number): Extract<Query, { type: "children" }> {
		const of = number === none ? null : { id: this.#table.ids.idOf(number) };
		return { type: "children", of, scope: "own", limit: pageSize, ...(after !== undefined && { after }) };
	}

	/** Checks the children of a node. Yields between steps. */
	async *#checkChildrenOf(number: number, first: readonly StoredNode[]): AsyncGenerator<undefined, void> {
		const given = [...first];
		for (let page = first; page.length >= pageSize; given.push(...page)) {
			yield;
			const { priority } = page.at(-1)!.record;
			// If priorities are invalid, which another check reports, no order of the children is right.
			if (!isPriority(priority)) return;
			const [next] = await this.#changed.read(this.#childrenQuery(number, priority));
			page = next;
		}
		const ids = given.map(({ record }) => record.id).filter((id) => !this.#changed.has(id));
		const expected: string[] = [];
		let areRight = true;
		let last = Number.NaN;
		for (const child of yield* this.#table.childrenOf(number)) {
			const id = this.#table.ids.idOf(child);
			const priority = this.#table.priorityOf(child);
			if (!isPriority(priority) || priority === last) areRight = false;
			last = priority;
			if (!this.#changed.has(id) && expected.push(id) % nodesInStep === 0) yield;
		}
		if (areRight ? ids.join() === expected.join() : given.length >= pageSize || ids.length === expected.length) return;
		this.#disagree(
			number === none ? null : this.#table.ids.idOf(number),
			`A query and a scan give it different children, or another order of them (${ids.length} and ${expected.length}).`,
		);
	}

	/**
	 * Whether `node` is the node with a number, or another one with its short id, which another check reports.
	 */
	#isHolder(number: number, node: StoredNode | null): boolean {
		if (node !== null && node.record.id !== this.#table.ids.idOf(number)) {
			return this.#table.ids.shortIdOf(this.#table.ids.find(node.record.id)) === this.#table.ids.shortIdOf(number);
		}
		return this.#isSame(number, node ?? undefined);
	}

	#isSame(number: number, node: StoredNode | undefined): boolean {
		return (
			node !== undefined &&
			recordPrint(node.record) === this.#table.printOf(number) &&
			surroundingsPrint(node) === this.#table.rightSurroundingsOf(number)
		);
	}

	/** Whether the node or its origin has changed since the scan. */
	#isOutdated(number: number): boolean {
		if (this.#changed.none) return false;
		const origin = this.#table.originOf(number);
		return (
			this.#changed.has(this.#table.ids.idOf(number)) ||
			(origin !== none && this.#changed.has(this.#table.ids.idOf(origin)))
		);
	}

	#disagree(id: string | null, detail: string): void {
		this.#report(nodeProblem("disagreement", id, detail));
	}
}

function* chunks<T>(things: Iterable<T>, size: number): Generator<T[]> {
	let chunk: T[] = [];
	for (const thing of things) {
		chunk.push(thing);
		if (chunk.length < size) continue;
		yield chunk;
		chunk = [];
	}
	if (chunk.length > 0) yield chunk;
}
