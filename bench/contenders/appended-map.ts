import { type FileHandle, open as openFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { End, NewNode, SeedNode } from "../contender.ts";
import { PlainMap, type PlainRecord } from "./plain-map.ts";

/**
 * A file to append to by hand: the Map of {@link PlainMap}, and for each change an fdatasync and a line of
 * JSON with the new record, or the deleted id. After a crash, half an operation looks like a whole one. The
 * file only grows.
 */
class AppendedMap extends PlainMap {
	override readonly synchronous = false;
	readonly #file: FileHandle;

	constructor(file: FileHandle) {
		super();
		this.#file = file;
	}

	/** Takes in what the file has. */
	load(text: string): void {
		const records = new Map<string, PlainRecord>();
		for (const line of text.split("\n")) {
			if (line === "") continue;
			const entry = JSON.parse(line) as PlainRecord | { deleted: string };
			if ("deleted" in entry) records.delete(entry.deleted);
			else records.set(entry.id, entry);
		}
		this.adopt([...records.values()].filter(({ parentId }) => parentId === null || records.has(parentId)));
	}

	override async bulkCreate(roots: readonly SeedNode[]): Promise<void> {
		super.bulkCreate(roots);
		await this.#append([...this.records.values()]);
	}

	override async mirror(id: string, originId: string, parentId: string): Promise<unknown> {
		return this.#kept(id, super.mirror(id, originId, parentId));
	}

	override async create(node: NewNode): Promise<unknown> {
		return this.#kept(node.id, super.create(node));
	}

	override async move(id: string, parentId: string, position: End): Promise<unknown> {
		return this.#kept(id, super.move(id, parentId, position));
	}

	override async update(id: string, name: string): Promise<unknown> {
		return this.#kept(id, super.update(id, name));
	}

	override async complete(id: string): Promise<unknown> {
		return this.#kept(this.stored(id).originId ?? id, super.complete(id));
	}

	override async delete(id: string): Promise<void> {
		super.delete(id);
		await this.#append([{ deleted: id }]);
	}

	override close(): Promise<void> {
		return this.#file.close();
	}

	async #kept(id: string, answer: unknown): Promise<unknown> {
		await this.#append([this.stored(id)]);
		return answer;
	}

	async #append(entries: readonly object[]): Promise<void> {
		await this.#file.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
		await this.#file.datasync();
	}
}

export async function open(directory: string): Promise<AppendedMap> {
	const path = join(directory, "records.jsonl");
	const map = new AppendedMap(await openFile(path, "a"));
	map.load(await readFile(path, "utf8"));
	return map;
}
