import { join } from "node:path";
import Libsql from "libsql";
import type { OutlineNode } from "outlinekit";
import type { Contender, End, NewNode, NodeView, SeedNode } from "../contender.ts";
import { seconds } from "./plain-map.ts";

/** A row, as it is read. */
interface NodeRow extends Omit<OutlineNode, "completed" | "mirror"> {
	originId: string | null;
	mirrorIds: string | null;
}

const schema = `
	CREATE TABLE IF NOT EXISTS nodes (
		id TEXT PRIMARY KEY, parent TEXT, priority INTEGER NOT NULL, name TEXT NOT NULL, note TEXT, layout TEXT NOT NULL,
		created INTEGER NOT NULL, modified INTEGER NOT NULL, completed INTEGER, origin TEXT
	);
	CREATE INDEX IF NOT EXISTS children ON nodes (parent, priority);
	CREATE INDEX IF NOT EXISTS mirrors ON nodes (origin) WHERE origin IS NOT NULL;`;

const columns = (node: string, content: string) => `
	${node}.id, ${node}.parent AS parentId, ${content}.name, ${content}.note, ${node}.priority, ${content}.layout AS layoutMode,
	${content}.created AS createdAt, ${content}.modified AS modifiedAt, ${content}.completed AS completedAt,
	${node}.origin AS originId, (SELECT group_concat(id) FROM nodes WHERE origin = ${node}.id) AS mirrorIds`;

/** Every node with the row whose content it shows. */
const views = `SELECT ${columns("node", "content")} FROM nodes AS node JOIN nodes AS content ON content.id = coalesce(node.origin, node.id)`;

const subtree = `WITH RECURSIVE below (id) AS (VALUES (:id) UNION ALL SELECT nodes.id FROM nodes JOIN below ON nodes.parent = below.id)`;

const place = {
	top: "(SELECT coalesce(min(priority) - 1, 0) FROM nodes WHERE parent = :parent)",
	bottom: "(SELECT coalesce(max(priority) + 1, 0) FROM nodes WHERE parent = :parent)",
};

/**
 * What one writes by hand on SQLite: a table of what is needed and no more, prepared statements, an autocommit where one
 * statement is enough, and a transaction where it isn't.
 */
class RawSqlite implements Contender {
	readonly synchronous = true;
	readonly #database: InstanceType<typeof Libsql>;
	readonly #statements;

	constructor(database: InstanceType<typeof Libsql>) {
		this.#database = database;
		const create = (end: End) =>
			database.prepare(`INSERT INTO nodes SELECT :id, :parent, ${place[end]}, :name, NULL, :layout, :now, :now, NULL, :origin
				RETURNING id, parent AS parentId, name, note, priority, layout AS layoutMode, created AS createdAt,
					modified AS modifiedAt, completed AS completedAt, origin AS originId, NULL AS mirrorIds`);
		const move = (end: End) =>
			database.prepare(`UPDATE nodes SET priority = ${place[end]}, parent = :parent WHERE id = :id`);
		this.#statements = {
			begin: database.prepare("BEGIN IMMEDIATE"),
			commit: database.prepare("COMMIT"),
			rollback: database.prepare("ROLLBACK"),
			insert: database.prepare("INSERT INTO nodes VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, NULL)"),
			create: { top: create("top"), bottom: create("bottom") },
			get: database.prepare(`${views} WHERE node.id = ?`),
			list: database.prepare(
				`${views} WHERE node.parent = coalesce((SELECT origin FROM nodes WHERE id = ?1), ?1) ORDER BY node.priority`,
			),
			top: database.prepare(`${views} WHERE node.parent IS NULL ORDER BY node.priority`),
			export: database.prepare(views),
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
		this.#statements.create.bottom.get(row);
	}

	create({ id, parentId, name, position }: NewNode): NodeView {
		const row = { id, parent: parentId, name, layout: "bullets", now: seconds(), origin: null };
		return view(this.#statements.create[position].get(row) as NodeRow);
	}

	get(id: string): NodeView {
		const row = this.#statements.get.get(id) as NodeRow | undefined;
		if (row === undefined) throw new Error(`There is no node ${id}.`);
		return view(row);
	}

	list(parentId: string | null): readonly NodeView[] {
		const { top, list } = this.#statements;
		return ((parentId === null ? top.all() : list.all(parentId)) as NodeRow[]).map(view);
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
		for (const row of this.#statements.export.iterate()) visit(view(row as NodeRow));
	}

	close(): void {
		this.#database.close();
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

function view({ originId, mirrorIds, ...fields }: NodeRow): OutlineNode {
	const node: OutlineNode = { ...fields, completed: fields.completedAt !== null };
	if (originId !== null) node.mirror = { originId };
	else if (mirrorIds !== null) node.mirror = { mirrorIds: mirrorIds.split(",") };
	return node;
}

/** The variants are `full` and `normal`: how far a commit is synced. */
export function open(directory: string, variant: string): Contender {
	const database = new Libsql(join(directory, "raw.db"));
	database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${variant}; ${schema}`);
	return new RawSqlite(database);
}
