/** Tests whether links may have a scheme, which is in lower case. */
export type LinkSchemes = Pick<ReadonlySet<string>, "has">;

/** The settings, besides the text itself, that its meaning depends on. */
export interface MarkupOptions {
	/** The IANA time zone in which dates with a time are read. */
	readonly timeZone: string;
	/** The URL schemes that links may have, in lower case. They include `http`, `https` and `mailto`. */
	readonly linkSchemes: LinkSchemes;
	/**
	 * The maximum number of UTF-16 code units in the text of a name. An escape counts as the one character it
	 * stands for. Tags don't count. Default: no limit.
	 */
	readonly longest?: number | undefined;
}
