import type { OutlineNode } from "outlinekit";
import type { Contender, End, NewNode, NodeView, SeedNode } from "../contender.ts";

/** The stored form of a node. */
export interface PlainRecord {
	readonly id: string;
	parentId: string | null;
	priority: number;
	name: string;
	note: string | null;
	layoutMode: SeedNode["layoutMode"];
	readonly createdAt: number;
	modifiedAt: number;
	completedAt: number | null;
	originId: string | null;
}

/**
 * A Map by hand: objects by their ids, and sorted lists of children. It only checks that references exist,
 * that a move makes no cycle, and that no origin is deleted before its mirrors.
 */
export class PlainMap implements Contender {
	readonly synchronous: boolean = true;
	protected readonly records = new Map<string, PlainRecord>();
	readonly #children = new Map<string | null, PlainRecord[]>();
	readonly #mirrorIds = new Map<string, string[]>();

	bulkCreate(roots: readonly SeedNode[]): unknown {
		const add = (parentId: string | null, nodes: readonly SeedNode[]) => {
			for (const { id, name, layoutMode, completed, children } of nodes) {
				const record = this.#insert(id, parentId, "bottom", name);
				record.layoutMode = layoutMode;
				if (completed) record.completedAt = record.createdAt;
				add(id, children);
			}
		};
		add(null, roots);
		return undefined;
	}

	mirror(id: string, originId: string, parentId: string): unknown {
		const origin = this.#record(originId);
		const record = this.#insert(id, parentId, "bottom", origin.name);
		record.originId = originId;
		this.#addMirror(originId, id);
		return this.#view(record);
	}

	create({ id, parentId, name, position }: NewNode): unknown {
		this.#record(parentId);
		return this.#view(this.#insert(id, parentId, position, name));
	}

	get(id: string): NodeView {
		return this.#view(this.#record(id));
	}

	/** The stored object itself, which the caller can change. */
	stored(id: string): PlainRecord {
		return this.#record(id);
	}

	list(parentId: string | null): readonly NodeView[] {
		const of = parentId === null ? null : (this.#record(parentId).originId ?? parentId);
		return (this.#children.get(of) ?? []).map((record) => this.#view(record));
	}

	move(id: string, parentId: string, position: End): unknown {
		const record = this.#record(id);
		for (let above: string | null = parentId; above !== null; above = this.#record(above).parentId) {
			if (above === id) throw new Error("That would be a cycle.");
		}
		this.#remove(record);
		this.#place(record, parentId, position);
		return this.#view(record);
	}

	update(id: string, name: string): unknown {
		const record = this.#record(id);
		record.name = name;
		record.modifiedAt = seconds();
		return this.#view(record);
	}

	complete(id: string): unknown {
		const record = this.#record(this.#record(id).originId ?? id);
		if (record.completedAt === null) {
			record.completedAt = seconds();
			record.modifiedAt = record.completedAt;
		}
		return this.#view(this.#record(id));
	}

	delete(id: string): unknown {
		const going = [this.#record(id)];
		for (let next = 0; next < going.length; next++) going.push(...(this.#children.get(going[next]!.id) ?? []));
		if (going.some((record) => this.#mirrorIds.has(record.id))) throw new Error("It has mirrors.");
		this.#remove(going[0]!);
		for (const record of going) {
			this.records.delete(record.id);
			this.#children.delete(record.id);
		}
		return undefined;
	}

	export(visit: (node: OutlineNode) => void): unknown {
		for (const record of this.records.values()) visit(this.#view(record));
		return undefined;
	}

	close(): unknown {
		return undefined;
	}

	/** Adds finished records. */
	protected adopt(records: readonly PlainRecord[]): void {
		for (const record of records) {
			this.records.set(record.id, record);
			this.#siblings(record.parentId).push(record);
			if (record.originId !== null) this.#addMirror(record.originId, record.id);
		}
		for (const siblings of this.#children.values()) siblings.sort((left, right) => left.priority - right.priority);
	}

	#addMirror(originId: string, id: string): void {
		const mirrorIds = this.#mirrorIds.get(originId);
		if (mirrorIds === undefined) this.#mirrorIds.set(originId, [id]);
		else mirrorIds.push(id);
	}

	#record(id: string): PlainRecord {
		const record = this.records.get(id);
		if (record === undefined) throw new Error(`There is no node ${id}.`);
		return record;
	}

	#siblings(parentId: string | null): PlainRecord[] {
		let siblings = this.#children.get(parentId);
		if (siblings === undefined) {
			siblings = [];
			this.#children.set(parentId, siblings);
		}
		return siblings;
	}

	#insert(id: string, parentId: string | null, position: End, name: string): PlainRecord {
		const now = seconds();
		const record: PlainRecord = {
			id,
			parentId,
			priority: 0,
			name,
			note: null,
			layoutMode: "bullets",
			createdAt: now,
			modifiedAt: now,
			completedAt: null,
			originId: null,
		};
		this.records.set(id, record);
		this.#place(record, parentId, position);
		return record;
	}

	#place(record: PlainRecord, parentId: string | null, position: End): void {
		const siblings = this.#siblings(parentId);
		record.parentId = parentId;
		if (position === "top") {
			record.priority = siblings.length === 0 ? 0 : siblings[0]!.priority - 1;
			siblings.unshift(record);
		} else {
			record.priority = siblings.length === 0 ? 0 : siblings.at(-1)!.priority + 1;
			siblings.push(record);
		}
	}

	#remove(record: PlainRecord): void {
		const siblings = this.#siblings(record.parentId);
		siblings.splice(siblings.indexOf(record), 1);
	}

	#view(record: PlainRecord): OutlineNode {
		const { id, parentId, priority, originId } = record;
		const content = originId === null ? record : this.#record(originId);
		const view: OutlineNode = {
			id,
			parentId,
			name: content.name,
			note: content.note,
			priority,
			layoutMode: content.layoutMode,
			completed: content.completedAt !== null,
			createdAt: content.createdAt,
			modifiedAt: content.modifiedAt,
			completedAt: content.completedAt,
			properties: {},
		};
		const mirrorIds = this.#mirrorIds.get(id);
		if (originId !== null) view.mirror = { originId };
		else if (mirrorIds !== undefined) view.mirror = { mirrorIds: [...mirrorIds] };
		return view;
	}
}

export function seconds(): number {
	return Math.floor(Date.now() / 1000);
}

export function open(): Contender {
	return new PlainMap();
}
