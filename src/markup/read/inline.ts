/** An element that a name may hold. */
export type InlineTag = "b" | "i" | "s" | "code" | "a" | "time";

/** A stretch of text. */
export interface InlineText {
	readonly type: "text";
	readonly value: string;
	/** Whether `[YYYY-MM-DD]` in it is a date, where the elements around it allow one. */
	readonly dates: boolean;
}

/** Where an element begins, if an {@link InlineClose} pairs with it. */
export interface InlineOpen {
	readonly type: "open";
	readonly tag: InlineTag;
	/** The `href` or `datetime` of `a` and `time`; undefined if it is missing or forbidden, so that the tags show as typed. */
	readonly attribute?: string | undefined;
	/** What was typed, to show where the element may not be. */
	readonly source: string;
	/** Whether it is Markdown's own and surely paired: what is within pairs only within. */
	readonly sealed: boolean;
}

/** Where an element ends, if an {@link InlineOpen} pairs with it. */
export interface InlineClose {
	readonly type: "close";
	readonly tag: InlineTag;
	readonly source: string;
	readonly sealed: boolean;
	/** Text that follows the element, unless it shows as typed. */
	readonly suffix?: string;
}

/** A name on its way from markup to its canonical fragment: flat, so that no nesting of the input is ever recursed into. */
export type Inline = InlineText | InlineOpen | InlineClose;

/** The characters of ASCII: long texts may be made of nothing but escapes. */
const characters: readonly InlineText[] = Array.from({ length: 128 }, (_, code) => ({
	type: "text",
	value: String.fromCharCode(code),
	dates: false,
}));

/** Text in which nothing means anything. */
export function literal(value: string): InlineText {
	const character = value.length === 1 ? characters[value.charCodeAt(0)] : undefined;
	return character ?? { type: "text", value, dates: false };
}
