import type { AbstractLevel, AbstractSnapshot, AbstractSublevel } from "abstract-level";
import type { KeyRecord, NodeRecord, Receipt } from "outlinekit";

/**
 * A database of the Level family that has snapshots: classic-level, memory-level. Texts are its keys and
 * values.
 */
export type Database = AbstractLevel<string | Buffer | Uint8Array, string, string>;

/** One of the tables of an outline, ordered by its keys. */
export type Table<V> = AbstractSublevel<Database, string | Buffer | Uint8Array, string, V>;

/** All reads with it are of one moment. */
export type Moment = AbstractSnapshot;

/** The tables of an outline. */
export interface Tables {
	/** `revision`: the current one. */
	readonly state: Table<number>;
	/** Records by id. */
	readonly nodes: Table<NodeRecord>;
	/** Ids by short id. */
	readonly shortIds: Table<string>;
	/** Ids by parent, priority and id: {@link placeOf}. */
	readonly children: Table<string>;
	/** The ids of its mirrors, ascending, by the id of an origin. */
	readonly mirrors: Table<readonly string[]>;
	/** Records by key. */
	readonly keys: Table<KeyRecord>;
	/** Keys by {@link pair} of their group and themselves. */
	readonly groups: Table<string>;
	/** The keys that point at it, by the id of a node. */
	readonly pointers: Table<readonly string[]>;
	/** Which ids were written or deleted last in which revision, by {@link changeOf}. */
	readonly changes: Table<"written" | "deleted">;
	/** The revision of its deletion, by id. */
	readonly deleted: Table<number>;
	/** Receipts by key, without what is large. */
	readonly receipts: Table<Omit<Receipt, "result">>;
	/** Their results by key. */
	readonly results: Table<string>;
	/** Keys of receipts by age: {@link ageOf}. */
	readonly ages: Table<string>;
}

/** The tables of the outline with a name. */
export function tablesOf(database: Database, outline: string): Tables {
	const table = <V>(name: string): Table<V> => {
		return database.sublevel<string, V>([outline, name], { valueEncoding: "json" }) as unknown as Table<V>;
	};
	return {
		state: table("state"),
		nodes: table("nodes"),
		shortIds: table("shortIds"),
		children: table("children"),
		mirrors: table("mirrors"),
		keys: table("keys"),
		groups: table("groups"),
		pointers: table("pointers"),
		changes: table("changes"),
		deleted: table("deleted"),
		receipts: table("receipts"),
		results: table("results"),
		ages: table("ages"),
	};
}

/** A safe integer as a text that sorts as the number does: 14 hex digits. */
export function sortable(integer: number): string {
	return (BigInt(integer) + 2n ** 53n).toString(16).padStart(14, "0");
}

/** The key of a record among the children of its parent. */
export function placeOf({ parentId, priority, id }: NodeRecord): string {
	return `${parentId ?? "top"} ${sortable(priority)} ${id}`;
}

/** The range of keys under a parent with priorities between two. */
export function placesUnder(parentId: string | null, after?: number, before?: number): { gt: string; lt: string } {
	const parent = parentId ?? "top";
	// A space sorts before "!" and before the characters of ids and hex digits, and "~" sorts after them.
	return {
		gt: after === undefined ? `${parent} ` : `${parent} ${sortable(after)}~`,
		lt: before === undefined ? `${parent}!` : `${parent} ${sortable(before)}`,
	};
}

/** Two texts as one key. No text holds NUL, so the first ends where it does. */
export function pair(first: string, second: string): string {
	return `${first}\0${second}`;
}

/** The keys of all pairs with a first text. */
export function pairsWith(first: string): { gt: string; lt: string } {
	return { gt: `${first}\0`, lt: `${first}\x01` };
}

/** The key of a receipt, sorted by age. */
export function ageOf({ createdAt, key }: Omit<Receipt, "result">): string {
	return `${sortable(createdAt)} ${key}`;
}

/** The key of a change in the feed. */
export function changeOf(revision: number, id: string): string {
	return `${sortable(revision)} ${id}`;
}
