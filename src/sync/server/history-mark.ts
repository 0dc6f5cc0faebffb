import type { Changes } from "../../engine/changes.js";
import { ask, newestQuery, type Operation } from "../../engine/protocol.js";
import { OutlineError } from "../../errors.js";
import type { Document } from "../../storage.js";
import { identityIn, identityKey, identityQuery } from "./documents.js";

/*
 * A server that was restored from a copy draws other marks than the history that it lost, for the same numbers.
 * A document `sync/mark/<number>` holds each of the last 4,096 marks. Its key has the number as the difference
 * to a large one, so that the newest mark comes first.
 */
const markPrefix = "sync/mark/";

/** The number of marks that stay. The server accepts every older one. */
const kept = 4096;

/** A mark of the outline's history at a revision. */
export interface HistoryMark {
	/** Marks have the numbers 1, 2, 3 and so on; 0 if there is none yet. */
	readonly number: number;
	/** The revision of the commit that wrote the mark. */
	readonly revision: number;
	/** A random text. */
	readonly text: string;
}

/** The form of a mark in a header. */
export const markForm = /^\d{1,15}-[0-9a-f]{8}$/;

/** The query for the newest mark. */
export const markQuery = { type: "documents", prefix: markPrefix, limit: 1 } as const;

/** Returns the mark in the answer to its query. */
export function markIn([document]: readonly Document[]): HistoryMark {
	if (document === undefined) return { number: 0, revision: -1, text: "" };
	const [revision, text] = JSON.parse(document.value) as [number, string];
	return { number: Number.MAX_SAFE_INTEGER - Number(document.key.slice(markPrefix.length)), revision, text };
}

/** Returns a mark as answers and headers have it; undefined if there is none. */
export function wireMark({ number, text }: HistoryMark): string | undefined {
	return number === 0 ? undefined : `${number}-${text}`;
}

/**
 * Whether the history of the outline includes a mark. Accepts a mark that is too old to be known.
 *
 * @param mark - the mark of a header
 */
export function* includes(mark: string, newest: HistoryMark): Operation<boolean> {
	const number = Number(mark.split("-")[0]);
	if (number > newest.number) return false;
	if (number <= newest.number - kept) return true;
	const [[document]] = yield* ask({ type: "documents", prefix: keyOf(number), limit: 1 });
	return document !== undefined && wireMark(markIn([document])) === mark;
}

/**
 * Adds the next mark to a commit, and returns it.
 *
 * @param revision - the revision of the commit
 * @param drawn - a random id
 */
function addMark(changes: Changes, newest: HistoryMark, revision: number, drawn: string): HistoryMark {
	const mark = { number: newest.number + 1, revision, text: drawn.slice(-8) };
	const put = [{ key: keyOf(mark.number), value: JSON.stringify([revision, mark.text]) }];
	changes.changeDocuments({ put, dropped: mark.number > kept ? [keyOf(mark.number - kept)] : [] });
	return mark;
}

/** The identity of an outline, and the newest mark of its history. */
export interface History {
	/** The identity; `null` if none is stored yet. */
	readonly outline: string | null;
	readonly mark: HistoryMark;
	/** Whether the newest commit has the mark. */
	readonly isMarked: boolean;
}

/** Reads the identity and the newest mark. */
export function* storedHistory(): Operation<History> {
	const [identity, documents, { revision }] = yield* ask(identityQuery, markQuery, newestQuery);
	const mark = markIn(documents);
	return { outline: identityIn(identity), mark, isMarked: mark.revision === revision };
}

/**
 * Adds to a commit what the history lacks: the identity, and a mark after commits without one.
 *
 * @param revision - the revision of the commit
 * @param drawn - a random id
 */
export function completeHistory(
	changes: Changes,
	{ outline, mark, isMarked }: History,
	revision: number,
	drawn: string,
): { readonly outline: string; readonly mark: HistoryMark } {
	if (outline === null) changes.changeDocuments({ put: [{ key: identityKey, value: drawn }], dropped: [] });
	const isComplete = outline !== null && isMarked;
	return { outline: outline ?? drawn, mark: isComplete ? mark : addMark(changes, mark, revision, drawn) };
}

/** Returns a state that couldn't be marked, because a device may read a full storage too. */
export function unlessFull<T>(error: unknown, state: T): T {
	if (error instanceof OutlineError && error.code === "quota_exceeded") return state;
	throw error;
}

function keyOf(number: number): string {
	return markPrefix + String(Number.MAX_SAFE_INTEGER - number).padStart(16, "0");
}
