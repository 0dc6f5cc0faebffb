import { tagsIn, urlsIn } from "outlinekit/markup";
import { pointAt } from "./caret.js";
import { textsIn } from "./fragment.js";

/** A stretch of a field that leads somewhere, although it is plain text: a tag, or an address in a note. */
export interface Piece {
	readonly type: "tag" | "address";
	/** The tag, or the address for a link. */
	readonly target: string;
	readonly range: Range;
}

/** Stands for the characters that an outline doesn't search for tags. */
const shield = "\ufffc";

/** The text of a field, with other characters in place of some elements: of code and of the labels of links. */
export function proseOf(field: HTMLElement, shielded = "a, code"): string {
	let prose = "";
	for (const text of textsIn(field)) {
		prose += text.parentElement!.closest(shielded) === null ? text.data : shield.repeat(text.length);
	}
	return prose;
}

/** The tags of a field, and the addresses of a note. */
export function piecesOf(field: HTMLElement): Piece[] {
	if (field.closest(".code-block") !== null && field.dataset.field === "name") return [];
	const prose = proseOf(field);
	const pieces: Piece[] = [];
	if (/[#@＃＠]/.test(prose)) {
		for (const { tag, start, end } of tagsIn(prose)) {
			pieces.push({ type: "tag", target: tag, range: rangeOf(field, start, end) });
		}
	}
	if (field.dataset.field === "note") {
		for (const { href, start, end } of urlsIn(prose)) {
			if (URL.canParse(href)) pieces.push({ type: "address", target: href, range: rangeOf(field, start, end) });
		}
	}
	return pieces;
}

/** The piece at a point of the screen. */
export function pieceAt(field: HTMLElement, x: number, y: number): Piece | undefined {
	return piecesOf(field).find(({ range }) =>
		[...range.getClientRects()].some(
			({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom,
		),
	);
}

/** The piece that the caret is in, or just before or behind. */
export function pieceAtCaret(field: HTMLElement): Piece | undefined {
	const selection = getSelection();
	if (selection === null || selection.rangeCount === 0) return undefined;
	const { startContainer, startOffset } = selection.getRangeAt(0);
	return piecesOf(field).find(({ range }) => range.isPointInRange(startContainer, startOffset));
}

/** The range of a stretch of a field. */
export function rangeOf(field: HTMLElement, start: number, end: number): Range {
	const range = document.createRange();
	range.setStart(...pointAt(field, start));
	range.setEnd(...pointAt(field, end));
	return range;
}
