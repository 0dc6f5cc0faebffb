import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OutlineNode } from "outlinekit";
import { createIndexes, createStore, type Indexes, type Row, type Store } from "tinybase";
import type { Contender, End, NewNode, NodeView, SeedNode } from "../../contender.ts";
import { seconds } from "../plain-map.ts";

/** The parent in the cells of nodes at the top level: cells have no null by default. */
const root = "";

/**
 * A TinyBase store: a row for each node, and an index that sorts children by priority, as in its guides.
 * Several cells change in a transaction. The cycle check and the deletion of subtrees are by hand.
 */
class TinyBase implements Contender {
	readonly synchronous = true;
	readonly #store: Store;
	readonly #indexes: Indexes;
	readonly #path: string;

	constructor(store: Store, path: string) {
		this.#store = store;
		this.#path = path;
		this.#indexes = createIndexes(store);
		this.#indexes.setIndexDefinition("children", "nodes", "parentId", "priority");
		this.#indexes.setIndexDefinition("mirrors", "nodes", (cell) => (cell("originId") as string | undefined) ?? "none");
	}

	bulkCreate(roots: readonly SeedNode[]): void {
		const now = seconds();
		const add = (parentId: string, nodes: readonly SeedNode[]) => {
			for (const [priority, { id, name, layoutMode, completed, children }] of nodes.entries()) {
				const row: Row = { parentId, priority, name, layoutMode, createdAt: now, modifiedAt: now };
				if (completed) row.completedAt = now;
				this.#store.setRow("nodes", id, row);
				add(id, children);
			}
		};
		this.#store.transaction(() => add(root, roots));
	}

	mirror(id: string, originId: string, parentId: string): void {
		this.#insert(id, parentId, "bottom", { name: "", originId });
	}

	create({ id, parentId, name, position }: NewNode): NodeView {
		this.#insert(id, parentId, position, { name });
		return this.get(id);
	}

	get(id: string): OutlineNode {
		const row = this.#row(id);
		const originId = row.originId as string | undefined;
		const content = originId === undefined ? row : this.#row(originId);
		const node: OutlineNode = {
			id,
			parentId: row.parentId === root ? null : (row.parentId as string),
			name: content.name as string,
			note: (content.note as string | undefined) ?? null,
			priority: row.priority as number,
			layoutMode: content.layoutMode as OutlineNode["layoutMode"],
			properties: {},
			completed: content.completedAt !== undefined,
			createdAt: content.createdAt as number,
			modifiedAt: content.modifiedAt as number,
			completedAt: (content.completedAt as number | undefined) ?? null,
		};
		const mirrorIds = this.#indexes.getSliceRowIds("mirrors", id);
		if (originId !== undefined) node.mirror = { originId };
		else if (mirrorIds.length > 0) node.mirror = { mirrorIds: [...mirrorIds] };
		return node;
	}

	list(parentId: string | null): readonly NodeView[] {
		const of = parentId === null ? root : ((this.#store.getCell("nodes", parentId, "originId") as string) ?? parentId);
		return this.#indexes.getSliceRowIds("children", of).map((id) => this.get(id));
	}

	move(id: string, parentId: string, position: End): NodeView {
		for (let above = parentId; above !== root; above = this.#store.getCell("nodes", above, "parentId") as string) {
			if (above === id) throw new Error("That would be a cycle.");
		}
		const priority = this.#priority(parentId, position);
		this.#store.transaction(() => this.#store.setPartialRow("nodes", id, { parentId, priority }));
		return this.get(id);
	}

	update(id: string, name: string): NodeView {
		this.#store.transaction(() => this.#store.setPartialRow("nodes", id, { name, modifiedAt: seconds() }));
		return this.get(id);
	}

	sendUpdate(id: string, name: string): Uint8Array {
		let sent = "";
		const listener = this.#store.addDidFinishTransactionListener((store) => {
			sent = JSON.stringify(store.getTransactionChanges());
		});
		this.update(id, name);
		this.#store.delListener(listener);
		return Buffer.from(sent);
	}

	complete(id: string): NodeView {
		const content = (this.#store.getCell("nodes", id, "originId") as string | undefined) ?? id;
		if (!this.#store.hasCell("nodes", content, "completedAt")) {
			const now = seconds();
			this.#store.transaction(() => this.#store.setPartialRow("nodes", content, { completedAt: now, modifiedAt: now }));
		}
		return this.get(id);
	}

	delete(id: string): void {
		const going = [id];
		for (let next = 0; next < going.length; next++) {
			going.push(...this.#indexes.getSliceRowIds("children", going[next]!));
		}
		if (going.some((each) => this.#indexes.getSliceRowIds("mirrors", each).length > 0)) {
			throw new Error("It has mirrors.");
		}
		this.#store.transaction(() => {
			for (const each of going) this.#store.delRow("nodes", each);
		});
	}

	export(visit: (node: OutlineNode) => void): void {
		this.#store.forEachRow("nodes", (id) => visit(this.get(id)));
	}

	save(): Promise<void> {
		return writeFile(this.#path, this.#store.getJson());
	}

	close(): void {
		this.#indexes.destroy();
	}

	#row(id: string): Row {
		const row = this.#store.getRow("nodes", id);
		if (row.name === undefined) throw new Error(`There is no node ${id}.`);
		return row;
	}

	#insert(id: string, parentId: string, position: End, content: Row): void {
		const now = seconds();
		const place = { parentId, priority: this.#priority(parentId, position) };
		this.#store.setRow("nodes", id, { ...place, layoutMode: "bullets", createdAt: now, modifiedAt: now, ...content });
	}

	#priority(parentId: string, position: End): number {
		const siblings = this.#indexes.getSliceRowIds("children", parentId);
		if (siblings.length === 0) return 0;
		const outermost = position === "top" ? siblings[0]! : siblings.at(-1)!;
		const priority = this.#store.getCell("nodes", outermost, "priority") as number;
		return position === "top" ? priority - 1 : priority + 1;
	}
}

export async function open(directory: string): Promise<Contender> {
	const path = join(directory, "store.json");
	const store = createStore();
	const saved = await readFile(path, "utf8").catch(() => undefined);
	if (saved !== undefined) store.setJson(saved);
	return new TinyBase(store, path);
}
