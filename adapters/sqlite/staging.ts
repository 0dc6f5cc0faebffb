import { turn } from "../../src/pace.js";
import { type Batch, textLength } from "../../src/storage.js";
import { outlinesTable, stagedTable } from "../sql/schema.js";
import type { AtOnce } from "./at-once.js";
import type { SqliteConnection } from "./connection.js";
import { damaged } from "./fault.js";
import { runWrite, type Write, writeIn, writesOf } from "./write.js";

/*
 * SQLite's clients are synchronous: while a commit is written, the process does nothing else. A transaction
 * that stays open between steps doesn't help. It would include every statement that the host runs on the same
 * connection. A writer on another connection of this process would block the thread while it waits, so the
 * transaction could never go on.
 *
 * So a large commit is written in many transactions, none of which stays open between steps:
 *
 * 1. The storage adds its writes, in parts, to a table of their own. No reader sees them, and no writer
 *    waits.
 * 2. One short transaction increases the outline's revision and stores the name of the parts. Then the commit
 *    is durable.
 * 3. The storage applies the parts to the other tables, some at a time. Every reader and writer of the
 *    outline, in any process, first applies the parts that are left; so does the first one after a crash.
 */

/** The approximate number of parts that one transaction applies. */
const partsAtOnce = 16;

/**
 * One transaction adds parts of this fraction of the usual size, because making their JSON takes time too.
 */
const putAtOnce = 4;

/** The number of parts to remove in one step. */
const removedAtOnce = 2 * partsAtOnce;

/** Whether a batch writes more than one step may write. */
export function isLarge({ nodes, keys, documents }: Batch, { rows, characters }: AtOnce): boolean {
	const put = documents?.put ?? [];
	if (nodes.length + keys.length + put.length + (documents?.dropped.length ?? 0) > rows) return true;
	let size = 0;
	for (const { after } of nodes) {
		if (after !== null) size += textLength(after);
	}
	for (const { value } of put) size += value.length;
	return size > characters;
}

/** The parts of a commit that isn't durable yet. */
export class Staging {
	/** The name of the commit, different from all others. */
	readonly name = crypto.randomUUID();
	readonly #connection: SqliteConnection;
	readonly #outline: number;

	constructor(connection: SqliteConnection, outline: number) {
		this.#connection = connection;
		this.#outline = outline;
	}

	/** Adds the writes of a batch as parts. */
	async add(batch: Batch, atOnce: AtOnce): Promise<void> {
		await this.#removeAbandoned(batch.base);
		const parts = partsOf(writesOf(batch), atOnce);
		for (let part = parts.next(), number = 0; !part.done; await turn()) {
			this.#connection.transaction(() => {
				for (let characters = 0; !part.done && characters < atOnce.characters / putAtOnce; part = parts.next()) {
					this.#connection.run(addPart, this.#outline, this.name, number++, batch.base, part.value);
					characters += part.value.length;
				}
			});
		}
	}

	/** Deletes the parts. */
	discard(): Promise<void> {
		return remove(this.#connection, this.#outline, this.name);
	}

	/**
	 * Deletes the parts of processes that ended before their commit was durable, and of commits that were too
	 * late.
	 */
	async #removeAbandoned(base: number): Promise<void> {
		const left = this.#connection.rows(abandoned, this.#outline, base, this.#outline);
		for (const { name } of left) await remove(this.#connection, this.#outline, name as string);
	}
}

/** Applies the parts of a durable commit. Does nothing if there is none. */
export async function settle(connection: SqliteConnection, outline: number, atOnce: AtOnce): Promise<void> {
	while (!connection.transaction(() => settleSome(connection, outline, atOnce))) await turn();
}

/** Applies some parts, in a transaction. Returns whether there are none left. */
function settleSome(connection: SqliteConnection, outline: number, atOnce: AtOnce): boolean {
	const [row] = connection.rows(`SELECT staged FROM ${outlinesTable} WHERE outline = ?`, outline);
	const name = row?.staged ?? null;
	if (name === null) return true;
	if (typeof name !== "string") throw damaged("the name of a commit can't be read");
	const run = connection.run.bind(connection);
	// Half of the usual size, because rows in no particular order take longer to be added to the indexes.
	for (let rows = 0, characters = 0; rows < atOnce.rows / 2 && characters < atOnce.characters; ) {
		const [part] = connection.rows(nextPart, outline, name);
		if (part === undefined) {
			run(`UPDATE ${outlinesTable} SET staged = NULL WHERE outline = ?`, outline);
			return true;
		}
		const writes = writesIn(part.writes);
		for (const write of writes) runWrite(run, outline, write);
		run(`DELETE FROM ${stagedTable} WHERE outline = ? AND name = ? AND part = ?`, outline, name, Number(part.part));
		rows += writes.length;
		characters += String(part.writes).length;
	}
	return false;
}

const addPart = `INSERT INTO ${stagedTable} (outline, name, part, base, writes) VALUES (?, ?, ?, ?, ?)`;

const nextPart = `SELECT part, writes FROM ${stagedTable} WHERE outline = ? AND name = ? ORDER BY part LIMIT 1`;

const abandoned = `SELECT DISTINCT name FROM ${stagedTable}
	WHERE outline = ? AND base < ? AND name IS NOT (SELECT staged FROM ${outlinesTable} WHERE outline = ?)`;

/** Doesn't delete the parts of a durable commit, even if its COMMIT reported an error. */
const removeParts = `DELETE FROM ${stagedTable} WHERE rowid IN
	(SELECT rowid FROM ${stagedTable} WHERE outline = ? AND name = ? LIMIT ${removedAtOnce})
	AND name IS NOT (SELECT staged FROM ${outlinesTable} WHERE outline = ?)`;

async function remove(connection: SqliteConnection, outline: number, name: string): Promise<void> {
	while (connection.transaction(() => connection.run(removeParts, outline, name, outline)) > 0) await turn();
}

/** Yields some writes at a time, as JSON. */
function* partsOf(writes: Iterable<Write>, atOnce: AtOnce): Generator<string> {
	let part: Write[] = [];
	let characters = 0;
	for (const write of writes) {
		part.push(write);
		for (const value of write) if (typeof value === "string") characters += value.length;
		if (part.length < atOnce.rows / partsAtOnce && characters < atOnce.characters / partsAtOnce) continue;
		yield JSON.stringify(part);
		part = [];
		characters = 0;
	}
	if (part.length > 0) yield JSON.stringify(part);
}

function writesIn(part: unknown): Write[] {
	try {
		const writes: unknown = JSON.parse(part as string);
		const known = Array.isArray(writes) ? writes.map(writeIn) : [undefined];
		if (known.every((write) => write !== undefined)) return known;
	} catch (cause) {
		throw damaged("a part of a commit can't be read", cause);
	}
	throw damaged("a part of a commit can't be read");
}
