import type { Outline, ScopedOutline } from "outlinekit";

/** An outline, or a scope of one. */
export interface Part {
	readonly outline: Outline | ScopedOutline;
	/** The time zone of the outline. */
	readonly timeZone: string;
}
