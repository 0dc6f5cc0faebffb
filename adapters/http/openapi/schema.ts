/** A JSON Schema of the dialect 2020-12, which OpenAPI 3.1 uses. */
export interface Schema {
	readonly [keyword: string]: unknown;
}

/** The schema of a text. */
export function text(description: string, more: Schema = {}): Schema {
	return { type: "string", description, ...more };
}

/** The schema of a text with a few possible values. */
export function word(description: string, words: readonly string[]): Schema {
	return { type: "string", description, enum: words };
}

/** The schema of an integer. */
export function integer(description: string, more: Schema = {}): Schema {
	return { type: "integer", description, ...more };
}

/** The schema of a boolean. */
export function flag(description: string): Schema {
	return { type: "boolean", description };
}

/** A schema of one type that also allows null. */
export function nullable(schema: Schema): Schema {
	const nullableEnum = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
	return { ...schema, ...nullableEnum, type: [schema.type, "null"] };
}

/** The schema of a list. */
export function listOf(items: Schema, description?: string): Schema {
	return { type: "array", items, ...(description !== undefined && { description }) };
}

/** The schema of an object. Members are required, except the members in `optional`. */
export function objectOf(
	description: string,
	properties: Readonly<Record<string, Schema>>,
	optional: readonly string[] = [],
): Schema {
	const required = Object.keys(properties).filter((member) => !optional.includes(member));
	return { type: "object", description, properties, ...(required.length > 0 && { required }) };
}

/** The optional members of a type. */
type Optional<T> = { [M in keyof T]-?: Record<never, never> extends Pick<T, M> ? M & string : never }[keyof T];

/** The schema of an object with the members of a type. The compiler checks that they are the same. */
export function objectLike<T extends object>(
	description: string,
	properties: { readonly [M in keyof T]-?: Schema },
	...optional: readonly Optional<T>[]
): Schema {
	return objectOf(description, properties as Readonly<Record<string, Schema>>, optional);
}

/** A reference to a named schema of the document. */
export function named(name: string): Schema {
	return { $ref: `#/components/schemas/${name}` };
}
