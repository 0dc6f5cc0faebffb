import type { OutlineNode } from "outlinekit";

/** A node of the seeded outline, with all below it. */
export interface SeedNode {
	/** A UUID, drawn beforehand. */
	readonly id: string;
	/** The text as a person types it: Markdown. */
	readonly markdown: string;
	/** The stored fragment of HTML. */
	readonly name: string;
	readonly layoutMode: "bullets" | "todo";
	readonly completed: boolean;
	readonly children: SeedNode[];
}

export type End = "top" | "bottom";

/** A node to create. Contenders that parse no Markdown get the parsed form. */
export interface NewNode extends Pick<SeedNode, "id" | "markdown" | "name"> {
	readonly parentId: string;
	readonly position: End;
}

/**
 * A node as every contender returns it: a fresh object. Contenders that keep children in lists have no
 * priorities.
 */
export type NodeView = Omit<OutlineNode, "priority">;

/** The part of a contender that a first sync needs. */
export interface Synced {
	/** Fills what is empty, at once. */
	bulkCreate(roots: readonly SeedNode[]): unknown;
	/** Children, sorted. */
	list(parentId: string | null): readonly NodeView[] | Promise<readonly NodeView[]>;
	/** Updates a name, and returns the bytes that the library sends to other devices for it, not compressed. */
	sendUpdate?(id: string, name: string): Uint8Array | Promise<Uint8Array>;
	/** Writes all of it into its directory, where a contender doesn't keep itself. */
	save?(): unknown;
	close(): unknown;
}

/**
 * One way to keep an outline. The program calls the methods one after the other. If the contender is durable,
 * a method is done once its changes are. All references in arguments exist.
 */
export interface Contender extends Synced {
	/** Whether answers are there when a method returns. */
	readonly synchronous: boolean;
	/** Makes a node that shows what another one is, at the bottom. */
	mirror(id: string, originId: string, parentId: string): unknown;
	create(node: NewNode): unknown;
	get(id: string): NodeView | Promise<NodeView>;
	/** Refuses what would make a cycle by throwing. */
	move(id: string, parentId: string, position: End): unknown;
	update(id: string, name: string): unknown;
	complete(id: string): unknown;
	/** Deletes a node with all below it; refuses an origin whose mirrors would stay. */
	delete(id: string): unknown;
	/** Every node, in any order; its priority may be its place in its parent's list. */
	export(visit: (node: OutlineNode) => void): unknown;
}
