import { ask, askAll, breathe, type Operation } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import { idLength, shortIdOf } from "../id.js";
import type { StoredNode } from "../storage.js";
import { type Level, lost, type Mark, type Passed, passed } from "./walk-path.js";

/*
 * A cursor travels in the query of a URL, where there is room for some thousand characters, and a way may be thousands of
 * levels long. So it has the innermost levels exactly, and for the levels above only how to find them again: the node that they
 * lead to, and the mirrors among them. All else follows from the parents.
 */

/** Where a walk goes on. */
export interface Place {
	/** The way to the first of the marks, if the walk begins further up. */
	readonly above: Above | null;
	/** The nodes on the way, from the outermost to the one that was given last, as children of their levels. */
	readonly marks: readonly Mark[];
}

/** The levels that a cursor names by their last node only. */
interface Above {
	readonly anchor: string;
	/** A number that other ways don't share by chance. */
	readonly digest: string;
	/** The short ids of the mirrors on the way, the outermost first. */
	readonly mirrors: readonly string[];
}

/** The number of levels that a cursor has exactly. {@link cursorForm} repeats it, and the number of mirrors. */
const exactLevels = 24;

/** How many mirrors it can name beside those. */
const mostMirrors = 256;

/** The mirrors whose place is looked up at once. */
const mirrorsAtOnce = 32;

/** The kinds of cursors: nothing has been given yet, the way is whole, or some of it has to be found again. */
const [unbegun, whole, partial] = ["0", "1", "2"];

/**
 * The text of a cursor.
 *
 * @param given - the level of the node that was given last; undefined if the start was, `null` if nothing was
 * @param mirrors - whether it matters which mirrors there are on the way
 * @throws `too_large` for a way below too many mirrors
 */
export function cursorText(given: Level | undefined | null, mirrors: boolean): string {
	if (given === null) return unbegun!;
	const marks: string[] = [];
	let level = given;
	for (; level !== undefined && marks.length < exactLevels; level = level.outer) {
		const { id, priority } = level.child!;
		// Those around it aren't known either.
		if (priority === null) break;
		marks.unshift(`${id}.${priority.toString(36)}`);
	}
	if (level === undefined) return [whole, ...marks].join("_");
	const way: Passed[] = [];
	// The outermost level is the start's, which every walk knows.
	for (let at = innerOf(given!, level); at.outer !== undefined; at = at.outer) way.push(at);
	way.reverse();
	const passedMirrors = mirrors ? way.filter(({ originId }) => originId !== null) : [];
	if (passedMirrors.length > mostMirrors) {
		throw new OutlineError(
			"too_large",
			`The walk is below ${passedMirrors.length} mirrors that stand one below the other, and a cursor names up to ${mostMirrors}. Walk with a larger budget, with a depth, or from a node further down.`,
		);
	}
	const names = passedMirrors.map(({ id }) => shortIdOf(id!)).join("");
	return [partial, way.at(-1)!.id, digestOf(way), names, ...marks].join("_");
}

/** The level of a way that is directly below another one. */
function innerOf(innermost: Level, outer: Level): Level {
	let level = innermost;
	while (level.outer !== outer) level = level.outer!;
	return level;
}

/** Reads a cursor. `null` is one of a walk that has given nothing. @throws `invalid_argument` */
export function placeIn(cursor: string): Place | null {
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
 * The nodes on the way from a start to where a cursor has its marks, the outermost first. The parents lead up from the last one;
 * below a mirror, they lead to the mirror or to its origin.
 *
 * @throws `invalid_argument` if it isn't the way that it was
 */
export function* wayTo(start: Passed, { anchor, digest, mirrors }: Above): Operation<Passed[]> {
	const way: Passed[] = [];
	let [lineage] = yield* ask({ type: "ancestors", of: { id: anchor } });
	let at = 0;
	for (let rest = mirrors.length; rest > 0; rest -= mirrorsAtOnce) {
		const upcoming = mirrors.slice(Math.max(0, rest - mirrorsAtOnce), rest).reverse();
		const answers = yield* askAll(
			upcoming.flatMap((shortId) => [
				{ type: "node", at: { shortId } } as const,
				{ type: "ancestors", of: { shortId } } as const,
			]),
		);
		for (const [place] of upcoming.entries()) {
			const mirror = answers[2 * place] as StoredNode | null;
			if (mirror === null) throw lost();
			climb(passed(mirror));
			way.push(passed(mirror));
			lineage = answers[2 * place + 1] as readonly string[];
			at = 1;
		}
		yield* breathe();
	}
	if (start.id === null) for (; at < lineage.length; at++) way.push({ id: lineage[at]!, originId: null });
	else climb(start);
	way.reverse();
	if (digestOf(way) !== digest) throw lost();
	return way;

	/** Goes up to a node whose children are shown. */
	function climb({ id, originId }: Passed): void {
		for (; lineage[at] !== id && lineage[at] !== originId; at++) {
			if (at >= lineage.length) throw lost();
			way.push({ id: lineage[at]!, originId: null });
		}
	}
}

function digestOf(way: readonly Passed[]): string {
	let hash = 0x811c9dc5;
	for (const { id } of way) {
		for (let at = 0; at < idLength; at++) hash = Math.imul(hash ^ id!.charCodeAt(at), 0x01000193);
	}
	return (hash >>> 0).toString(36);
}
