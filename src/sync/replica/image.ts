import { OutlineError } from "../../errors.js";
import { Pace } from "../../pace.js";
import type { Key, NodeRecord } from "../../storage.js";
import type { ImageHead } from "../image/block.js";
import { ImageBlocks, imageLine } from "../image/decode.js";
import { type Conflict, protocolVersion } from "../protocol.js";

/** The whole outline of a server. */
export interface Image {
	readonly head: ImageHead;
	readonly nodes: Map<string, NodeRecord | null>;
	readonly keys: Map<string, Key | null>;
	readonly conflicts: readonly Conflict[];
}

/**
 * Reads an image from texts that are its lines together.
 *
 * @throws `storage_unavailable` if it is incomplete; `sync_upgrade` if this version can't read it
 */
export async function readImage(texts: AsyncIterable<string>): Promise<Image> {
	let head: ImageHead | undefined;
	let complete = false;
	const blocks = new ImageBlocks();
	const nodes = new Map<string, NodeRecord | null>();
	const keys = new Map<string, Key | null>();
	const conflicts: Conflict[] = [];
	const pace = new Pace();
	for await (const text of linesOf(texts)) {
		const line = imageLine(text);
		if ("protocol" in line) {
			if (line.protocol !== protocolVersion)
				throw new OutlineError(
					"sync_upgrade",
					`The server speaks version ${line.protocol} of the protocol, and this program version ${protocolVersion}.`,
				);
			head = line;
		} else if ("first" in line) for (const record of blocks.records(line)) nodes.set(record.id, record);
		else if ("keys" in line) for (const key of line.keys) keys.set(key.key, key);
		else if ("conflicts" in line) conflicts.push(...line.conflicts);
		else if ("end" in line) complete = true;
		if (pace.isDue) await pace.turn();
	}
	if (head !== undefined && complete) return { head, nodes, keys, conflicts };
	throw new OutlineError("storage_unavailable", "The server's answer broke off.");
}

/** Splits texts into lines. */
export async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
	let begun = "";
	for await (const text of texts) {
		const lines = text.split("\n");
		lines[0] = begun + lines[0]!;
		begun = lines.pop()!;
		for (const line of lines) if (line !== "") yield line;
	}
	if (begun !== "") yield begun;
}
