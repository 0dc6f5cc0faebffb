import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OutlineNode } from "outlinekit";
import * as Y from "yjs";
import type { Contender, End, NewNode, NodeView, SeedNode } from "../../contender.ts";
import { seconds } from "../plain-map.ts";

type YNode = Y.Map<unknown>;

/**
 * A Yjs document. It has no trees: each node is a Y.Map in a Y.Map of all, with its children's ids in a
 * Y.Array, so that they have an order, and each operation is a transaction. Names are plain texts, replaced
 * as a whole. The cycle check is by hand, and doesn't prevent cycles by simultaneous moves of other replicas.
 */
class YjsDocument implements Contender {
	readonly synchronous = true;
	readonly #doc: Y.Doc;
	readonly #nodes: Y.Map<YNode>;
	readonly #top: Y.Array<string>;
	readonly #path: string;
	readonly #mirrorIds = new Map<string, string[]>();

	constructor(doc: Y.Doc, path: string) {
		this.#doc = doc;
		this.#path = path;
		this.#nodes = doc.getMap("nodes");
		this.#top = doc.getArray("top");
		for (const [id, node] of this.#nodes) this.#addMirror(id, node.get("originId") as string | undefined);
	}

	bulkCreate(roots: readonly SeedNode[]): void {
		const add = (parentId: string | null, siblings: Y.Array<string>, nodes: readonly SeedNode[]) => {
			for (const { id, name, layoutMode, completed, children } of nodes) {
				const node = this.#insert(id, parentId, { name, layoutMode, ...(completed ? { completedAt: seconds() } : {}) });
				if (children.length > 0) add(id, node.get("children") as Y.Array<string>, children);
			}
			siblings.push(nodes.map(({ id }) => id));
		};
		this.#doc.transact(() => add(null, this.#top, roots));
	}

	mirror(id: string, originId: string, parentId: string): void {
		this.#doc.transact(() => {
			this.#insert(id, parentId, { name: "", originId });
			this.#children(parentId).push([id]);
		});
		this.#addMirror(id, originId);
	}

	create({ id, parentId, name, position }: NewNode): NodeView {
		this.#doc.transact(() => {
			this.#insert(id, parentId, { name });
			this.#place(id, parentId, position);
		});
		return this.get(id);
	}

	get(id: string): NodeView {
		return this.#view(id, 0);
	}

	list(parentId: string | null): readonly NodeView[] {
		const of = parentId === null ? null : ((this.#node(parentId).get("originId") as string | undefined) ?? parentId);
		return this.#children(of).map((id, index) => this.#view(id, index));
	}

	move(id: string, parentId: string, position: End): NodeView {
		for (let above: string | null = parentId; above !== null; above = this.#parentId(above)) {
			if (above === id) throw new Error("That would be a cycle.");
		}
		this.#doc.transact(() => {
			this.#remove(id);
			this.#node(id).set("parentId", parentId);
			this.#place(id, parentId, position);
		});
		return this.get(id);
	}

	update(id: string, name: string): NodeView {
		const node = this.#node(id);
		this.#doc.transact(() => {
			node.set("name", name);
			node.set("modifiedAt", seconds());
		});
		return this.get(id);
	}

	sendUpdate(id: string, name: string): Uint8Array {
		let sent: Uint8Array = new Uint8Array();
		this.#doc.once("update", (update) => {
			sent = update;
		});
		this.update(id, name);
		return sent;
	}

	complete(id: string): NodeView {
		const node = this.#content(this.#node(id));
		if (!node.has("completedAt")) {
			this.#doc.transact(() => {
				node.set("completedAt", seconds());
				node.set("modifiedAt", seconds());
			});
		}
		return this.get(id);
	}

	delete(id: string): void {
		const going = [id];
		for (let next = 0; next < going.length; next++) going.push(...this.#children(going[next]!));
		if (going.some((each) => this.#mirrorIds.has(each))) throw new Error("It has mirrors.");
		this.#doc.transact(() => {
			this.#remove(id);
			for (const each of going) this.#nodes.delete(each);
		});
	}

	export(visit: (node: OutlineNode) => void): void {
		const visitAll = (ids: Iterable<string>) => {
			let index = 0;
			for (const id of ids) {
				visit(this.#view(id, index++));
				visitAll(this.#children(id));
			}
		};
		visitAll(this.#top);
	}

	save(): Promise<void> {
		return writeFile(this.#path, Y.encodeStateAsUpdate(this.#doc));
	}

	close(): void {
		this.#doc.destroy();
	}

	#node(id: string): YNode {
		const node = this.#nodes.get(id);
		if (node === undefined) throw new Error(`There is no node ${id}.`);
		return node;
	}

	#content(node: YNode): YNode {
		const originId = node.get("originId") as string | undefined;
		return originId === undefined ? node : this.#node(originId);
	}

	#parentId(id: string): string | null {
		return this.#node(id).get("parentId") as string | null;
	}

	#children(id: string | null): Y.Array<string> {
		return id === null ? this.#top : (this.#node(id).get("children") as Y.Array<string>);
	}

	#insert(id: string, parentId: string | null, content: Record<string, unknown>): YNode {
		const now = seconds();
		const fields = { parentId, layoutMode: "bullets", createdAt: now, modifiedAt: now, ...content };
		const node: YNode = new Y.Map(Object.entries({ ...fields, children: new Y.Array<string>() }));
		this.#nodes.set(id, node);
		return node;
	}

	#place(id: string, parentId: string, position: End): void {
		const siblings = this.#children(parentId);
		if (position === "top") siblings.unshift([id]);
		else siblings.push([id]);
	}

	#remove(id: string): void {
		const siblings = this.#children(this.#parentId(id));
		siblings.delete(siblings.toArray().indexOf(id));
	}

	#addMirror(id: string, originId: string | undefined): void {
		if (originId !== undefined) this.#mirrorIds.set(originId, [...(this.#mirrorIds.get(originId) ?? []), id]);
	}

	#view(id: string, priority: number): OutlineNode {
		const node = this.#node(id);
		const content = this.#content(node);
		const completedAt = (content.get("completedAt") as number | undefined) ?? null;
		const view: OutlineNode = {
			id,
			parentId: node.get("parentId") as string | null,
			name: content.get("name") as string,
			note: (content.get("note") as string | undefined) ?? null,
			priority,
			layoutMode: content.get("layoutMode") as OutlineNode["layoutMode"],
			properties: {},
			completed: completedAt !== null,
			createdAt: content.get("createdAt") as number,
			modifiedAt: content.get("modifiedAt") as number,
			completedAt,
		};
		const mirrorIds = this.#mirrorIds.get(id);
		if (content !== node) view.mirror = { originId: node.get("originId") as string };
		else if (mirrorIds !== undefined) view.mirror = { mirrorIds: [...mirrorIds] };
		return view;
	}
}

export async function open(directory: string): Promise<Contender> {
	const path = join(directory, "outline.yjs");
	const doc = new Y.Doc();
	const saved = await readFile(path).catch(() => undefined);
	if (saved !== undefined) Y.applyUpdate(doc, saved);
	return new YjsDocument(doc, path);
}
