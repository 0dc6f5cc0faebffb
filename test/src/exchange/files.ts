import type { ExchangeFormat, ExportOptions, Lost } from "outlinekit";
import type { Outline } from "../../../src/outline.js";
import { exported } from "../../support/outline.js";

/** Exports an outline as a file. */
export async function fileOf(outline: Outline, format: ExchangeFormat, options?: ExportOptions): Promise<string> {
	return (await exportedFile(outline, format, options)).text;
}

/** Exports an outline as a file, and returns it with the losses. */
export async function exportedFile(
	outline: Outline,
	format: ExchangeFormat,
	options?: ExportOptions,
): Promise<{ text: string; lost: Lost }> {
	const pieces = outline.exportAs(format, options);
	let text = "";
	for await (const piece of pieces) text += piece;
	return { text, lost: pieces.lost };
}

/** Yields pieces one after the other. */
export async function* streamed<T>(pieces: Iterable<T>): AsyncGenerator<T> {
	yield* pieces;
}

/** Yields the bytes of a text one at a time. */
export function bytewise(text: string): AsyncGenerator<Uint8Array> {
	return streamed(Array.from(new TextEncoder().encode(text), (byte) => Uint8Array.of(byte)));
}

/** The content of a node, and its depth. */
export interface Row {
	depth: number;
	name: string;
	note: string | null;
	layoutMode: string;
	completed: boolean;
}

/** Returns the nodes in reading order. A mirror has the content of its origin. */
export async function rowsOf(outline: Outline): Promise<Row[]> {
	const nodes = (await exported(outline)).sort((left, right) => right.priority - left.priority);
	const children = new Map<string | null, typeof nodes>();
	for (const node of nodes) children.set(node.parentId, [...(children.get(node.parentId) ?? []), node]);
	const rows: Row[] = [];
	const stack = (children.get(null) ?? []).map((node) => ({ node, depth: 0 }));
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		const { node, depth } = next;
		const { name, note, layoutMode, completed } = node;
		rows.push({ depth, name, note, layoutMode, completed });
		for (const child of children.get(node.id) ?? []) stack.push({ node: child, depth: depth + 1 });
	}
	return rows;
}

/** Returns one line per node: indentation, `x` if completed, layout mode except bullets, name and note. */
export async function sketch(outline: Outline): Promise<string> {
	return (await rowsOf(outline))
		.map(({ depth, name, note, layoutMode, completed }) => {
			const mode = layoutMode === "bullets" ? "" : `${layoutMode}: `;
			const text = `${completed ? "x " : ""}${mode}${name}${note === null ? "" : ` // ${note}`}`;
			return "  ".repeat(depth) + text.replaceAll("\n", "⏎");
		})
		.join("\n");
}
