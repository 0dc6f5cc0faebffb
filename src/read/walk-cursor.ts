import { ask, askAll, type Operation, pause } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import { idLength, shortIdOf } from "../id.js";
import type { StoredNode } from "../storage.js";
import { type Level, lost, type Mark, type Passed, passed } from "./walk-path.js";

/*
 * A cursor is part of a URL, which has room for some thousand characters, but a path may have thousands of
 * levels. So a cursor has the innermost levels exactly. For the levels above, it has only enough to find them
 * again: the node that they lead to, and the mirrors among them. The rest follows from the parents.
 */

/** The point from which a walk continues. */
export interface Continuation {
	/** The path to the first of the marks, if it doesn't begin at the start of the walk. */
	readonly above: Above | null;
	/** The nodes of the innermost levels, from the outermost to the last node returned. */
	readonly marks: readonly Mark[];
}

/** The levels of which a cursor names only the last node. */
interface Above {
	readonly anchor: string;
	/** A hash of the path. It is unlikely that another path has the same. */
	readonly digest: string;
	/** The short ids of the mirrors on the path, the outermost first. */
	readonly mirrors: readonly string[];
}

/** The number of levels that a cursor has exactly. {@link cursorForm} repeats it, and that of mirrors. */
const exactLevels = 24;

/** The most mirrors above these levels. */
const mostMirrors = 256;

/** The number of mirrors that are looked up at once. */
const mirrorsAtOnce = 32;

/** The kinds of cursors: nothing returned yet, with the whole path, or with a part of it. */
const [unbegun, whole, partial] = ["0", "1", "2"];

/**
 * Returns the text of a cursor.
 *
 * @param given - the level of the last node returned; undefined if that is the start, `null` if there is none
 * @param mirrors - whether the mirrors on the path matter
 * @throws `too_large` if the path has too many mirrors
 */
export function cursorText(given: Level | undefined | null, mirrors: boolean): string {
	if (given === null) return unbegun!;
	const marks: string[] = [];
	let level = given;
	for (; level !== undefined && marks.length < exactLevels; level = level.outer) {
		const { id, priority } = level.child!;
		// The priorities of the levels around it aren't known either.
		if (priority === null) break;
		marks.unshift(`${id}.${priority.toString(36)}`);
	}
	if (level === undefined) return [whole, ...marks].join("_");
	const path: Passed[] = [];
	// The outermost level belongs to the start, which every walk knows.
	for (let at = innerOf(given!, level); at.outer !== undefined; at = at.outer) path.push(at);
	path.reverse();
	const passedMirrors = mirrors ? path.filter(({ originId }) => originId !== null) : [];
	if (passedMirrors.length > mostMirrors) {
		throw new OutlineError(
			"too_large",
			`The walk is below ${passedMirrors.length} mirrors, one inside the other, and a cursor names up to ${mostMirrors}. Walk with a larger budget, with a depth, or from a node further down.`,
		);
	}
	const names = passedMirrors.map(({ id }) => shortIdOf(id!)).join("");
	return [partial, path.at(-1)!.id, digestOf(path), names, ...marks].join("_");
}

/** Returns the level directly below another one. */
function innerOf(innermost: Level, outer: Level): Level {
	let level = innermost;
	while (level.outer !== outer) level = level.outer!;
	return level;
}

/** Reads a cursor. `null` if its walk had returned nothing. @throws `invalid_argument` */
export function continuationIn(cursor: string): Continuation | null {
	const [kind, ...parts] = cursor.split("_");
	if (kind === unbegun) return null;
	if (kind === whole) return { above: null, marks: parts.map(markIn) };
	const [anchor, digest, names, ...marks] = parts as [string, string, string];
	const mirrors = names.match(/.{12}/g) ?? [];
	return { above: { anchor, digest, mirrors }, marks: marks.map(markIn) };
}

function markIn(text: string): Mark {
	const priority = Number.parseInt(text.slice(idLength + 1), 36);
	if (!Number.isSafeInteger(priority)) throw lost();
	return { id: text.slice(0, idLength), priority };
}

/**
 * Returns the nodes on the path from a start to the first mark of a cursor, the outermost first. It follows
 * the parents up from the last one. Below a mirror, they lead to the mirror or to its origin.
 *
 * @throws `invalid_argument` if the path has changed
 */
export function* pathTo(start: Passed, { anchor, digest, mirrors }: Above): Operation<Passed[]> {
	const path: Passed[] = [];
	let [ancestors] = yield* ask({ type: "ancestors", of: { id: anchor } });
	let at = 0;
	for (let rest = mirrors.length; rest > 0; rest -= mirrorsAtOnce) {
		const upcoming = mirrors.slice(Math.max(0, rest - mirrorsAtOnce), rest).reverse();
		const answers = yield* askAll(
			upcoming.flatMap((shortId) => [
				{ type: "node", at: { shortId } } as const,
				{ type: "ancestors", of: { shortId } } as const,
			]),
		);
		for (const index of upcoming.keys()) {
			const mirror = answers[2 * index] as StoredNode | null;
			if (mirror === null) throw lost();
			climb(passed(mirror));
			path.push(passed(mirror));
			ancestors = answers[2 * index + 1] as readonly string[];
			at = 1;
		}
		yield* pause();
	}
	if (start.id === null) for (; at < ancestors.length; at++) path.push({ id: ancestors[at]!, originId: null });
	else climb(start);
	path.reverse();
	if (digestOf(path) !== digest) throw lost();
	return path;

	/** Adds the ancestors up to a node whose visible children include the last one. */
	function climb({ id, originId }: Passed): void {
		for (; ancestors[at] !== id && ancestors[at] !== originId; at++) {
			if (at >= ancestors.length) throw lost();
			path.push({ id: ancestors[at]!, originId: null });
		}
	}
}

function digestOf(path: readonly Passed[]): string {
	let hash = 0x811c9dc5;
	for (const { id } of path) {
		for (let at = 0; at < idLength; at++) hash = Math.imul(hash ^ id!.charCodeAt(at), 0x01000193);
	}
	return (hash >>> 0).toString(36);
}
