import { ask, Counter, type Operation, pause } from "../../engine/protocol.js";
import type { Document, Key, NodeRecord } from "../../storage.js";
import type { Delta, KeyDelta, KnownNode, NodeDelta } from "../delta.js";
import type { Conflict, RefusedEntry } from "../protocol.js";
import { fieldsOfRecord, recordOfFields } from "../record-fields.js";
import {
	baseKeysKey,
	baseNodePrefix,
	conflictPrefix,
	documentsWith,
	entryKey,
	entryPrefix,
	linesOf,
	padded,
	partDigits,
	type ReplicaConflict,
	refusedPrefix,
	shareOf,
} from "./journal.js";
import { storedLine } from "./line-text.js";
import { lineOf } from "./read-line.js";

/* What only an exchange reads and writes in the local storage. A page loads it with its first exchange. */

/** The most characters of a document of a refused entry: storages bound a document, and not an entry. */
const refusedLength = 4_194_304;

/** An entry of the journal. */
export interface Entry {
	readonly seq: number;
	/** The number of its documents. */
	readonly parts: number;
	readonly delta: Delta;
}

/** Returns a text between the keys of an entry and those of the next one. */
export function afterEntry(seq: number): string {
	return `${entryPrefix}${padded(seq)}~`;
}

/** Returns the key of the document of a refused entry. */
function refusedKey(seq: number): string {
	return refusedPrefix + padded(seq);
}

/** Returns the key of the document of a refused entry, from the id of its conflict. */
export function refusedKeyOf(id: string): string {
	return refusedKey(Number(id.slice("refused-".length)));
}

/** Returns the documents of an entry that no batch made. */
export function* deltaDocuments(seq: number, delta: Delta): Operation<Document[]> {
	const lines: NodeDelta[][] = [];
	for (const line of linesOf(delta.nodes, (node) => JSON.stringify(node).length)) {
		lines.push(line);
		yield* pause();
	}
	const documents: Document[] = [];
	const { keys: allKeys = [], known = {}, ...rest } = delta;
	const allKnown = Object.entries(known);
	for (const [part, nodes] of lines.entries()) {
		const keys = shareOf(allKeys, part, lines.length);
		const last = part === lines.length - 1 && rest;
		const line = { ...last, nodes, ...(keys.length > 0 && { keys }) };
		const value = storedLine(line, shareOf(allKnown, part, lines.length));
		documents.push({ key: entryKey(seq, part), value });
		yield* pause();
	}
	return documents;
}

/** Whether the entry with these lines joins an outline. */
export function isJoining(lines: readonly string[]): boolean {
	return (JSON.parse(lines.at(-1)!) as Delta).joins === true;
}

/** Reads the whole journal, the oldest entry first. */
export function* readEntries(): Operation<Entry[]> {
	const entries: Entry[] = [];
	let parts = 0;
	let nodes: NodeDelta[] = [];
	let keys: KeyDelta[] = [];
	let known: { [id: string]: KnownNode } | undefined;
	for (const document of yield* documentsWith(entryPrefix)) {
		const { seq, more, ...part } = lineOf(document);
		parts += 1;
		nodes = nodes.length === 0 ? [...(part.nodes ?? [])] : nodes.concat(part.nodes ?? []);
		if (part.keys !== undefined) keys = keys.concat(part.keys);
		if (part.known !== undefined) known = Object.assign(known ?? {}, part.known);
		yield* pause();
		if (more) continue;
		const others = { ...(keys.length > 0 && { keys }), ...(known !== undefined && { known }) };
		entries.push({ seq, parts, delta: { at: 0, ...part, nodes, ...others } });
		parts = 0;
		nodes = [];
		keys = [];
		known = undefined;
	}
	return entries;
}

/** The nodes and keys that the server has otherwise than taking back the journal would give; `null` for none. */
export interface Base {
	readonly nodes: Map<string, NodeRecord | null>;
	readonly keys: Map<string, Key | null>;
}

/** Reads the stored part of the base. */
export function* readBase(): Operation<Base> {
	const nodes = new Map<string, NodeRecord | null>();
	for (const { key, value } of yield* documentsWith(baseNodePrefix)) {
		const id = key.slice(baseNodePrefix.length);
		const fields = JSON.parse(value);
		nodes.set(id, fields === null ? null : recordOfFields(id, fields));
	}
	const [[keys]] = yield* ask({ type: "documents", prefix: baseKeysKey, limit: 1 });
	return { nodes, keys: new Map(keys === undefined ? [] : JSON.parse(keys.value)) };
}

/** Returns the documents of a base. */
export function* baseDocuments({ nodes, keys }: Base): Operation<Document[]> {
	const documents: Document[] = [];
	const counter = new Counter();
	for (const [id, record] of nodes) {
		if (counter.isDue()) yield* pause();
		documents.push({ key: baseNodePrefix + id, value: JSON.stringify(record && fieldsOfRecord(record)) });
	}
	if (keys.size > 0) documents.push({ key: baseKeysKey, value: JSON.stringify([...keys]) });
	return documents;
}

/** Reads the open conflicts. */
export function* readConflicts(): Operation<Conflict[]> {
	return (yield* documentsWith(conflictPrefix)).map(({ value }) => JSON.parse(value));
}

/** Returns the document of an open conflict. */
export function conflictDocument(conflict: Conflict): Document {
	return { key: conflictPrefix + conflict.id, value: JSON.stringify(conflict) };
}

/** Returns the documents of an entry that the server refused: the text of its conflict, in parts. */
export function refusedDocuments({ seq, code, message }: RefusedEntry, delta: Delta, device: string): Document[] {
	const conflict: ReplicaConflict = {
		id: `refused-${seq}`,
		kind: "refused",
		nodeId: delta.nodes[0]?.id ?? "",
		shown: { code, message },
		other: delta,
		at: delta.at,
		device,
	};
	const text = JSON.stringify(conflict);
	const documents: Document[] = [];
	for (let from = 0; from < text.length; ) {
		let to = from + refusedLength;
		// A storage can't keep one half of a character.
		if (/[\ud800-\udbff]/.test(text.charAt(to - 1))) to -= 1;
		const part = documents.length === 0 ? "" : `/${String(documents.length).padStart(partDigits, "0")}`;
		documents.push({ key: refusedKey(seq) + part, value: text.slice(from, to) });
		from = to;
	}
	return documents;
}
