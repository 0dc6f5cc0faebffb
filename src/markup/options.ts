import type { LinkSchemes } from "./html/link.js";

/** What the meaning of a text depends on besides the text. */
export interface MarkupOptions {
	/** The IANA zone that dates with a time are read in. */
	readonly timeZone: string;
	/** The URL schemes a link may have, in lower case, with `http`, `https` and `mailto` among them. */
	readonly linkSchemes: LinkSchemes;
	/**
	 * The most UTF-16 units that the text of a name may have: an escape counts as the one character that it stands for, and tags
	 * as none. Left out, it may have any number.
	 */
	readonly longest?: number | undefined;
}
