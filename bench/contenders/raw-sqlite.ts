import { join } from "node:path";
import Libsql from "libsql";
import type { OutlineNode } from "outlinekit";
import type { Contender, End, NewNode, NodeView, SeedNode } from "../contender.ts";
import { seconds } from "./plain-map.ts";

/** A row, as it is read. */
interface NodeRow extends Omit<OutlineNode, "completed" | "mirror"> {
	originId: string | null;
}

interface Row extends NodeRow {
	mirrorIds: string | null;
}

const schema = `
	CREATE TABLE IF NOT EXISTS nodes (
		id TEXT PRIMARY KEY, parent TEXT, priority INTEGER NOT NULL, name TEXT NOT NULL, note TEXT, layout TEXT NOT NULL,
		created INTEGER NOT NULL, modified INTEGER NOT NULL, completed INTEGER, origin TEXT
	);
	CREATE INDEX IF NOT EXISTS children ON nodes (parent, priority);
	CREATE INDEX IF NOT EXISTS mirrors ON nodes (origin) WHERE origin IS NOT NULL;`;

const columns = `id, parent AS parentId, name, note, priority, layout AS layoutMode, created AS createdAt,
	modified AS modifiedAt, completed AS completedAt, origin AS originId`;

const rows = `SELECT ${columns}, (SELECT group_concat(id) FROM nodes WHERE origin = node.id) AS mirrorIds FROM nodes AS node`;

/** The number of rows of an export that it reads at once. */
const chunk = 1000;

const subtree = `WITH RECURSIVE below (id) AS (VALUES (:id) UNION ALL SELECT nodes.id FROM nodes JOIN below ON nodes.parent = below.id)`;

const place = {
	top: "(SELECT coalesce(min(priority) - 1, 0) FROM nodes WHERE parent = :parent)",
	bottom: "(SELECT coalesce(max(priority) + 1, 0) FROM nodes WHERE parent = :parent)",
};

/**
 * SQLite by hand: a lean table, prepared statements, an autocommit if one statement is enough, and a
 * transaction if it isn't.
 */
class RawSqlite implements Contender {
	readonly synchronous = true;
	readonly #database: InstanceType<typeof Libsql>;
	readonly #statements;

	constructor(database: InstanceType<typeof Libsql>) {
		this.#database = database;
		const create = (end: End) =>
			database.prepare(`INSERT INTO nodes SELECT :id, :parent, ${place[end]}, :name, NULL, :layout, :now, :now, NULL, :origin
				RETURNING ${columns}`);
		const move = (end: End) =>
			database.prepare(`UPDATE nodes SET priority = ${place[end]}, parent = :parent WHERE id = :id`);
		this.#statements = {
			begin: database.prepare("BEGIN IMMEDIATE"),
			commit: database.prepare("COMMIT"),
			rollback: database.prepare("ROLLBACK"),
			insert: database.prepare("INSERT INTO nodes VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, NULL)"),
			create: { top: create("top"), bottom: create("bottom") },
			get: database.prepare(`${rows} WHERE id = ?`),
			list: database.prepare(
				`${rows} WHERE parent = coalesce((SELECT origin FROM nodes WHERE id = ?1), ?1) ORDER BY priority`,
			),
			top: database.prepare(`${rows} WHERE parent IS NULL ORDER BY priority`),
			export: database.prepare(`SELECT rowid, ${columns} FROM nodes WHERE rowid > ? ORDER BY rowid LIMIT ${chunk}`),
			mirrors: database.prepare("SELECT id, origin FROM nodes WHERE origin IS NOT NULL ORDER BY id"),
			move: { top: move("top"), bottom: move("bottom") },
			isWithin: database.prepare(
				`WITH RECURSIVE above (id) AS (VALUES (:parent) UNION ALL
					SELECT nodes.parent FROM nodes JOIN above ON nodes.id = above.id WHERE nodes.parent IS NOT NULL)
				SELECT 1 FROM above WHERE id = :id`,
			),
			update: database.prepare("UPDATE nodes SET name = ?, modified = ? WHERE id = ?"),
			complete: database.prepare(
				`UPDATE nodes SET completed = :now, modified = :now
				WHERE id = coalesce((SELECT origin FROM nodes WHERE id = :id), :id) AND completed IS NULL`,
			),
			hasMirrors: database.prepare(`${subtree} SELECT 1 FROM nodes WHERE origin IN below LIMIT 1`),
			delete: database.prepare(`${subtree} DELETE FROM nodes WHERE id IN below`),
		};
	}

	bulkCreate(roots: readonly SeedNode[]): void {
		const { insert } = this.#statements;
		const now = seconds();
		const add = (parentId: string | null, nodes: readonly SeedNode[]) => {
			for (const [priority, { id, name, layoutMode, completed, children }] of nodes.entries()) {
				insert.run(id, parentId, priority, name, layoutMode, now, now, completed ? now : null);
				add(id, children);
			}
		};
		this.#transaction(() => add(null, roots));
	}

	mirror(id: string, originId: string, parentId: string): void {
		const row = { id, parent: parentId, name: "", layout: "bullets", now: seconds(), origin: originId };
		this.#statements.create.bottom.all(row);
	}

	create({ id, parentId, name, position }: NewNode): NodeView {
		const row = { id, parent: parentId, name, layout: "bullets", now: seconds(), origin: null };
		// After `get`, libsql would leave the statement open: SQLite would commit at the next call, and never clear its log.
		const [created] = this.#statements.create[position].all(row) as NodeRow[];
		return this.#view(created!);
	}

	get(id: string): NodeView {
		const row = this.#statements.get.get(id) as Row | undefined;
		if (row === undefined) throw new Error(`There is no node ${id}.`);
		return this.#view(row, row.mirrorIds);
	}

	list(parentId: string | null): readonly NodeView[] {
		const { top, list } = this.#statements;
		return ((parentId === null ? top.all() : list.all(parentId)) as Row[]).map((row) => this.#view(row, row.mirrorIds));
	}

	move(id: string, parentId: string, position: End): NodeView {
		return this.#transaction(() => {
			if (this.#statements.isWithin.get({ id, parent: parentId }) !== undefined) {
				throw new Error("That would be a cycle.");
			}
			this.#statements.move[position].run({ id, parent: parentId });
			return this.get(id);
		});
	}

	update(id: string, name: string): NodeView {
		this.#statements.update.run(name, seconds(), id);
		return this.get(id);
	}

	complete(id: string): NodeView {
		this.#statements.complete.run({ id, now: seconds() });
		return this.get(id);
	}

	delete(id: string): void {
		this.#transaction(() => {
			if (this.#statements.hasMirrors.get({ id }) !== undefined) throw new Error("It has mirrors.");
			this.#statements.delete.run({ id });
		});
	}

	export(visit: (node: OutlineNode) => void): void {
		const mirrorIds = new Map<string, string>();
		for (const { id, origin } of this.#statements.mirrors.all() as { id: string; origin: string }[]) {
			mirrorIds.set(origin, mirrorIds.has(origin) ? `${mirrorIds.get(origin)},${id}` : id);
		}
		for (let last = 0; ; ) {
			const chunk = this.#statements.export.all(last) as (NodeRow & { rowid: number })[];
			if (chunk.length === 0) return;
			for (const row of chunk) visit(this.#view(row, mirrorIds.get(row.id)));
			last = chunk.at(-1)!.rowid;
		}
	}

	/** Brings everything from the log into the database's file. */
	save(): void {
		this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
	}

	close(): void {
		this.#database.close();
	}

	#view(row: NodeRow, mirrorIds?: string | null): OutlineNode {
		const { originId } = row;
		const content = originId === null ? row : (this.#statements.get.get(originId) as Row);
		const node: OutlineNode = {
			id: row.id,
			parentId: row.parentId,
			name: content.name,
			note: content.note,
			priority: row.priority,
			layoutMode: content.layoutMode,
			completed: content.completedAt !== null,
			createdAt: content.createdAt,
			modifiedAt: content.modifiedAt,
			completedAt: content.completedAt,
			properties: {},
		};
		if (originId !== null) node.mirror = { originId };
		else if (mirrorIds) node.mirror = { mirrorIds: mirrorIds.split(",") };
		return node;
	}

	#transaction<T>(work: () => T): T {
		const { begin, commit, rollback } = this.#statements;
		begin.run();
		try {
			const result = work();
			commit.run();
			return result;
		} catch (error) {
			rollback.run();
			throw error;
		}
	}
}

/** The variants are `full` and `normal`: how far a commit is synced. */
export function open(directory: string, variant: string): Contender {
	const database = new Libsql(join(directory, "raw.db"));
	database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${variant}; ${schema}`);
	return new RawSqlite(database);
}
