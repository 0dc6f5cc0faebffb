import { Outline, type OutlineNode, type StorageAdapter, type TreeInput } from "outlinekit";
import type { Contender, End, NewNode, NodeView, SeedNode } from "../contender.ts";

/** The form of new names with markup: finished, as all contenders get them, or in Markdown. */
export type NamesAs = "fragments" | "markdown";

/** An `Outline` as it comes, with ids that were drawn beforehand; as a variant with a history that stays. */
export class OutlineContender implements Contender {
	readonly synchronous = false;
	readonly outline: Outline;
	readonly #namesAs: NamesAs;
	/** The ids that are drawn next, the last one first. */
	#ids: string[] = [];

	constructor(storage: StorageAdapter, variant = "") {
		this.#namesAs = variant === "markdown" ? variant : "fragments";
		const history = { keep: variant === "kept" };
		this.outline = new Outline({ storage, timeZone: "UTC", generateId: () => this.#ids.pop()!, history });
	}

	async bulkCreate(roots: readonly SeedNode[]): Promise<void> {
		const take = (nodes: readonly SeedNode[]) => {
			for (const { id, children } of nodes) {
				this.#ids.push(id);
				take(children);
			}
		};
		take(roots);
		this.#ids.reverse();
		await this.outline.batch(
			roots.map((root) => ({ type: "createTree", position: "bottom", ...this.#tree(root) }) as const),
		);
	}

	mirror(id: string, originId: string, parentId: string): Promise<OutlineNode> {
		this.#ids = [id];
		return this.outline.mirror(originId, { parent: parentId, position: "bottom" });
	}

	create(node: NewNode): Promise<OutlineNode> {
		this.#ids.push(node.id);
		return this.outline.create({ parent: node.parentId, ...this.#name(node), position: node.position });
	}

	get(id: string): Promise<NodeView> {
		return this.outline.get(id);
	}

	async list(parentId: string | null): Promise<readonly NodeView[]> {
		return (await this.outline.list(parentId)).nodes;
	}

	move(id: string, parentId: string, position: End): Promise<OutlineNode> {
		return this.outline.move(id, { parent: parentId, position });
	}

	update(id: string, name: string): Promise<OutlineNode> {
		return this.outline.update(id, { name });
	}

	complete(id: string): Promise<OutlineNode> {
		return this.outline.complete(id);
	}

	delete(id: string): Promise<void> {
		return this.outline.delete(id);
	}

	async export(visit: (node: OutlineNode) => void): Promise<void> {
		for await (const node of this.outline.export()) visit(node);
	}

	close(): Promise<void> {
		return this.outline.close();
	}

	#tree(node: SeedNode): TreeInput {
		const { layoutMode, completed, children } = node;
		return { ...this.#name(node), layoutMode, completed, children: children.map((child) => this.#tree(child)) };
	}

	#name({ name, markdown }: Pick<SeedNode, "name" | "markdown">): Pick<TreeInput, "name" | "format"> {
		// A name without markup is the same in both.
		return name === markdown || this.#namesAs === "markdown" ? { name: markdown } : { name, format: "html" };
	}
}
