import type { OutlineNode } from "outlinekit";

/** The nodes above one, the topmost first. */
export async function ancestorsOf(
	outline: { get(id: string): Promise<OutlineNode> },
	id: string | null,
): Promise<OutlineNode[]> {
	const ancestors: OutlineNode[] = [];
	let at = id === null ? null : (await outline.get(id)).parentId;
	while (at !== null) {
		const node = await outline.get(at);
		ancestors.unshift(node);
		at = node.parentId;
	}
	return ancestors;
}
