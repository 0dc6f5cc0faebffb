import type { AbstractLevel, AbstractSnapshot, AbstractSublevel } from "abstract-level";
import type { KeyRecord, NodeRecord } from "outlinekit";

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
	/** `revision`: the current one. `horizon`: the revision up to which tombstones are gone. */
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
	/** Which nodes and keys were written or deleted last in which revision, by {@link changeOf}. */
	readonly changes: Table<"written" | "deleted">;
	/** The revisions of deletions, by {@link changedName}. */
	readonly deleted: Table<number>;
	/** Documents by key. */
	readonly documents: Table<string>;
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
		documents: table("documents"),
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

type Kind = "node" | "key";

/** Tells a node from a key with the same text. */
export function changedName(kind: Kind, name: string): string {
	return `${kind} ${name}`;
}

/** The key of a change in the feed. @param changed - a {@link changedName} */
export function changeOf(revision: number, changed: string): string {
	return `${sortable(revision)} ${changed}`;
}

/** A change of the feed, from its key. */
export function changeAt(place: string): { revision: number; kind: Kind; name: string } {
	const [of = "", kind = ""] = place.split(" ", 2);
	const name = place.slice(of.length + kind.length + 2);
	return { revision: Number(BigInt(`0x${of}`) - 2n ** 53n), kind: kind as Kind, name };
}
