import type { OutlineNode } from "outlinekit";

/** Whether a node shows what another one is, or has shown it until that one went. */
export function isMirror({ mirror }: OutlineNode): boolean {
	return mirror?.originId !== undefined;
}

/** The id of the node whose content a node shows. New children of that show below all its mirrors. */
export function originIdOf({ id, mirror }: OutlineNode): string {
	return mirror?.originId ?? id;
}
