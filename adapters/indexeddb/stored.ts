import { OutlineError, quoted } from "../../src/errors.js";
import type { Delta } from "../resident/delta.js";
import { presentPart, type ReceiptLists } from "../resident/earlier-version.js";
import type { IndexPart } from "../resident/index/record-index.js";
import { type Block, contentOf } from "../resident/snapshot-block.js";
import { isCount, isDelta, isPart } from "../resident/validity.js";

/*
 * An outline is a database with three object stores:
 *
 *   journal   a record for each commit, with its revision as key
 *   blocks    the newest snapshot, in blocks with the keys 0, 1, 2, …
 *   meta      one record with the key 0 that describes the rest
 *
 * A snapshot deletes the journal up to the snapshot before it. So the journal reaches back to the second
 * newest snapshot. A tab that is a little behind needn't read everything, and a tab that lost the answer to a
 * commit finds the commit there. The journal is never empty after the first commit: its last record says
 * which revision is current. In the deleted part, up to `cut`, a tab that is far behind may briefly put a
 * record that doesn't count.
 *
 * Version 1 had receipts in place of documents. An upgrade changes only the version, so that tabs of an earlier
 * release don't open the database any more. The content is converted when it is read.
 */

/** The version of the database, which defines its object stores. */
export const databaseVersion = 2;

/** The version of their content. This code refuses to read newer ones. */
export const formatVersion = 2;

/** The names of the object stores. */
export const stores = { journal: "journal", blocks: "blocks", meta: "meta" } as const;

/** The key of the meta record. */
export const metaKey = 0;

/** The meta record. */
export interface Meta {
	readonly format: "outlinekit";
	readonly version: number;
	/**
	 * Random, drawn when the database was created. A database that was deleted and created again has another
	 * id.
	 */
	readonly id: string;
	/** The revision of the snapshot; 0 if there is none. */
	readonly revision: number;
	/** The number of its blocks. */
	readonly blocks: number;
	/** The revision up to which the journal has been deleted. */
	readonly cut: number;
	/** The revision up to which the snapshot has no tombstones. */
	readonly horizon: number;
}

/** A record of the journal: the changes of one commit. */
export type JournalRecord = Delta & {
	/** The random name of the flush, so that a tab that lost the answer recognizes its records. */
	readonly by: string;
};

/** Returns the meta record of a new database. */
export function newMeta(): Meta {
	return { format: "outlinekit", version: formatVersion, id: randomName(), revision: 0, blocks: 0, cut: 0, horizon: 0 };
}

/**
 * Checks a meta record.
 *
 * @throws `storage_unavailable` for a newer format, `storage_corrupt` for an invalid record
 */
export function metaContent(value: unknown, outline: string): Meta {
	const meta = (value ?? {}) as Partial<Meta>;
	if (meta.format === "outlinekit" && isCount(meta.version) && meta.version > formatVersion) {
		throw new OutlineError(
			"storage_unavailable",
			`The outline ${quoted(outline)} is in version ${meta.version} of the format, and this release reads version ${formatVersion}. It was left as it is; reload the page, or install a newer outlinekit.`,
		);
	}
	// The first release didn't write `cut`. It is never higher than the snapshot's revision.
	const { format, version, id, revision, blocks, cut = revision, horizon = 0 } = meta;
	const counted = [version, revision, blocks, cut, horizon].every(isCount);
	if (format === "outlinekit" && typeof id === "string" && counted) {
		return { format, version, id, revision, blocks, cut, horizon } as Meta;
	}
	throw notAnOutline(outline);
}

/** Checks a block and returns its content. @throws `storage_corrupt` */
export function blockContent(value: unknown, outline: string): IndexPart {
	try {
		const { receipts } = value as ReceiptLists;
		const content = { ...contentOf(value as Block), ...(receipts && { receipts }) };
		if (isPart(content)) return presentPart(content);
	} catch {
		// The value hasn't even the lists of a block.
	}
	throw damaged(outline, "A block of the snapshot is no block");
}

/** Checks a record of the journal. @throws `storage_corrupt` */
export function journalContent(value: unknown, outline: string): JournalRecord {
	if (isDelta(value) && typeof (value as Partial<JournalRecord>).by === "string") return value as JournalRecord;
	throw damaged(outline, "A record of the journal is none");
}

/** Returns the error for invalid stored content. */
export function damaged(outline: string, what: string): OutlineError {
	return new OutlineError(
		"storage_corrupt",
		`The outline ${quoted(outline)} is damaged: ${what}. It was left as it is; restore it from a copy.`,
	);
}

/** Returns the error for a database of another program. */
export function notAnOutline(outline: string): OutlineError {
	return new OutlineError(
		"storage_corrupt",
		`The database under the name of the outline ${quoted(outline)} holds no outline. It was left as it is; choose another name.`,
	);
}

/** Returns a unique random name. */
export function randomName(): string {
	// `randomUUID` exists only in pages that were loaded over an encrypted connection.
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
