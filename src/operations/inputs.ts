import { fieldNames } from "../fields.js";
import type { LayoutMode } from "../layout-mode.js";
import type { Position } from "../place/priority.js";
import type { TreeInput } from "./create-tree.js";
import type { IdempotencyInput } from "./idempotency.js";
import type { TextFormat } from "./name.js";

/**
 * A text that names a node: an id, a short id, a shortcut, `inbox`, or a calendar key (`calendar`, `today`, `tomorrow`, `next_week`,
 * `YYYY`, `YYYY-MM`, `YYYY-MM-DD`); as a parent also `None` or a node address. Editors complete the fixed words. Spec §2.4.
 */
export type ReferenceText = "inbox" | "calendar" | "today" | "tomorrow" | "next_week" | (string & Record<never, never>);

/** What `Outline.create` takes. Spec §4.1. */
export interface CreateInput extends IdempotencyInput {
	/**
	 * Any reference; `null` for the top level. Left out, it is the top level, or the parent of the sibling that `position`
	 * names. Inbox and calendar nodes are made on demand.
	 */
	parent?: ReferenceText | null | undefined;
	/** Text with the Markdown of spec §2.5. Several blocks make several nodes: the first, and the rest below it. */
	name: string;
	/** Plain text, kept exactly as given. */
	note?: string | null | undefined;
	/** Wins over a layout prefix in the name. */
	layoutMode?: LayoutMode | undefined;
	/** Whether it is completed from the start. Default: as the name says (`- [x]`), else no. */
	completed?: boolean | undefined;
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
	parent?: ReferenceText | null | undefined;
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
	/**
	 * `true` completes the node (a completed one keeps its timestamp), `false` makes it open again. Wins over what a `markdown` name
	 * says.
	 */
	completed?: boolean | undefined;
}

/** What `Outline.move` takes. Spec §4.6. */
export interface MoveInput {
	/**
	 * Any reference; `null` for the top level. Left out, the parent stays, or is that of the sibling that `position` names.
	 * Inbox and calendar nodes are made on demand.
	 */
	parent?: ReferenceText | null | undefined;
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

/** The fields that an operation takes besides when it isn't one of a batch, which has a key of its own. */
export const idempotencyFields = fieldNames<IdempotencyInput>({ idempotencyKey: true });

/** The names of the further fields of each input. */
export const createFields = fieldNames<Omit<CreateInput, keyof IdempotencyInput>>({
	parent: true,
	name: true,
	note: true,
	layoutMode: true,
	completed: true,
	format: true,
	position: true,
});
export const createTreeFields = fieldNames<Omit<CreateTreeInput, keyof IdempotencyInput>>({
	parent: true,
	name: true,
	note: true,
	layoutMode: true,
	format: true,
	completed: true,
	children: true,
	position: true,
});
export const updateFields = fieldNames<UpdateInput>({
	name: true,
	format: true,
	note: true,
	layoutMode: true,
	completed: true,
});
export const moveFields = fieldNames<MoveInput>({ parent: true, position: true });
export const mirrorFields = fieldNames<Omit<MirrorInput, keyof IdempotencyInput>>({ parent: true, position: true });
