import type { LayoutMode } from "../../src/layout-mode.js";
import type { Properties, PropertyChanges } from "../../src/properties.js";

/** A node of the model. Its place is its position in the children list of its parent. */
export interface NaiveNode {
	key: number;
	parent: NaiveNode | null;
	origin: NaiveNode | null;
	name: string;
	note: string | null;
	layoutMode: LayoutMode;
	properties: Properties;
	createdAt: number;
	modifiedAt: number;
	completedAt: number | null;
	children: NaiveNode[];
}

/** The refusal of an operation of the model. */
export class Refusal extends Error {
	constructor(readonly code: string) {
		super(code);
	}
}

export type NaiveEnd = "top" | "bottom";

/** An end, or directly beside a sibling. */
export type NaivePlace = NaiveEnd | { side: "before" | "after"; sibling: NaiveNode };

/**
 * The rules of the outline once more, as plainly as possible: lists of children instead of priorities,
 * searches instead of indexes. It shares no code with the engine.
 */
export class NaiveOutline {
	readonly roots: NaiveNode[] = [];
	readonly keys = new Map<string, NaiveNode>();
	#count = 0;

	/** Every node, in tree order. */
	all(): NaiveNode[] {
		const walk = (nodes: NaiveNode[]): NaiveNode[] => nodes.flatMap((node) => [node, ...walk(node.children)]);
		return walk(this.roots);
	}

	content(node: NaiveNode): NaiveNode {
		return node.origin ?? node;
	}

	mirrorsOf(node: NaiveNode): NaiveNode[] {
		return this.all().filter((other) => other.origin === node);
	}

	create(
		parent: NaiveNode | string | null,
		blocks: { depth: number; name: string; layoutMode: LayoutMode; completed: boolean }[],
		note: string | null,
		properties: PropertyChanges,
		place: NaivePlace,
		seconds: number,
	): NaiveNode {
		const at =
			typeof parent === "string" ? this.onDemand(parent, seconds) : parent === null ? null : this.content(parent);
		const path: NaiveNode[] = [];
		for (const block of blocks) {
			path.length = block.depth;
			const above = path.at(-1);
			const node = this.#make(above ?? at, block.name, seconds);
			node.layoutMode = block.layoutMode;
			node.completedAt = block.completed ? seconds : null;
			if (above !== undefined) above.children.push(node);
			else {
				node.note = note;
				node.properties = withChanges({}, properties);
				this.#insert(node, place);
			}
			path.push(node);
		}
		return path[0]!;
	}

	update(
		node: NaiveNode,
		change: { name?: string; note?: string | null; layoutMode?: LayoutMode },
		properties: PropertyChanges,
		seconds: number,
	): NaiveNode {
		const content = this.content(node);
		const shown = () => JSON.stringify([content.name, content.note, content.layoutMode, content.properties]);
		const before = shown();
		Object.assign(content, change, { properties: withChanges(content.properties, properties) });
		if (shown() !== before) content.modifiedAt = seconds;
		return node;
	}

	setCompleted(node: NaiveNode, completed: boolean, seconds: number): NaiveNode {
		const content = this.content(node);
		if (completed !== (content.completedAt !== null)) {
			content.completedAt = completed ? seconds : null;
			content.modifiedAt = seconds;
		}
		return node;
	}

	move(node: NaiveNode, parent: NaiveNode | string | null | undefined, place: NaivePlace, seconds: number): NaiveNode {
		const before = this.snapshot();
		const target =
			parent === undefined ? node.parent : typeof parent === "string" ? this.onDemand(parent, seconds) : parent;
		const beside = typeof place === "object";
		if (beside && place.sibling === node) throw new Refusal("invalid_argument");
		if (parent !== undefined && target !== null && !(beside && target === node.parent)) {
			const cycle = this.#lineage(target).includes(node) || this.content(target) === this.content(node);
			if (cycle) {
				before();
				throw new Refusal("would_create_cycle");
			}
		}
		this.#detach(node);
		node.parent = target;
		this.#insert(node, place);
		return node;
	}

	/** @param place - undefined: directly after the node, or the top of the parent, if there is one */
	duplicate(
		node: NaiveNode,
		parent: NaiveNode | string | null | undefined,
		place: NaivePlace | undefined,
		seconds: number,
	): NaiveNode {
		const copies = new Map<NaiveNode, NaiveNode>();
		const copy = (original: NaiveNode, above: NaiveNode | null): NaiveNode => {
			const made = { ...original, key: this.#count++, parent: above, createdAt: seconds, modifiedAt: seconds };
			copies.set(original, made);
			made.children = original.children.map((child) => copy(child, made));
			return made;
		};
		const top = copy(node, null);
		for (const made of copies.values()) made.origin = made.origin && (copies.get(made.origin) ?? made.origin);
		if (parent === undefined) top.parent = node.parent;
		else if (typeof parent === "string") top.parent = this.onDemand(parent, seconds);
		else top.parent = parent && this.content(parent);
		const isBelow = top.origin !== null && top.parent !== null && ![...copies.values()].includes(top.origin);
		if (isBelow && this.content(top.parent!) === top.origin) throw new Refusal("would_create_cycle");
		this.#insert(top, place ?? (parent === undefined ? { side: "after", sibling: node } : "top"));
		return top;
	}

	mirror(node: NaiveNode, parent: NaiveNode, place: NaivePlace, seconds: number): NaiveNode {
		const origin = this.content(node);
		const at = this.content(parent);
		if (at === origin) throw new Refusal("would_create_cycle");
		const mirror = this.#make(at, origin.name, seconds);
		Object.assign(mirror, {
			origin,
			note: origin.note,
			layoutMode: origin.layoutMode,
			modifiedAt: origin.modifiedAt,
			completedAt: origin.completedAt,
		});
		this.#insert(mirror, place);
		return mirror;
	}

	removeMirror(node: NaiveNode): void {
		if (node.origin === null) throw new Refusal("not_a_mirror");
		this.delete(node);
	}

	delete(node: NaiveNode): void {
		const gone = new Set(this.all().filter((other) => this.#lineage(other).includes(node)));
		if (this.all().some((other) => other.origin !== null && gone.has(other.origin))) throw new Refusal("has_mirrors");
		this.#detach(node);
		for (const [key, target] of [...this.keys]) {
			if (gone.has(target)) this.keys.delete(key);
		}
	}

	/** The node of the inbox or of a calendar key, made if need be. */
	onDemand(key: string, seconds: number): NaiveNode {
		const there = this.keys.get(key);
		if (there !== undefined) return there;
		const above = key === "inbox" || key === "calendar" ? null : key.length === 4 ? "calendar" : key.slice(0, -3);
		const parent = above === null ? null : this.onDemand(above, seconds);
		const node = this.#make(parent, naiveName(key), seconds);
		const siblings = this.#siblings(node);
		const entries = [...this.keys].filter(
			([other, entry]) =>
				other.length === key.length &&
				other.startsWith("2") &&
				above !== null &&
				entry.parent === parent &&
				(key.length === 4 || other.startsWith(above)),
		);
		const earlier = entries
			.filter(([other]) => other < key)
			.sort()
			.at(-1)?.[1];
		const later = entries.filter(([other]) => other > key).sort()[0]?.[1];
		const place =
			earlier !== undefined
				? siblings.indexOf(earlier) + 1
				: later !== undefined
					? siblings.indexOf(later)
					: siblings.length;
		siblings.splice(place, 0, node);
		this.keys.set(key, node);
		return node;
	}

	/** Remembers the state; the function returned brings it back. */
	snapshot(): () => void {
		const states = this.all().map((node) => [node, { ...node, children: [...node.children] }] as const);
		const roots = [...this.roots];
		const keys = [...this.keys];
		return () => {
			this.roots.splice(0, this.roots.length, ...roots);
			for (const [node, state] of states) Object.assign(node, state);
			this.keys.clear();
			for (const [key, node] of keys) this.keys.set(key, node);
		};
	}

	#make(parent: NaiveNode | null, name: string, seconds: number): NaiveNode {
		return {
			key: this.#count++,
			parent,
			origin: null,
			name,
			note: null,
			layoutMode: "bullets",
			properties: {},
			createdAt: seconds,
			modifiedAt: seconds,
			completedAt: null,
			children: [],
		};
	}

	#siblings(node: NaiveNode): NaiveNode[] {
		return node.parent === null ? this.roots : node.parent.children;
	}

	#insert(node: NaiveNode, place: NaivePlace): void {
		const siblings = this.#siblings(node);
		if (place === "top") siblings.unshift(node);
		else if (place === "bottom") siblings.push(node);
		else siblings.splice(siblings.indexOf(place.sibling) + (place.side === "after" ? 1 : 0), 0, node);
	}

	#detach(node: NaiveNode): void {
		const siblings = this.#siblings(node);
		siblings.splice(siblings.indexOf(node), 1);
	}

	#lineage(node: NaiveNode): NaiveNode[] {
		return node.parent === null ? [node] : [node, ...this.#lineage(node.parent)];
	}
}

/** Properties with changes, by key in alphabetical order. */
function withChanges(properties: NaiveNode["properties"], changes: PropertyChanges): NaiveNode["properties"] {
	const all = Object.entries({ ...properties, ...changes }).filter(([, value]) => value !== null);
	return Object.fromEntries(all.sort(([left], [right]) => (left < right ? -1 : 1))) as NaiveNode["properties"];
}

const months = "January February March April May June July August September October November December".split(" ");
const weekdays = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

function naiveName(key: string): string {
	if (key === "inbox") return "Inbox";
	if (key === "calendar") return "Calendar";
	const [year, month, day] = key.split("-").map(Number) as [number, number, number];
	if (key.length === 4) return key;
	if (key.length === 7) return months[month - 1]!;
	const name = weekdays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]!;
	return `<time datetime="${key}">${name}, ${months[month - 1]!.slice(0, 3)} ${day}, ${year}</time>`;
}
