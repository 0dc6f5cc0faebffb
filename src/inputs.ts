import type { IdempotencyInput } from "./idempotency.js";
import type { LayoutMode } from "./layout-mode.js";
import type { Position } from "./order.js";
import type { TextFormat } from "./text.js";
import type { TreeInput } from "./tree-input.js";

/** What `Outline.create` takes. Spec §4.1. */
export interface CreateInput extends IdempotencyInput {
	/**
	 * Any reference; `null` for the top level. Left out, it is the top level, or the parent of the sibling that `position`
	 * names. Inbox and calendar nodes are made on demand.
	 */
	parent?: string | null | undefined;
	/** Text with the Markdown of spec §2.5. Several blocks make several nodes: the first, and the rest below it. */
	name: string;
	/** Plain text, kept to the letter. */
	note?: string | null | undefined;
	/** Wins over a layout prefix in the name. */
	layoutMode?: LayoutMode | undefined;
	/**
	 * What the name is written in. With `html` (as `update` takes it) and `text` (to the letter) it makes one node. Default
	 * `markdown`.
	 */
	format?: TextFormat | undefined;
	/** Default `top`. */
	position?: Position | undefined;
}

/** What `Outline.createTree` takes. */
export interface CreateTreeInput extends TreeInput, IdempotencyInput {
	/** As in {@link CreateInput}. */
	parent?: string | null | undefined;
	/** Default `top`. */
	position?: Position | undefined;
}

/** What `Outline.update` takes; what is left out stays. Spec §4.2. */
export interface UpdateInput {
	/** An HTML fragment with the tags of spec §2.1, unless `format` says otherwise. */
	name?: string | undefined;
	/**
	 * What the name is written in. `markdown` must make one node, and its layout prefix, if it has one, counts as the layout mode
	 * and as completion; `text` is taken to the letter. Default `html`.
	 */
	format?: TextFormat | undefined;
	/** Plain text; `null` clears it. */
	note?: string | null | undefined;
	/** How it is displayed from now on. Wins over a layout prefix in a `markdown` name. */
	layoutMode?: LayoutMode | undefined;
}

/** What `Outline.move` takes. Spec §4.6. */
export interface MoveInput {
	/**
	 * Any reference; `null` for the top level. Left out, the parent stays, or is that of the sibling that `position` names.
	 * Inbox and calendar nodes are made on demand.
	 */
	parent?: string | null | undefined;
	/** Default `top`. */
	position?: Position | undefined;
}

/** What `Outline.mirror` takes. Spec §4.7. */
export interface MirrorInput extends IdempotencyInput {
	/** The full id of an existing node. */
	parent: string;
	/** Default `top`. */
	position?: Position | undefined;
}
