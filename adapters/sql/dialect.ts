/** What a value or a column is, as far as the databases need telling. */
export type SqlType = "outline" | "id" | "text" | "integer" | "boolean" | "ids" | "texts";

/** What differs between the SQL of the databases. Everything else is written once, in their common language. */
export interface Dialect {
	/** The condition that an expression is one of the values in a parameter that holds a list. */
	among(expression: string, parameter: string): string;
	/** An aggregate: the ids of all rows in one text, with commas between them. */
	joinedIds(expression: string): string;
	/** A text with a JSON array of the values of some expressions. */
	jsonArray(expressions: readonly string[]): string;
}
