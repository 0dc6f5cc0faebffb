import type { Outline, ScopedOutline } from "outlinekit";

/** What a server serves: an outline, or a part of it. */
export interface Part {
	readonly outline: Outline | ScopedOutline;
	/** The zone that the outline was made with. */
	readonly timeZone: string;
}
