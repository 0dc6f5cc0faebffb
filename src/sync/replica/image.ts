import { OutlineError } from "../../errors.js";
import { Pace } from "../../pace.js";
import type { Key, NodeRecord } from "../../storage.js";
import type { ImageBlock, ImageHead } from "../image/block.js";
import { broken, ImageBlocks, imageLine } from "../image/decode.js";
import { type Conflict, protocolVersion } from "../protocol.js";
import { hasTypes } from "../record-fields.js";
import { isConflictNote, isKey, isPlace } from "./answers.js";
import type { Remote, RemoteSignal } from "./remote.js";

/** The whole outline of a server. */
export interface Image {
	readonly head: ImageHead;
	readonly nodes: Map<string, NodeRecord | null>;
	readonly keys: Map<string, Key | null>;
	readonly conflicts: readonly Conflict[];
}

/** The failures without a further node after which an image begins again. */
const mostFailures = 10;

/** The transfer of an image, in one answer or in several. If an answer breaks off, the next one continues it. */
export class ImageTransfer {
	#head: ImageHead | undefined;
	#blocks = new ImageBlocks();
	#nodes = new Map<string, NodeRecord | null>();
	#failures = 0;

	/**
	 * Loads the image, or the rest of it.
	 *
	 * @throws `storage_unavailable` if it is incomplete: then the next call continues; `sync_upgrade` if this
	 * version can't read it
	 */
	async load(remote: Remote, signal: RemoteSignal): Promise<Image> {
		const after = this.#blocks.length;
		const from = this.#head === undefined || after === 0 ? undefined : { after, revision: this.#head.revision };
		try {
			return await this.#read(remote.image(signal, from));
		} catch (error) {
			if (error instanceof OutlineError && error.code === "sync_reset" && from !== undefined) {
				this.#begin();
				return this.load(remote, signal);
			}
			this.#failures = this.#blocks.length > after ? 0 : this.#failures + 1;
			if (this.#failures >= mostFailures) this.#begin();
			throw error;
		}
	}

	/** Forgets what has arrived. */
	#begin(): void {
		this.#head = undefined;
		this.#blocks = new ImageBlocks();
		this.#nodes = new Map();
		this.#failures = 0;
	}

	/** Reads texts that are lines together. */
	async #read(texts: AsyncIterable<string>): Promise<Image> {
		let complete = false;
		const keys = new Map<string, Key | null>();
		const conflicts: Conflict[] = [];
		const pace = new Pace();
		for await (const text of linesOf(texts)) {
			const line = imageLine(text);
			if ("protocol" in line) this.#continueWith(line);
			else if ("first" in line) this.#add(line);
			else if ("keys" in line) for (const key of listOf(line.keys, isKey)) keys.set(key.key, key);
			else if ("conflicts" in line) conflicts.push(...listOf(line.conflicts, isConflictNote));
			else if ("end" in line) complete = true;
			if (pace.isDue) await pace.turn();
		}
		if (complete && this.#head?.nodes === this.#blocks.length)
			return { head: this.#head, nodes: this.#nodes, keys, conflicts };
		throw new OutlineError("storage_unavailable", "The server's answer broke off.");
	}

	/** @throws `sync_reset` if the head is that of another image; `sync_upgrade`; `storage_unavailable` if it is none */
	#continueWith(head: ImageHead): void {
		if (head.protocol !== protocolVersion)
			throw new OutlineError(
				"sync_upgrade",
				`The server speaks version ${head.protocol} of the protocol, and this program version ${protocolVersion}.`,
			);
		if (!isPlace(head)) throw broken();
		if (this.#blocks.length > 0 && JSON.stringify(head) !== JSON.stringify(this.#head))
			throw new OutlineError("sync_reset", "The server continues another image.");
		this.#head = head;
	}

	#add(block: ImageBlock): void {
		// A remote that can't continue an image begins again.
		if (block.first === 0) {
			this.#blocks = new ImageBlocks();
			this.#nodes = new Map();
		}
		try {
			if (this.#head === undefined) throw broken();
			for (const record of this.#blocks.records(block)) {
				if (!hasTypes(record)) throw broken();
				this.#nodes.set(record.id, record);
			}
		} catch (error) {
			this.#begin();
			// A column that is missing, or has another type, ends in an error of the language.
			throw error instanceof OutlineError ? error : broken();
		}
	}
}

/** Returns a list of an image. @throws `storage_unavailable` if it is none, or an element hasn't its form */
function listOf<T>(list: readonly T[], isOne: (each: T) => boolean): readonly T[] {
	if (Array.isArray(list) && list.every(isOne)) return list;
	throw broken();
}

/** Splits texts into lines. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
	let begun = "";
	for await (const text of texts) {
		const lines = text.split("\n");
		lines[0] = begun + lines[0]!;
		begun = lines.pop()!;
		for (const line of lines) if (line !== "") yield line;
	}
	if (begun !== "") yield begun;
}
