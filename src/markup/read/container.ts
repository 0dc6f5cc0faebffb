import type { Line } from "./line.js";

/** A quote or a list item that is open while the lines of a text are read. */
export type Container = Quote | Item;

/** An open quote. */
export interface Quote {
	readonly type: "quote";
	/** The nearest list item around it. */
	readonly item: Item | undefined;
}

/** An open list item. */
export class Item {
	readonly type = "item";
	/** The nearest list item, which is the item itself. */
	readonly item: Item = this;
	/** The number of columns by which a line must be indented to belong to the item. */
	readonly indentation: number;
	/** An ordered item's number and delimiter as typed; empty for a bullet. */
	readonly marker: string;
	/** The number of list items above it. */
	readonly depth: number;
	/** Whether its node has begun. */
	hasNode = false;
	/** Whether only its marker has been read so far. */
	isBlank: boolean;
	/** Whether a blank line has followed its blank first line. Then no more lines belong to it. */
	isOver = false;

	constructor({ indentation, marker, isBlank }: ItemOpening, depth: number) {
		this.indentation = indentation;
		this.marker = marker;
		this.depth = depth;
		this.isBlank = isBlank;
	}
}

/** The start of a container in a line. */
export type Opening = { readonly type: "quote" } | ItemOpening;

/** The start of a list item. It has the same properties as the {@link Item}. */
export interface ItemOpening {
	readonly type: "item";
	readonly indentation: number;
	readonly marker: string;
	readonly isBlank: boolean;
}

const itemMarker = /(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/y;

/** Whether a container continues in this line. Skips the marker or indentation by which it continues. */
export function continues(container: Container, line: Line): boolean {
	if (container.type === "quote") return passQuoteMarker(line);
	if (line.isBlank()) {
		container.isOver ||= container.isBlank;
		line.skip(container.indentation);
		return true;
	}
	container.isBlank = false;
	if (container.isOver || line.indentation() < container.indentation) {
		container.isOver = false;
		return false;
	}
	line.skip(container.indentation);
	return true;
}

/**
 * Returns the container that begins here, and skips its marker.
 *
 * @param isInterrupting - whether the line could continue a paragraph. An empty item can't end a paragraph,
 * and neither can an item that counts from another number than 1.
 */
export function opens(line: Line, isInterrupting: boolean): Opening | undefined {
	const before = line.indentation();
	if (before > 3) return undefined;
	if (passQuoteMarker(line)) return { type: "quote" };
	itemMarker.lastIndex = line.contentStart();
	const match = itemMarker.exec(line.text);
	if (match === null || line.isRule()) return undefined;
	const [marker, number] = match;
	const isBlank = line.isBlankFrom(itemMarker.lastIndex);
	if (isInterrupting && (isBlank || (number !== undefined && Number(number) !== 1))) return undefined;
	line.skip(before);
	line.pass(marker.length);
	const after = line.indentation();
	const padding = isBlank || after > 4 ? 1 : after;
	line.skip(padding);
	const indentation = before + marker.length + padding;
	return { type: "item", indentation, marker: number === undefined ? "" : marker, isBlank };
}

function passQuoteMarker(line: Line): boolean {
	const before = line.indentation();
	if (before > 3 || line.text[line.contentStart()] !== ">") return false;
	line.skip(before);
	line.pass(1);
	line.skip(1);
	return true;
}
