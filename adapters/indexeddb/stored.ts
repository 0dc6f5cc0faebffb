import { OutlineError, quoted } from "../../src/errors.js";
import type { Delta } from "../resident/delta.js";
import type { IndexPart } from "../resident/index/record-index.js";
import { type Block, contentOf } from "../resident/snapshot/block.js";
import { isCount, isDelta, isPart } from "../resident/validity.js";

/*
 * An outline is a database with three object stores:
 *
 *   journal   a record for each commit, under its revision
 *   blocks    the newest snapshot, in blocks under 0, 1, 2, …
 *   meta      under 0, what all of it is
 *
 * A snapshot deletes the journal up to the snapshot before it. So the journal goes back behind the newest snapshot by all
 * that came between the two: a tab that is a little behind needn't read everything, and who lost the answer to a commit
 * finds it there. It is never empty after the first commit: its last record says which revision is current. Where it has been
 * deleted, up to `cut`, a tab that was left far behind may for a moment put a record that counts for nobody.
 */

/** The version of the database: which object stores there are. */
export const databaseVersion = 1;

/** The version of what is in them; this code reads no newer one. */
const formatVersion = 1;

/** The names of the object stores. */
export const stores = { journal: "journal", blocks: "blocks", meta: "meta" } as const;

/** Where the meta record is. */
export const metaKey = 0;

/** What the outline is. */
export interface Meta {
	readonly format: "outlinekit";
	readonly version: number;
	/** Drawn when the database was created: one that was deleted and made anew is another one. */
	readonly id: string;
	/** The revision of the snapshot; 0 if there is none. */
	readonly revision: number;
	/** How many blocks it has. */
	readonly blocks: number;
	/** The revision up to which the journal has been deleted. */
	readonly cut: number;
}

/** A record of the journal: what one commit changed. */
export type JournalRecord = Delta & {
	/** Says which write it came with: drawn for each, so that a writer who lost the answer knows it again. */
	readonly by: string;
};

/** The meta record of a new database. */
export function newMeta(): Meta {
	return { format: "outlinekit", version: formatVersion, id: randomName(), revision: 0, blocks: 0, cut: 0 };
}

/**
 * Checks a meta record.
 *
 * @throws `storage_unavailable` for a newer format, `storage_corrupt` if it isn't one
 */
export function metaContent(value: unknown, outline: string): Meta {
	const meta = (value ?? {}) as Partial<Meta>;
	if (meta.format === "outlinekit" && isCount(meta.version) && meta.version > formatVersion) {
		throw new OutlineError(
			"storage_unavailable",
			`The outline ${quoted(outline)} is in version ${meta.version} of the format, and this release reads version ${formatVersion}. It was left as it is; load the page anew, or install a newer outlinekit.`,
		);
	}
	// The first outlines don't say how far it goes: never beyond the snapshot.
	const { format, version, id, revision, blocks, cut = revision } = meta;
	const counted = isCount(version) && isCount(revision) && isCount(blocks) && isCount(cut);
	if (format === "outlinekit" && typeof id === "string" && counted) {
		return { format, version, id, revision, blocks, cut };
	}
	throw notAnOutline(outline);
}

/** Checks a block, and gives what it holds. @throws `storage_corrupt` */
export function blockContent(value: unknown, outline: string): IndexPart {
	try {
		const content = contentOf(value as Block);
		if (isPart(content)) return content;
	} catch {
		// It hasn't even the lists that a block has.
	}
	throw damaged(outline, "A block of the snapshot is no block");
}

/** Checks a record of the journal. @throws `storage_corrupt` */
export function journalContent(value: unknown, outline: string): JournalRecord {
	if (isDelta(value) && typeof (value as Partial<JournalRecord>).by === "string") return value as JournalRecord;
	throw damaged(outline, "A record of the journal is none");
}

/** The error for what is stored and can't be true. */
export function damaged(outline: string, what: string): OutlineError {
	return new OutlineError(
		"storage_corrupt",
		`The outline ${quoted(outline)} is damaged: ${what}. It was left as it is; restore it from a copy.`,
	);
}

/** The error for a database that somebody else has made. */
export function notAnOutline(outline: string): OutlineError {
	return new OutlineError(
		"storage_corrupt",
		`What is stored under the name of the outline ${quoted(outline)} is not an outline. It was left as it is; choose another name.`,
	);
}

/** A name that nobody else draws. */
export function randomName(): string {
	// `randomUUID` is for pages that came encrypted alone.
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
