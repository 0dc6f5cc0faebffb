import { OutlineError } from "../../errors.js";
import type { LayoutMode } from "../../layout-mode.js";
import { newRecord } from "../../node.js";
import type { NodeRecord } from "../../storage.js";
import { type ImageBlock, type ImageLine, topLevel } from "./block.js";
import { packedLength, unpackedId } from "./packed-id.js";

/** Reads the blocks of an image. */
export class ImageBlocks {
	/** The ids of the nodes so far, by number. */
	readonly #ids: string[] = [];

	/** The number of nodes so far: a request that continues a broken one passes it as `after`. */
	get length(): number {
		return this.#ids.length;
	}

	/**
	 * Returns the records of a block. Their revision is 0.
	 *
	 * @throws `storage_unavailable` if the block doesn't follow the one before
	 */
	records(block: ImageBlock): NodeRecord[] {
		const { first, ids, parents, priorities, names, created } = block;
		const { modified = {}, completed = {}, notes = {}, layoutModes = {}, properties = {}, origins = {} } = block;
		if (first !== this.#ids.length || ids.length !== names.length * packedLength) throw broken();
		let parent = 0;
		let priority = 0;
		let createdAt = 0;
		return names.map((name, row): NodeRecord => {
			const id = unpackedId(ids, row * packedLength);
			parent += parents[row]!;
			priority = row > 0 && parents[row] === 0 ? priority + priorities[row]! : priorities[row]!;
			createdAt += created[row]!;
			const parentId = parent === topLevel ? null : this.#idOf(parent);
			const origin = origins[row];
			this.#ids.push(id);
			return newRecord(
				{
					id,
					parentId,
					priority,
					name,
					note: notes[row] ?? null,
					layoutMode: (layoutModes[row] as LayoutMode | undefined) ?? "bullets",
					properties: properties[row] ?? null,
					createdAt,
					modifiedAt: createdAt + (modified[row] ?? 0),
					completedAt: completed[row] === undefined ? null : createdAt + completed[row],
					originId:
						origin === undefined ? null : typeof origin === "number" ? this.#idOf(origin) : unpackedId(origin, 0),
				},
				createdAt,
			);
		});
	}

	#idOf(number: number): string {
		const id = this.#ids[number];
		if (id === undefined) throw broken();
		return id;
	}
}

/**
 * Reads a line of an image.
 *
 * @throws `storage_unavailable` if it isn't one: the answer broke off, or something between changed it
 */
export function imageLine(line: string): ImageLine {
	try {
		const value: unknown = JSON.parse(line);
		if (typeof value === "object" && value !== null) return value as ImageLine;
	} catch {
		// The line is incomplete.
	}
	throw broken();
}

/** Returns the error of an answer that is no image. */
export function broken(): OutlineError {
	return new OutlineError(
		"storage_unavailable",
		"The answer is no image of an outline, or an incomplete one. Load it again, or check the address.",
	);
}
