import type { DBSchema } from "idb";
import { OwnDatabase } from "../workspace/own-database.js";

/** The nodes of a deletion that a person can put back: nodes of one parent, with all that was below them. */
export interface TrashEntry {
	/** The id of the first of the outermost nodes; with more behind it, if there is a later entry of that node. */
	readonly id: string;
	/** The ids of the outermost nodes, in order. */
	readonly rootIds: readonly string[];
	/** The text of the first. */
	readonly name: string;
	/** The number of all nodes. */
	readonly nodes: number;
	/** The parent of the outermost nodes; null for the top level. */
	readonly parentId: string | null;
	/** The texts of the parent and of the nodes above it, the topmost first. */
	readonly path: readonly string[];
	/** The priority of the first node among its siblings. */
	readonly priority: number;
	/** The time of the deletion, by the clock, in milliseconds. */
	readonly deletedAt: number;
	/** The number of characters of its file. */
	readonly size: number;
}

/** An entry with the time from which its thirty days count. */
interface StoredEntry extends TrashEntry {
	readonly keptFrom: number;
}

interface TrashSchema extends DBSchema {
	entries: { key: string; value: StoredEntry };
	/** The nodes of each entry, as JSON Lines. */
	files: { key: string; value: string };
	clock: { key: "seenAt"; value: number };
}

const day = 86_400_000;
/** The time that the trash keeps an entry, in milliseconds. */
const keptFor = 30 * day;
/** The most characters of all files together. The newest entry stays, however large it is. */
const mostCharacters = 32_000_000;

const stores = ["entries", "files", "clock"] as const;

/**
 * The deleted nodes of this device, in a database of their own, which all tabs share.
 *
 * A wrong clock must not empty it early. The thirty days of a new entry begin no earlier than the last
 * check. So an entry made while the clock is behind isn't old when the clock is right again. An entry goes
 * for good only if it was too old at the check before, at least a day ago. So nothing goes while the clock is
 * ahead for an hour.
 */
export class TrashStore {
	readonly #database = new OwnDatabase<TrashSchema>("outliner-trash", (database) => {
		database.createObjectStore("entries", { keyPath: "id" });
		database.createObjectStore("files");
		database.createObjectStore("clock");
	});

	/** Adds an entry, and removes the oldest ones if there is no room for all. */
	async add(entry: TrashEntry, file: string): Promise<void> {
		const transaction = (await this.#database.open()).transaction(stores, "readwrite");
		const entries = transaction.objectStore("entries");
		const files = transaction.objectStore("files");
		const keptFrom = Math.max(entry.deletedAt, (await transaction.objectStore("clock").get("seenAt")) ?? 0);
		void entries.put({ ...entry, keptFrom });
		void files.put(file, entry.id);
		const all = (await entries.getAll()).filter(({ id }) => id !== entry.id);
		let size = entry.size;
		for (const { id, size: more } of all.sort((left, right) => right.keptFrom - left.keptFrom)) {
			size += more;
			if (size <= mostCharacters) continue;
			void entries.delete(id);
			void files.delete(id);
		}
		await transaction.done;
	}

	/** The entries that are no older than thirty days, the newest first. */
	async entries(now: number): Promise<TrashEntry[]> {
		const entries = await (await this.#database.open()).getAll("entries");
		return entries
			.filter(({ keptFrom }) => now - keptFrom <= keptFor)
			.sort((left, right) => right.keptFrom - left.keptFrom || right.deletedAt - left.deletedAt);
	}

	/** The nodes of an entry, as JSON Lines; undefined if another tab has removed it. */
	async file(id: string): Promise<string | undefined> {
		return (await this.#database.open()).get("files", id);
	}

	/** Gives an entry another id, so that another deletion of the same node doesn't take its place. */
	async keepBeside(id: string): Promise<void> {
		const transaction = (await this.#database.open()).transaction(stores, "readwrite");
		const [entries, files] = [transaction.objectStore("entries"), transaction.objectStore("files")];
		const [entry, file] = [await entries.get(id), await files.get(id)];
		if (entry !== undefined && file !== undefined) {
			const beside = `${id} ${entry.deletedAt}`;
			void entries.put({ ...entry, id: beside });
			void files.put(file, beside);
			void entries.delete(id);
			void files.delete(id);
		}
		await transaction.done;
	}

	/** Removes entries for ever. */
	async remove(ids: Iterable<string>): Promise<void> {
		const transaction = (await this.#database.open()).transaction(stores, "readwrite");
		for (const id of ids) {
			void transaction.objectStore("entries").delete(id);
			void transaction.objectStore("files").delete(id);
		}
		await transaction.done;
	}

	/** Removes everything. */
	async empty(): Promise<void> {
		const transaction = (await this.#database.open()).transaction(stores, "readwrite");
		void transaction.objectStore("entries").clear();
		void transaction.objectStore("files").clear();
		await transaction.done;
	}

	/** Removes the entries that were too old at the check before this one. */
	async expire(now: number): Promise<void> {
		const transaction = (await this.#database.open()).transaction(stores, "readwrite");
		const clock = transaction.objectStore("clock");
		const seenAt = (await clock.get("seenAt")) ?? now - day;
		if (now - seenAt >= day) {
			for (const { id, keptFrom } of await transaction.objectStore("entries").getAll()) {
				if (seenAt - keptFrom <= keptFor) continue;
				void transaction.objectStore("entries").delete(id);
				void transaction.objectStore("files").delete(id);
			}
			void clock.put(now, "seenAt");
		}
		await transaction.done;
	}
}
