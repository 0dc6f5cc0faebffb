import type { OutlineNode } from "outlinekit";

/** A node of the seeded outline, with all below it. */
export interface SeedNode {
	/** A UUID, drawn beforehand. */
	readonly id: string;
	/** What a person types: Markdown. */
	readonly markdown: string;
	/** The fragment of HTML that is kept. */
	readonly name: string;
	readonly layoutMode: "bullets" | "todo";
	readonly completed: boolean;
	readonly children: SeedNode[];
}

export type End = "top" | "bottom";

/** A node to be made. Contenders that parse no Markdown are given what it comes to. */
export interface NewNode extends Pick<SeedNode, "id" | "markdown" | "name"> {
	readonly parentId: string;
	readonly position: End;
}

/** A node as every contender gives it: a fresh object. What keeps children in lists has no priorities. */
export type NodeView = Omit<OutlineNode, "priority">;

/**
 * One way to keep an outline. A program that embeds it calls the methods one after the other; those of a contender that
 * keeps what it is given are done when what they change is durable. Methods are given only what exists.
 */
export interface Contender {
	/** Whether answers are there when a method returns. */
	readonly synchronous: boolean;
	/** Fills what is empty, at once. */
	bulkCreate(roots: readonly SeedNode[]): unknown;
	/** Makes a node that shows what another one is, at the bottom. */
	mirror(id: string, originId: string, parentId: string): unknown;
	create(node: NewNode): unknown;
	get(id: string): NodeView | Promise<NodeView>;
	/** Children, sorted. */
	list(parentId: string | null): readonly NodeView[] | Promise<readonly NodeView[]>;
	/** Refuses what would make a cycle by throwing. */
	move(id: string, parentId: string, position: End): unknown;
	update(id: string, name: string): unknown;
	complete(id: string): unknown;
	/** Deletes a node with all below it; refuses an origin whose mirrors would stay. */
	delete(id: string): unknown;
	/** Every node, in any order; its priority may be its place in its parent's list. */
	export(visit: (node: OutlineNode) => void): unknown;
	/** Writes all of it into its directory, where a contender doesn't keep itself. */
	save?(): unknown;
	close(): unknown;
}
