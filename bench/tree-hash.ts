import { createHash } from "node:crypto";
import type { OutlineNode } from "outlinekit";
import type { Contender, NodeView } from "./contender.ts";

/**
 * A fingerprint of a contender's final state: the same for the same tree of the same contents in the same
 * order, for any ids and priorities.
 *
 * @param sample - nodes whose answers to `get` and `list` count too
 */
export async function treeHash(contender: Contender, sample: readonly string[]): Promise<string> {
	const children = new Map<string | null, OutlineNode[]>();
	await contender.export((node) => {
		const siblings = children.get(node.parentId);
		if (siblings === undefined) children.set(node.parentId, [node]);
		else siblings.push(node);
	});
	const hash = createHash("sha256");
	const open = [{ nodes: sorted(children.get(null)), next: 0 }];
	while (open.length > 0) {
		const level = open.at(-1)!;
		const node = level.nodes[level.next++];
		if (node === undefined) {
			open.pop();
			continue;
		}
		hash.update(`${open.length} ${line(node)}\n`);
		open.push({ nodes: sorted(children.get(node.id)), next: 0 });
	}
	for (const id of sample) {
		hash.update(`${line(await contender.get(id))}\n`);
		for (const child of await contender.list(id)) hash.update(`  ${line(child)}\n`);
	}
	return hash.digest("hex").slice(0, 16);
}

function line({ name, layoutMode, completed, mirror }: NodeView): string {
	const mirrored =
		mirror === undefined ? "" : mirror.originId !== undefined ? "mirror" : `${mirror.mirrorIds.length} mirrors`;
	return `${layoutMode} ${completed} ${mirrored} ${name}`;
}

function sorted(siblings: OutlineNode[] = []): OutlineNode[] {
	return siblings.sort((left, right) => left.priority - right.priority);
}
