import type { Operation } from "../../engine/protocol.js";
import type { Document } from "../../storage.js";
import type { Delta } from "../delta.js";
import {
	type Base,
	baseDocuments,
	conflictDocument,
	deltaDocuments,
	type Entry,
	refusedDocuments,
} from "./exchange-documents.js";
import { conflictPrefix, documentsWith, entryKey } from "./journal.js";
import type { Pulled } from "./pulled.js";

/** The changes of the documents in the local storage. */
export interface DocumentChanges {
	readonly put: Document[];
	/** The keys of the deleted documents. */
	readonly dropped: string[];
}

/** The entries of a journal in a rebase. */
export interface RebasedEntries {
	/** The entries before the rebase. */
	readonly former: readonly Entry[];
	/** The entries that leave the journal. */
	readonly dropped: readonly Entry[];
	readonly added: readonly Entry[];
}

/**
 * Returns the changes of a replica's documents in a rebase.
 *
 * @param stored - the stored part of the base before it
 * @param shadow - the same after it
 */
export function* rebasedDocuments(
	{ former, dropped, added }: RebasedEntries,
	stored: Base,
	shadow: Base,
	pulled: Pulled,
): Operation<DocumentChanges> {
	const documents = yield* changedDocuments(shadow, stored, pulled);
	for (const { seq, delta } of added) documents.put.push(...(yield* deltaDocuments(seq, delta)));
	for (const { seq, parts } of dropped) {
		for (let part = 0; part < parts; part++) documents.dropped.push(entryKey(seq, part));
	}
	for (const refused of pulled.refused) {
		const entry = former.find(({ seq }) => seq === refused.seq);
		if (entry === undefined) continue;
		documents.put.push(...refusedDocuments(refused, refusedPart(entry.delta, refused.nodes), pulled.state.device));
	}
	return documents;
}

/** Returns the changes of the documents of the base and of the conflicts. */
function* changedDocuments(shadow: Base, stored: Base, pulled: Pulled): Operation<DocumentChanges> {
	const put: Document[] = [];
	const before = new Map<string, string>();
	for (const { key, value } of yield* baseDocuments(stored)) before.set(key, value);
	for (const document of yield* baseDocuments(shadow)) {
		if (before.get(document.key) !== document.value) put.push(document);
		before.delete(document.key);
	}
	const dropped = [...before.keys()];
	const open = new Set(pulled.conflicts.map(({ id }) => id));
	const known = new Map<string, string>();
	if (pulled.mode !== "changes" || open.size + pulled.closed.length > 0) {
		for (const { key, value } of yield* documentsWith(conflictPrefix)) known.set(key, value);
	}
	for (const conflict of pulled.conflicts) {
		const document = conflictDocument(conflict);
		if (known.get(document.key) !== document.value) put.push(document);
	}
	for (const key of known.keys()) {
		const id = key.slice(conflictPrefix.length);
		if (open.has(id)) continue;
		if (pulled.mode !== "changes" || pulled.closed.includes(id)) dropped.push(key);
	}
	return { put, dropped };
}

/** Returns what the server has refused of an entry: all of it, or some nodes with their keys. */
function refusedPart(delta: Delta, nodes: readonly string[] | undefined): Delta {
	if (nodes === undefined) return delta;
	const { joins: _, keys = [], ...rest } = delta;
	const ids = new Set(nodes);
	const ofThese = keys.filter(({ after }) => after !== null && ids.has(after));
	return { ...rest, nodes: rest.nodes.filter(({ id }) => ids.has(id)), keys: ofThese };
}
