import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as Automerge from "@automerge/automerge";
import { ImmutableString } from "@automerge/automerge";
import type { OutlineNode } from "outlinekit";
import type { Contender, End, NewNode, NodeView, SeedNode } from "../../contender.ts";
import { seconds } from "../plain-map.ts";

/**
 * Automerge's immutable texts, which are replaced as a whole: its other texts, for typing together, cost
 * more.
 */
interface AutomergeNode {
	parentId: ImmutableString | null;
	name: ImmutableString;
	layoutMode: ImmutableString;
	createdAt: number;
	modifiedAt: number;
	completedAt: number | null;
	originId: ImmutableString | null;
	children: ImmutableString[];
}

interface OutlineDocument extends Record<string, unknown> {
	nodes: Record<string, AutomergeNode>;
	top: ImmutableString[];
}

/**
 * An Automerge document. It has no trees: each node is an object in a map of all, with its children's ids in
 * a list, and each operation is a change. The cycle check is by hand, and doesn't prevent cycles by
 * simultaneous moves of other replicas.
 */
class AutomergeDocument implements Contender {
	readonly synchronous = true;
	#doc: Automerge.Doc<OutlineDocument>;
	readonly #path: string;
	readonly #mirrorIds = new Map<string, string[]>();

	constructor(doc: Automerge.Doc<OutlineDocument>, path: string) {
		this.#doc = doc;
		this.#path = path;
	}

	bulkCreate(roots: readonly SeedNode[]): void {
		this.#change((doc) => {
			const nodes: Record<string, AutomergeNode> = {};
			const add = (parentId: string | null, siblings: readonly SeedNode[]): ImmutableString[] =>
				siblings.map(({ id, name, layoutMode, completed, children }) => {
					const node = newNode(parentId, name);
					node.layoutMode = new ImmutableString(layoutMode);
					if (completed) node.completedAt = node.createdAt;
					nodes[id] = node;
					node.children = add(id, children);
					return new ImmutableString(id);
				});
			doc.top = add(null, roots);
			doc.nodes = nodes;
		});
	}

	mirror(id: string, originId: string, parentId: string): void {
		this.#change((doc) => {
			doc.nodes[id] = { ...newNode(parentId, ""), originId: new ImmutableString(originId) };
			place(doc, id, parentId, "bottom");
		});
		this.#mirrorIds.set(originId, [...(this.#mirrorIds.get(originId) ?? []), id]);
	}

	create({ id, parentId, name, position }: NewNode): NodeView {
		this.#change((doc) => {
			doc.nodes[id] = newNode(parentId, name);
			place(doc, id, parentId, position);
		});
		return this.get(id);
	}

	get(id: string): NodeView {
		return this.#view(id, 0);
	}

	list(parentId: string | null): readonly NodeView[] {
		const of = parentId === null ? null : (this.#node(parentId).originId?.val ?? parentId);
		return childrenOf(this.#doc, of).map((id, index) => this.#view(id.val, index));
	}

	move(id: string, parentId: string, position: End): NodeView {
		for (let above: string | null = parentId; above !== null; above = this.#node(above).parentId?.val ?? null) {
			if (above === id) throw new Error("That would be a cycle.");
		}
		const index = this.#indexOf(id);
		this.#change((doc) => {
			remove(doc, id, index);
			doc.nodes[id]!.parentId = new ImmutableString(parentId);
			place(doc, id, parentId, position);
		});
		return this.get(id);
	}

	update(id: string, name: string): NodeView {
		this.#change((doc) => {
			doc.nodes[id]!.name = new ImmutableString(name);
			doc.nodes[id]!.modifiedAt = seconds();
		});
		return this.get(id);
	}

	complete(id: string): NodeView {
		const content = this.#node(id).originId?.val ?? id;
		if (this.#node(content).completedAt === null) {
			this.#change((doc) => {
				doc.nodes[content]!.completedAt = seconds();
				doc.nodes[content]!.modifiedAt = seconds();
			});
		}
		return this.get(id);
	}

	delete(id: string): void {
		const going = [id];
		for (let next = 0; next < going.length; next++) {
			going.push(...this.#node(going[next]!).children.map(({ val }) => val));
		}
		if (going.some((each) => this.#mirrorIds.has(each))) throw new Error("It has mirrors.");
		const index = this.#indexOf(id);
		this.#change((doc) => {
			remove(doc, id, index);
			for (const each of going) delete doc.nodes[each];
		});
	}

	export(visit: (node: OutlineNode) => void): void {
		const visitAll = (ids: readonly ImmutableString[]) => {
			for (const [index, { val }] of ids.entries()) {
				visit(this.#view(val, index));
				visitAll(this.#node(val).children);
			}
		};
		visitAll(this.#doc.top);
	}

	save(): Promise<void> {
		return writeFile(this.#path, Automerge.save(this.#doc));
	}

	close(): void {
		Automerge.free(this.#doc);
	}

	#change(change: (doc: OutlineDocument) => void): void {
		this.#doc = Automerge.change(this.#doc, change);
	}

	#node(id: string): AutomergeNode {
		const node = this.#doc.nodes[id];
		if (node === undefined) throw new Error(`There is no node ${id}.`);
		return node;
	}

	#indexOf(id: string): number {
		return childrenOf(this.#doc, this.#node(id).parentId?.val ?? null).findIndex(({ val }) => val === id);
	}

	#view(id: string, priority: number): OutlineNode {
		const node = this.#node(id);
		const originId = node.originId?.val ?? null;
		const content = originId === null ? node : this.#node(originId);
		const view: OutlineNode = {
			id,
			parentId: node.parentId?.val ?? null,
			name: content.name.val,
			note: null,
			priority,
			layoutMode: content.layoutMode.val as OutlineNode["layoutMode"],
			properties: {},
			completed: content.completedAt !== null,
			createdAt: content.createdAt,
			modifiedAt: content.modifiedAt,
			completedAt: content.completedAt,
		};
		const mirrorIds = this.#mirrorIds.get(id);
		if (originId !== null) view.mirror = { originId };
		else if (mirrorIds !== undefined) view.mirror = { mirrorIds: [...mirrorIds] };
		return view;
	}
}

function newNode(parentId: string | null, name: string): AutomergeNode {
	const now = seconds();
	return {
		parentId: parentId === null ? null : new ImmutableString(parentId),
		name: new ImmutableString(name),
		layoutMode: new ImmutableString("bullets"),
		createdAt: now,
		modifiedAt: now,
		completedAt: null,
		originId: null,
		children: [],
	};
}

function childrenOf(doc: Automerge.Doc<OutlineDocument>, id: string | null): readonly ImmutableString[] {
	return id === null ? doc.top : doc.nodes[id]!.children;
}

function place(doc: OutlineDocument, id: string, parentId: string, position: End): void {
	const siblings = doc.nodes[parentId]!.children;
	if (position === "top") siblings.unshift(new ImmutableString(id));
	else siblings.push(new ImmutableString(id));
}

function remove(doc: OutlineDocument, id: string, index: number): void {
	const parentId = doc.nodes[id]!.parentId?.val ?? null;
	const siblings = parentId === null ? doc.top : doc.nodes[parentId]!.children;
	siblings.splice(index, 1);
}

export async function open(directory: string): Promise<Contender> {
	const path = join(directory, "outline.automerge");
	const saved = await readFile(path).catch(() => undefined);
	const doc =
		saved === undefined
			? Automerge.from<OutlineDocument>({ nodes: {}, top: [] })
			: Automerge.load<OutlineDocument>(new Uint8Array(saved));
	return new AutomergeDocument(doc, path);
}
