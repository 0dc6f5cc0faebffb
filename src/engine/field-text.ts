/*
 * The form of the changes that documents keep: items with a `|` between them, whose fields have a `^` between them. It has
 * no quotation marks of its own, because files have it within JSON, and to escape each would take longer than to write
 * the rest. As JSON, most documents would be about twice as long.
 */

/** A value of a field. */
export type FieldValue = string | number | null;

/** A field that is `null`, and one that is an empty text. The writers of texts give other meanings to `~4` and more. */
const [nullField, emptyField] = ["~", "~3"] as const;

/** The escapes in a text for the characters that have a meaning in the form. */
const escapes: { readonly [character: string]: string } = { "~": "~0", "^": "~1", "|": "~2" };

const numbers: ReadonlySet<string> = new Set(["priority", "createdAt", "modifiedAt", "completedAt"]);

/** Returns the text of a value. */
export function fieldText(value: FieldValue): string {
	if (value === null) return nullField;
	if (typeof value === "number") return String(value);
	return value === "" ? emptyField : escaped(value);
}

/** Returns the value that a text has in a field of a record. */
export function fieldIn(text: string, field: string): FieldValue {
	if (text === nullField) return null;
	if (text === emptyField) return "";
	return numbers.has(field) ? Number(text) : unescaped(text);
}

/** Returns a text without the characters of the form. */
export function escaped(text: string): string {
	return /[~^|]/.test(text) ? text.replace(/[~^|]/g, (character) => escapes[character]!) : text;
}

/** Returns the text that {@link escaped} was given. */
export function unescaped(text: string): string {
	return text.includes("~") ? text.replace(/~[012]/g, (pair) => "~^|"[Number(pair[1])]!) : text;
}
