import type { OutlineNode } from "outlinekit";
import type { Contender, End, NewNode, NodeView, SeedNode } from "../contender.ts";
import { type PlainRecord, seconds } from "./plain-map.ts";

/** A record that is replaced, never changed, so that returned records and undo steps stay as they were. */
type CarefulRecord = Readonly<PlainRecord> & { readonly revision: number };

interface Change {
	readonly before: CarefulRecord | null;
	readonly after: CarefulRecord | null;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const unsafe = /[\0\r\p{Surrogate}]|[&<>*`[\]\\\n]/u;
const fragment = /^(?:[^<>&]|<\/?(?:b|i|s|code|a|time)(?: [a-z]+="[^"<>]*")?>|&(?:amp|lt|gt|quot);)*$/u;

/**
 * A Map by hand that makes the same guarantees as `Outline` in memory, in little code: answers are promises,
 * ids and texts are checked, short ids work, no id occurs twice, a write is atomic and gives every changed
 * record a new revision, the last hundred can be undone, and a feed has the last thousand changes. It leaves
 * out references, other storages, options, helpful messages, listeners, batches and the calendar.
 */
class CarefulMap implements Contender {
	readonly synchronous = false;
	readonly #records = new Map<string, CarefulRecord>();
	readonly #ids = new Map<string, string>();
	readonly #children = new Map<string | null, CarefulRecord[]>();
	readonly #mirrorIds = new Map<string, string[]>();
	readonly #history: Change[][] = [];
	readonly #log: { readonly revision: number; readonly ids: readonly string[] }[] = [];
	#revision = 0;

	bulkCreate(roots: readonly SeedNode[]): Promise<void> {
		return this.#write((changes) => {
			const add = (parentId: string | null, nodes: readonly SeedNode[]) => {
				let priority = 0;
				for (const { id, name, layoutMode, completed, children } of nodes) {
					const record = this.#new(id, parentId, priority++, name);
					const completedAt = completed ? record.createdAt : null;
					changes.push({ before: null, after: { ...record, layoutMode, completedAt } });
					add(id, children);
				}
			};
			add(null, roots);
		});
	}

	mirror(id: string, originId: string, parentId: string): Promise<unknown> {
		return this.#write((changes) => {
			const origin = this.#record(originId);
			const after = { ...this.#new(id, parentId, this.#priority(parentId, "bottom"), origin.name), originId };
			changes.push({ before: null, after }, { before: origin, after: { ...origin, revision: this.#revision + 1 } });
			return this.#view(after);
		});
	}

	create({ id, parentId, name, position }: NewNode): Promise<unknown> {
		return this.#write((changes) => {
			this.#record(parentId);
			const after = this.#new(id, parentId, this.#priority(parentId, position), name);
			changes.push({ before: null, after });
			return this.#view(after);
		});
	}

	async get(id: string): Promise<NodeView> {
		return this.#view(this.#record(id));
	}

	async list(parentId: string | null): Promise<readonly NodeView[]> {
		const of = parentId === null ? null : (this.#record(parentId).originId ?? parentId);
		return (this.#children.get(of) ?? []).map((record) => this.#view(record));
	}

	move(id: string, parentId: string, position: End): Promise<unknown> {
		return this.#write((changes) => {
			const before = this.#record(id);
			for (let above: string | null = parentId; above !== null; above = this.#record(above).parentId) {
				if (above === id) throw new Error("That would be a cycle.");
			}
			const priority = this.#priority(parentId, position);
			const after = { ...before, parentId, priority, revision: this.#revision + 1 };
			changes.push({ before, after });
			return this.#view(after);
		});
	}

	update(id: string, name: string): Promise<unknown> {
		return this.#write((changes) => {
			const before = this.#record(id);
			const after = { ...before, name: checked(name), modifiedAt: seconds(), revision: this.#revision + 1 };
			changes.push({ before, after });
			return this.#view(after);
		});
	}

	complete(id: string): Promise<unknown> {
		return this.#write((changes) => {
			const asked = this.#record(id);
			const before = asked.originId === null ? asked : this.#record(asked.originId);
			if (before.completedAt !== null) return this.#view(asked);
			const now = seconds();
			const after = { ...before, completedAt: now, modifiedAt: now, revision: this.#revision + 1 };
			changes.push({ before, after });
			return this.#view(asked === before ? after : asked);
		});
	}

	delete(id: string): Promise<void> {
		return this.#write((changes) => {
			const going = [this.#record(id)];
			for (let next = 0; next < going.length; next++) going.push(...(this.#children.get(going[next]!.id) ?? []));
			if (going.some((record) => this.#mirrorIds.has(record.id))) throw new Error("It has mirrors.");
			for (const before of going) changes.push({ before, after: null });
		});
	}

	async export(visit: (node: OutlineNode) => void): Promise<void> {
		for await (const node of this.#exported()) visit(node);
	}

	async close(): Promise<void> {}

	async *#exported(): AsyncIterable<OutlineNode> {
		for (const record of this.#records.values()) yield this.#view(record);
	}

	/** Makes all changes that an operation plans, or, if it throws, none. */
	async #write<T>(operation: (changes: Change[]) => T): Promise<T> {
		const changes: Change[] = [];
		const value = operation(changes);
		if (changes.length === 0) return value;
		this.#revision += 1;
		for (const { before, after } of changes) {
			if (before !== null) this.#takeOut(before);
			if (after !== null) this.#putIn(after);
		}
		if (this.#history.push(changes) > 100) this.#history.shift();
		const ids = changes.map(({ before, after }) => (before ?? after)!.id);
		if (this.#log.push({ revision: this.#revision, ids }) > 1000) this.#log.shift();
		return value;
	}

	#new(id: string, parentId: string | null, priority: number, name: string): CarefulRecord {
		if (!uuid.test(id)) throw new Error(`${id} is no id.`);
		if (this.#ids.has(id.slice(-12))) throw new Error(`${id} is taken.`);
		const now = seconds();
		return {
			id,
			parentId,
			priority,
			name: checked(name),
			note: null,
			layoutMode: "bullets",
			createdAt: now,
			modifiedAt: now,
			completedAt: null,
			originId: null,
			revision: this.#revision + 1,
		};
	}

	#priority(parentId: string, position: End): number {
		const siblings = this.#children.get(parentId);
		if (siblings === undefined || siblings.length === 0) return 0;
		return position === "top" ? siblings[0]!.priority - 1 : siblings.at(-1)!.priority + 1;
	}

	#putIn(record: CarefulRecord): void {
		const { id, parentId, priority, originId } = record;
		this.#records.set(id, record);
		this.#ids.set(id.slice(-12), id);
		const siblings = this.#children.get(parentId);
		if (siblings === undefined) this.#children.set(parentId, [record]);
		else siblings.splice(placeOf(siblings, priority), 0, record);
		if (originId === null) return;
		const mirrorIds = this.#mirrorIds.get(originId);
		if (mirrorIds === undefined) this.#mirrorIds.set(originId, [id]);
		else mirrorIds.push(id);
	}

	#takeOut({ id, parentId, priority, originId }: CarefulRecord): void {
		this.#records.delete(id);
		this.#ids.delete(id.slice(-12));
		const siblings = this.#children.get(parentId)!;
		if (siblings.length === 1) this.#children.delete(parentId);
		else siblings.splice(placeOf(siblings, priority), 1);
		if (originId === null) return;
		const mirrorIds = this.#mirrorIds.get(originId)!;
		if (mirrorIds.length === 1) this.#mirrorIds.delete(originId);
		else mirrorIds.splice(mirrorIds.indexOf(id), 1);
	}

	#record(id: string): CarefulRecord {
		const record = this.#records.get(id);
		if (record === undefined) throw new Error(`There is no node ${id}.`);
		return record;
	}

	#view(record: CarefulRecord): OutlineNode {
		const { id, parentId, priority, originId } = record;
		const content = originId === null ? record : this.#record(originId);
		const { name, note, layoutMode, createdAt, modifiedAt, completedAt } = content;
		const completed = completedAt !== null;
		const view: OutlineNode = {
			id,
			parentId,
			name,
			note,
			priority,
			layoutMode,
			completed,
			createdAt,
			modifiedAt,
			completedAt,
			properties: {},
		};
		const mirrorIds = this.#mirrorIds.get(id);
		if (originId !== null) view.mirror = { originId };
		else if (mirrorIds !== undefined) view.mirror = { mirrorIds: [...mirrorIds] };
		return view;
	}
}

/**
 * The index of the first sorted sibling whose priority isn't lower. No two siblings have the same one here.
 */
function placeOf(siblings: readonly CarefulRecord[], priority: number): number {
	let low = 0;
	let high = siblings.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (siblings[middle]!.priority < priority) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** An allowed fragment of HTML. */
function checked(name: string): string {
	if (unsafe.test(name) && !fragment.test(name)) throw new Error("That is no fragment that may be kept.");
	return name;
}

export function open(): Contender {
	return new CarefulMap();
}
