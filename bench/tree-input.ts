import type { TreeInput } from "outlinekit";
import type { SeedNode } from "./contender.ts";

/** A seeded tree as `createTree` takes it. */
export function treeInput({ name, layoutMode, completed, children }: SeedNode): TreeInput {
	return { format: "html", name, layoutMode, completed, children: children.map(treeInput) };
}
