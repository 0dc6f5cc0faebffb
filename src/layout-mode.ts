import { wordArgument } from "./fields.js";

/** The display modes of a node, in the order of the spec (§2.1). */
export const layoutModes = ["bullets", "todo", "h1", "h2", "h3", "code-block", "quote-block"] as const;

/** The display mode of a node. Spec §2.1. */
export type LayoutMode = (typeof layoutModes)[number];

/** Whether a value is one of {@link layoutModes}. */
export function isLayoutMode(value: unknown): value is LayoutMode {
	return (layoutModes as readonly unknown[]).includes(value);
}

/** Returns the value as a layout mode, or undefined if there is none. @throws `invalid_argument` */
export function layoutModeArgument(value: unknown): LayoutMode | undefined {
	return value === undefined ? undefined : wordArgument("layoutMode", value, layoutModes);
}
