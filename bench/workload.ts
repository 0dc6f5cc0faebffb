import type { End, NewNode, SeedNode } from "./contender.ts";

/** A mirror to create. */
export interface NewMirror {
	readonly id: string;
	readonly originId: string;
	readonly parentId: string;
}

export interface Move {
	readonly id: string;
	readonly parentId: string;
	readonly position: End;
}

/** A node of the model that draws possible operations. */
interface ModelNode {
	readonly id: string;
	parent: ModelNode | null;
	readonly children: Set<ModelNode>;
	/** A mirror, or the origin of one: not moved, not deleted, and no parent. */
	mirrored: boolean;
	removed: boolean;
}

const seed = 20_261_121;
/** Whatever the size, so many levels come out, give or take one. */
const levels = 7;

/**
 * A seeded outline and the operations on it, exactly the same each time. A parent has eight children on
 * average (1 to 15). Names have 40 characters, one in twenty of them markup. One node in a hundred is a todo,
 * and half of these are completed. One in two hundred has a mirror.
 */
export class Workload {
	readonly roots: readonly SeedNode[];
	readonly #random = generator(seed);
	readonly #nodes: ModelNode[] = [];

	constructor(nodes: number) {
		this.roots = this.#plant(nodes);
	}

	/** Mirrors for one node in two hundred, each below a node without. */
	mirrors(): NewMirror[] {
		return this.#draw(Math.floor(this.#nodes.length / 200), () => {
			const origin = this.#pick(({ mirrored }) => !mirrored);
			const parent = this.#pick((node) => !node.mirrored && node !== origin && node !== origin.parent);
			origin.mirrored = true;
			const mirror = this.#add(parent);
			mirror.mirrored = true;
			return { id: mirror.id, originId: origin.id, parentId: parent.id };
		});
	}

	/** Nodes all over the tree. */
	nodes(count: number): string[] {
		return this.#draw(count, () => this.#pick(() => true).id);
	}

	/** Nodes that have children. */
	parents(count: number): string[] {
		return this.#draw(count, () => this.#pick(({ children }) => children.size > 0).id);
	}

	creates(count: number, position: End): NewNode[] {
		return this.#draw(count, (number) => {
			const parent = this.#pick(({ mirrored, children }) => !mirrored && children.size > 0);
			return {
				id: this.#add(parent).id,
				parentId: parent.id,
				position,
				...this.#text(`made ${number} at the ${position}`),
			};
		});
	}

	moves(count: number): Move[] {
		return this.#draw(count, (number) => {
			const node = this.#pick(({ mirrored }) => !mirrored);
			const parent = this.#pick((other) => !other.mirrored && other !== node.parent && !isWithin(other, node));
			node.parent?.children.delete(node);
			node.parent = parent;
			parent.children.add(node);
			return { id: node.id, parentId: parent.id, position: number % 2 === 0 ? "top" : "bottom" };
		});
	}

	updates(count: number): { id: string; name: string }[] {
		return this.#draw(count, (number) => ({
			id: this.#pick(({ mirrored }) => !mirrored).id,
			name: this.#text(`updated ${number}`).name,
		}));
	}

	/** Subtrees of two nodes to forty. */
	deletions(count: number): string[] {
		return this.#draw(count, () => {
			const node = this.#pick((each) => each.children.size > 0 && each.parent !== null && isSmall(each));
			for (const each of subtree(node)) each.removed = true;
			node.parent!.children.delete(node);
			return node.id;
		});
	}

	/** A move that none can do: a node below one of its own. */
	cycle(): Move {
		const child = this.#pick(({ mirrored, parent }) => !mirrored && parent !== null && !parent.mirrored);
		return { id: child.parent!.id, parentId: child.id, position: "top" };
	}

	#plant(count: number): SeedNode[] {
		// So many of the nodes of a level have children that the levels grow by this factor.
		const growth = count ** (1 / levels);
		const parents: number[] = [];
		let level = [-1];
		while (parents.length < count) {
			const next: number[] = [];
			for (const parent of level) {
				if (parent !== -1 && next.length > 0 && this.#random() > growth / 8) continue;
				for (let left = 1 + Math.floor(this.#random() * 15); left > 0 && parents.length < count; left--) {
					next.push(parents.push(parent) - 1);
				}
			}
			level = next;
		}
		const below: number[][] = [];
		const top: number[] = [];
		for (const [index, parent] of parents.entries()) {
			if (parent === -1) top.push(index);
			else if (below[parent] === undefined) below[parent] = [index];
			else below[parent].push(index);
		}
		// Ids are drawn in reading order, in which a bulk creation draws them.
		const seedNode = (index: number, parent: ModelNode | null): SeedNode => {
			const model = this.#add(parent);
			const todo = this.#random() < 0.01;
			return {
				id: model.id,
				...this.#text(`node ${index} of a seeded outline`),
				layoutMode: todo ? "todo" : "bullets",
				completed: todo && this.#random() < 0.5,
				children: (below[index] ?? []).map((child) => seedNode(child, model)),
			};
		};
		return top.map((index) => seedNode(index, null));
	}

	#text(text: string): Pick<SeedNode, "markdown" | "name"> {
		const plain = text.padEnd(40, " and so on").slice(0, 40).trimEnd().padEnd(40, ".");
		if (this.#random() >= 0.05) return { markdown: flat(plain), name: flat(plain) };
		const [first, ...others] = plain.split(" ");
		return {
			markdown: flat(`**${first}** ${others.join(" ")}`),
			name: flat(`<b>${first}</b> ${others.join(" ")}`),
		};
	}

	#add(parent: ModelNode | null): ModelNode {
		const hex = Array.from({ length: 4 }, () =>
			Math.floor(this.#random() * 2 ** 32)
				.toString(16)
				.padStart(8, "0"),
		).join("");
		const id = flat(
			`${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`,
		);
		const node = { id, parent, children: new Set<ModelNode>(), mirrored: false, removed: false };
		this.#nodes.push(node);
		parent?.children.add(node);
		return node;
	}

	#pick(fits: (node: ModelNode) => boolean): ModelNode {
		for (;;) {
			const node = this.#nodes[Math.floor(this.#random() * this.#nodes.length)]!;
			if (!node.removed && fits(node)) return node;
		}
	}

	#draw<T>(count: number, draw: (number: number) => T): T[] {
		return Array.from({ length: count }, (_, number) => draw(number));
	}
}

function isWithin(node: ModelNode | null, ancestor: ModelNode): boolean {
	for (let each = node; each !== null; each = each.parent) if (each === ancestor) return true;
	return false;
}

function isSmall(node: ModelNode): boolean {
	let size = 0;
	for (const { mirrored } of subtree(node)) if (mirrored || ++size > 40) return false;
	return true;
}

function* subtree(node: ModelNode): Generator<ModelNode> {
	yield node;
	for (const child of node.children) yield* subtree(child);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A flat copy of a text, as if it was read from a file, and not a part of a longer one. */
function flat(text: string): string {
	return decoder.decode(encoder.encode(text));
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
export function generator(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
