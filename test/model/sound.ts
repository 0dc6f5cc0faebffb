import { expect } from "vitest";
import type { OutlineNode } from "../../src/node.js";

/** Asserts the rules of every outline: its places are distinct integers, it is a tree, and each mirror shows an origin. */
export function assertSound(nodes: readonly OutlineNode[]): void {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const places = new Set(nodes.map(({ parentId, priority }) => `${parentId} ${priority}`));
	expect(places.size).toBe(nodes.length);
	for (const node of nodes) {
		expect(Number.isSafeInteger(node.priority)).toBe(true);
		const way = new Set<string>();
		for (let at: string | null = node.id; at !== null; at = byId.get(at)!.parentId) {
			expect(byId.has(at) && !way.has(at)).toBe(true);
			way.add(at);
		}
		if (node.mirror?.originId === undefined) continue;
		const origin = byId.get(node.mirror.originId!);
		expect(origin?.mirror).toHaveProperty("mirrorIds");
		const parent = node.parentId === null ? undefined : byId.get(node.parentId);
		const above = parent?.mirror?.originId !== undefined ? parent.mirror.originId : parent?.id;
		expect(above).not.toBe(node.mirror.originId);
	}
}
