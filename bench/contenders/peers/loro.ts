import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoroDoc, type LoroTree, type LoroTreeNode, type TreeID } from "loro-crdt";
import type { OutlineNode } from "outlinekit";
import type { Contender, End, NewNode, NodeView, SeedNode } from "../../contender.ts";
import { seconds } from "../plain-map.ts";

/** The data of a node in the tree. */
type Content = Record<string, unknown>;
type TreeNode = LoroTreeNode<Content>;

/**
 * A Loro document with its movable tree, which refuses cycles itself; each operation is a commit. Loro draws
 * the ids. A Map beside it has the id of each node, and the mirrors of each origin. Names are plain texts,
 * replaced as a whole.
 */
class LoroDocument implements Contender {
	readonly synchronous = true;
	readonly #doc: LoroDoc;
	readonly #tree: LoroTree<Content>;
	readonly #path: string;
	readonly #treeIds = new Map<string, TreeID>();
	readonly #mirrorIds = new Map<string, string[]>();

	constructor(doc: LoroDoc, path: string) {
		this.#doc = doc;
		this.#path = path;
		this.#tree = doc.getTree("outline") as LoroTree<Content>;
		this.#tree.enableFractionalIndex(0);
	}

	bulkCreate(roots: readonly SeedNode[]): void {
		const add = (parent: TreeNode | null, nodes: readonly SeedNode[]) => {
			for (const { id, name, layoutMode, completed, children } of nodes) {
				const node = parent === null ? this.#tree.createNode() : parent.createNode();
				this.#fill(node, id, { name, layoutMode, ...(completed ? { completedAt: seconds() } : {}) });
				add(node, children);
			}
		};
		add(null, roots);
		this.#doc.commit();
	}

	mirror(id: string, originId: string, parentId: string): void {
		this.#fill(this.#node(parentId).createNode(), id, { name: "", layoutMode: "bullets", originId });
		this.#doc.commit();
		this.#mirrorIds.set(originId, [...(this.#mirrorIds.get(originId) ?? []), id]);
	}

	create({ id, parentId, name, position }: NewNode): NodeView {
		const node = this.#node(parentId).createNode(position === "top" ? 0 : undefined);
		this.#fill(node, id, { name, layoutMode: "bullets" });
		this.#doc.commit();
		return this.#view(node);
	}

	get(id: string): NodeView {
		return this.#view(this.#node(id));
	}

	list(parentId: string | null): readonly NodeView[] {
		if (parentId === null) return this.#tree.roots().map((node) => this.#view(node));
		const parent = this.#node(parentId);
		const originId = parent.data.get("originId") as string | undefined;
		const of = originId === undefined ? parent : this.#node(originId);
		return (of.children() ?? []).map((node) => this.#view(node));
	}

	move(id: string, parentId: string, position: End): NodeView {
		const node = this.#node(id);
		node.move(this.#node(parentId), position === "top" ? 0 : undefined);
		this.#doc.commit();
		return this.#view(node);
	}

	update(id: string, name: string): NodeView {
		const node = this.#node(id);
		node.data.set("name", name);
		node.data.set("modifiedAt", seconds());
		this.#doc.commit();
		return this.#view(node);
	}

	sendUpdate(id: string, name: string): Uint8Array {
		const from = this.#doc.oplogVersion();
		this.update(id, name);
		return this.#doc.export({ mode: "update", from });
	}

	complete(id: string): NodeView {
		const node = this.#node(id);
		const content = this.#content(node);
		if (content.data.get("completedAt") === undefined) {
			content.data.set("completedAt", seconds());
			content.data.set("modifiedAt", seconds());
			this.#doc.commit();
		}
		return this.#view(node);
	}

	delete(id: string): void {
		const going = [this.#node(id)];
		for (let next = 0; next < going.length; next++) going.push(...(going[next]!.children() ?? []));
		const ids = going.map((node) => node.data.get("id") as string);
		if (ids.some((each) => this.#mirrorIds.has(each))) throw new Error("It has mirrors.");
		this.#tree.delete(going[0]!.id);
		this.#doc.commit();
		for (const each of ids) this.#treeIds.delete(each);
	}

	export(visit: (node: OutlineNode) => void): void {
		const visitAll = (nodes: readonly TreeNode[]) => {
			for (const [index, node] of nodes.entries()) {
				visit(this.#view(node, index));
				visitAll(node.children() ?? []);
			}
		};
		visitAll(this.#tree.roots());
	}

	save(): Promise<void> {
		return writeFile(this.#path, this.#doc.export({ mode: "snapshot" }));
	}

	close(): void {
		this.#doc.free();
	}

	#node(id: string): TreeNode {
		const treeId = this.#treeIds.get(id);
		const node = treeId === undefined ? undefined : this.#tree.getNodeByID(treeId);
		if (node === undefined) throw new Error(`There is no node ${id}.`);
		return node;
	}

	#content(node: TreeNode): TreeNode {
		const originId = node.data.get("originId") as string | undefined;
		return originId === undefined ? node : this.#node(originId);
	}

	#fill(node: TreeNode, id: string, content: Content): void {
		this.#treeIds.set(id, node.id);
		const now = seconds();
		for (const [key, value] of Object.entries({ id, createdAt: now, modifiedAt: now, ...content })) {
			node.data.set(key, value);
		}
	}

	#view(node: TreeNode, priority = 0): OutlineNode {
		// One call for all fields is cheaper than one for each.
		const own = node.data.toJSON() as Content;
		const originId = own.originId as string | undefined;
		const content = originId === undefined ? own : (this.#node(originId).data.toJSON() as Content);
		const completedAt = (content.completedAt as number | undefined) ?? null;
		const view: OutlineNode = {
			id: own.id as string,
			parentId: (node.parent()?.data.get("id") as string | undefined) ?? null,
			name: content.name as string,
			note: (content.note as string | undefined) ?? null,
			priority,
			layoutMode: content.layoutMode as OutlineNode["layoutMode"],
			properties: {},
			completed: completedAt !== null,
			createdAt: content.createdAt as number,
			modifiedAt: content.modifiedAt as number,
			completedAt,
		};
		const mirrorIds = this.#mirrorIds.get(view.id);
		if (originId !== undefined) view.mirror = { originId };
		else if (mirrorIds !== undefined) view.mirror = { mirrorIds: [...mirrorIds] };
		return view;
	}
}

/** A saved document can be listed; to get its nodes by their ids, a program would first read them all. */
export async function open(directory: string): Promise<Contender> {
	const path = join(directory, "outline.loro");
	const saved = await readFile(path).catch(() => undefined);
	return new LoroDocument(saved === undefined ? new LoroDoc() : LoroDoc.fromSnapshot(saved), path);
}
