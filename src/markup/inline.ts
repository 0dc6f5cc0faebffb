/** The tag of an element that a name may contain. */
export type InlineTag = "b" | "i" | "s" | "code" | "a" | "time";

/** A part of a name's text. */
export interface InlineText {
	readonly type: "text";
	readonly value: string;
	/** Whether `[YYYY-MM-DD]` in it is a date, if the elements around it allow one. */
	readonly dates: boolean;
}

/** The start of an element, if an {@link InlineClose} pairs with it. */
export interface InlineOpen {
	readonly type: "open";
	readonly tag: InlineTag;
	/** The `href` or `datetime`. Undefined if missing or forbidden: then the tags are written as typed. */
	readonly attribute?: string | undefined;
	/** The source that was typed. It is written if the element isn't allowed here. */
	readonly source: string;
	/** Whether it comes from Markdown and has a partner. Inlines in the element pair only within it. */
	readonly sealed: boolean;
}

/** The end of an element, if an {@link InlineOpen} pairs with it. */
export interface InlineClose {
	readonly type: "close";
	readonly tag: InlineTag;
	readonly source: string;
	readonly sealed: boolean;
	/** Text that follows the element, unless the element is written as typed. */
	readonly suffix?: string;
}

/** A part of a name between parsing and serializing. The list is flat, so nesting needs no recursion. */
export type Inline = InlineText | InlineOpen | InlineClose;

/** The inlines of ASCII characters are shared, because a long text may consist of escapes alone. */
const characters: readonly InlineText[] = Array.from({ length: 128 }, (_, code) => ({
	type: "text",
	value: String.fromCharCode(code),
	dates: false,
}));

/** Returns a text in which no character has a meaning. */
export function literal(value: string): InlineText {
	const character = value.length === 1 ? characters[value.charCodeAt(0)] : undefined;
	return character ?? { type: "text", value, dates: false };
}
