import { ask, type Operation, pause } from "../../engine/protocol.js";
import { randomId } from "../../id.js";
import { differs, sizeOfRecord } from "../../node.js";
import type { Batch, Document, NodeChange } from "../../storage.js";
import type { ConflictKind, NodeDelta } from "../delta.js";
import { type Conflict, lineLength } from "../protocol.js";
import { keyDeltaOf, nodeDeltaOf, noSurroundings, type Surroundings } from "./commit-delta.js";
import { storedLine } from "./line-text.js";

/*
 * Documents of the local storage hold all that a replica knows:
 *
 * - `replica/state`: {@link ReplicaState}.
 * - `replica/entry/<seq>/<part>`: the journal. An entry has the changes of one commit that the server hasn't
 *   acknowledged. Its number is the local revision of the commit. The value is a line, in the form of `line-text.ts`.
 * - `replica/base/n/<id>`, `replica/base/k`: nodes and keys as the server has them, where taking back the
 *   entries doesn't lead there. Only a rebase writes them.
 * - `replica/conflict/<id>`: the open conflicts of the outline.
 * - `replica/refused/<seq>`, `replica/refused/<seq>/<part>`: the entries that the server refused.
 */
export const replicaPrefix = "replica/";
export const stateKey = `${replicaPrefix}state`;
export const entryPrefix = `${replicaPrefix}entry/`;
export const baseNodePrefix = `${replicaPrefix}base/n/`;
export const baseKeysKey = `${replicaPrefix}base/k`;
export const conflictPrefix = `${replicaPrefix}conflict/`;
export const refusedPrefix = `${replicaPrefix}refused/`;

/** The digits of the number of an entry, and of one of its parts. */
const digits = 16;
export const partDigits = 4;
const firstEnd = `/${"0".repeat(partDigits)}`;
/** The beginning of an entry's key, by the digits of its number. To pad each number takes twice as long. */
const entryStarts = Array.from({ length: digits + 1 }, (_, length) => entryPrefix + "0".repeat(digits - length));

/** The documents of the first query, the most of a later one, and about the most characters of all of its texts. */
export const firstDocuments = 4;
const documentsAtOnce = 200;
const lengthAtOnce = 262_144;

/** The approximate length of a node in a line, without its texts. */
const deltaLength = 400;

/** The place of a replica in its exchange with the server. */
export interface ReplicaState {
	/** The id of this device, drawn at the first exchange. */
	readonly device: string;
	/** The identity of the outline; `null` if the server had none yet. Absent before the first joining. */
	readonly outline?: string | null;
	/** The server's revision that the local state includes. */
	readonly since: number;
	/** The mark of the server's history up to that revision; absent if the server sent none. */
	readonly mark?: string;
	/** The number of the last acknowledged entry, and the digest of the journal up to there. */
	readonly last: number;
	readonly digest: string;
	/**
	 * The local revision of the last exchange that changed anything, or of the first commit. Every later commit of
	 * the replica that changes the outline has an entry. Earlier releases don't store it.
	 */
	readonly revision?: number;
	/** The time of the last exchange that changed anything, in Unix seconds. */
	readonly at?: number;
}

/** Returns the key of a document of an entry, by default of the first. */
export function entryKey(seq: number, part = 0): string {
	const number = String(seq);
	const start = entryStarts[number.length]! + number;
	return part === 0 ? start + firstEnd : `${start}/${String(part).padStart(partDigits, "0")}`;
}

/** Whether a key is that of the first document of an entry. */
export function beginsEntry(key: string): boolean {
	return key.endsWith(firstEnd);
}

/** Returns the number of the entry that a document belongs to. */
export function seqOf(key: string): number {
	return Number(key.slice(entryPrefix.length, entryPrefix.length + digits));
}

/** Returns a number as text, so that the order of the texts is that of the numbers. */
export function padded(seq: number): string {
	return String(seq).padStart(digits, "0");
}

/**
 * A document with a line of an entry: some changes of a commit, and what its entry needs beside them. Computes its
 * text at the first read, and drops the changes then. It is one small object, because many may be pending. The
 * value is a property of the object itself, because storages may copy and clone documents.
 */
class LineDocument implements Document {
	/** One for all objects: an accessor for each would take five times as long. */
	static readonly #valueProperty = {
		enumerable: true,
		get(this: LineDocument): string {
			if (typeof this.#line === "string") return this.#line;
			const text = this.#textOf(this.#line);
			this.#line = text;
			this.#surroundings = noSurroundings;
			this.#hints = undefined;
			return text;
		},
	};
	readonly key: string;
	declare readonly value: string;
	#line: readonly NodeChange[] | NodeChange | string;
	readonly #at: number | undefined;
	#surroundings: Surroundings;
	#hints: Batch["hints"];
	readonly #keys: Batch["keys"];

	/** @param at - the time of the commit; undefined if another line of the entry follows */
	constructor(
		key: string,
		changes: readonly NodeChange[] | NodeChange,
		at: number | undefined,
		surroundings: Surroundings,
		hints: Batch["hints"],
		keys: Batch["keys"],
	) {
		this.key = key;
		this.#line = changes;
		this.#at = at;
		this.#surroundings = surroundings;
		this.#hints = hints;
		this.#keys = keys;
		Object.defineProperty(this, "value", LineDocument.#valueProperty);
	}

	#textOf(changes: readonly NodeChange[] | NodeChange): string {
		const surroundings = this.#surroundings;
		const nodes: NodeDelta[] = [];
		for (const change of "after" in changes ? [changes] : changes) {
			if (differs(change.before, change.after)) nodes.push(nodeDeltaOf(change, surroundings, this.#hints));
		}
		const at = this.#at !== undefined && { at: this.#at };
		const keys = this.#keys.length > 0 && { keys: this.#keys.map(keyDeltaOf) };
		return storedLine({ ...at, nodes, ...keys }, surroundings.known());
	}
}

/** Returns the documents of the entry for a batch. */
export function entryDocuments(
	{ base, nodes, keys, hints }: Batch,
	surroundings: Surroundings,
	at: number,
): Document[] {
	const seq = base + 1;
	// Almost every commit is one line.
	if (nodes.length === 1) return [new LineDocument(entryKey(seq), nodes[0]!, at, surroundings, hints, keys)];
	const lines = [...linesOf(nodes, sizeOfChange)];
	const known = surroundings.known();
	return lines.map((line, part) => {
		const lastAt = part < lines.length - 1 ? undefined : at;
		const share = shareOf(known, part, lines.length);
		const around: Surroundings = { anchors: (id) => surroundings.anchors(id), known: () => share };
		return new LineDocument(entryKey(seq, part), line, lastAt, around, hints, shareOf(keys, part, lines.length));
	});
}

/** Returns the part of a list for one of several lines. A server refuses an entry with too much in one line. */
export function shareOf<T>(list: readonly T[], part: number, parts: number): readonly T[] {
	const start = (at: number) => Math.floor((list.length * at) / parts);
	return list.slice(start(part), start(part + 1));
}

/** Divides the nodes of an entry into those of its lines. */
export function* linesOf<T>(nodes: readonly T[], sizeOf: (node: T) => number): Generator<T[], void, undefined> {
	let line: T[] = [];
	let length = 0;
	for (const node of nodes) {
		const size = sizeOf(node);
		if (length > 0 && length + size > lineLength) {
			yield line;
			line = [];
			length = 0;
		}
		line.push(node);
		length += size;
	}
	yield line;
}

function sizeOfChange({ before, after }: NodeChange): number {
	return deltaLength + (before === null ? 0 : sizeOfRecord(before)) + (after === null ? 0 : sizeOfRecord(after));
}

/** Returns the limit of the query that follows one with a full answer: its texts have about `lengthAtOnce` characters. */
export function limitAfter(page: readonly Document[]): number {
	const length = page.reduce((sum, { value }) => sum + value.length, 1);
	return Math.min(documentsAtOnce, Math.ceil((lengthAtOnce * page.length) / length));
}

/** Reads all documents with a prefix. */
export function* documentsWith(prefix: string): Operation<Document[]> {
	const found: Document[] = [];
	let limit = firstDocuments;
	for (;;) {
		const after = found.at(-1)?.key;
		const [page] = yield* ask({ type: "documents", prefix, limit, ...(after !== undefined && { after }) } as const);
		found.push(...page);
		if (page.length < limit) return found;
		limit = limitAfter(page);
		yield* pause();
	}
}

/** Returns the state of a new device. The commit of a local revision stores it. */
export function newState(revision: number): ReplicaState {
	return { device: randomId(), since: 0, last: 0, digest: "", revision };
}

/** Reads the state; undefined before the first commit and the first exchange. */
export function* readState(): Operation<ReplicaState | undefined> {
	const [[document]] = yield* ask({ type: "documents", prefix: stateKey, limit: 1 });
	return document === undefined ? undefined : JSON.parse(document.value);
}

/** Returns the document of a state. */
export function stateDocument(state: ReplicaState): Document {
	return { key: stateKey, value: JSON.stringify(state) };
}

/** Something that gave way to another change, and that a user may want back. */
export interface ReplicaConflict extends Omit<Conflict, "kind"> {
	/**
	 * The kind. `refused` is a commit that the server refused for good: `shown` has its `code` and `message`, and
	 * `other` the changes.
	 */
	readonly kind: ConflictKind | "refused";
}

/** Whether a document continues the one before it, of the same refused entry. */
export function isPartOfRefused({ key }: Document): boolean {
	return key.startsWith(refusedPrefix) && key.length > refusedPrefix.length + digits;
}
