/** A JSON Schema of the dialect 2020-12, which is that of OpenAPI 3.1. */
export interface Schema {
	readonly [keyword: string]: unknown;
}

/** A text. */
export function text(description: string, more: Schema = {}): Schema {
	return { type: "string", description, ...more };
}

/** One of these texts. */
export function word(description: string, words: readonly string[]): Schema {
	return { type: "string", description, enum: words };
}

/** An integer. */
export function integer(description: string, more: Schema = {}): Schema {
	return { type: "integer", description, ...more };
}

/** True or false. */
export function flag(description: string): Schema {
	return { type: "boolean", description };
}

/** What a schema of one type says, or null. */
export function nullable(schema: Schema): Schema {
	const nullableEnum = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
	return { ...schema, ...nullableEnum, type: [schema.type, "null"] };
}

/** Any number of such values. */
export function listOf(items: Schema, description?: string): Schema {
	return { type: "array", items, ...(description !== undefined && { description }) };
}

/** An object; those of its members that are in `optional` needn't be there. */
export function objectOf(
	description: string,
	properties: Readonly<Record<string, Schema>>,
	optional: readonly string[] = [],
): Schema {
	const required = Object.keys(properties).filter((member) => !optional.includes(member));
	return { type: "object", description, properties, ...(required.length > 0 && { required }) };
}

/** The members of a type that may be absent. */
type Optional<T> = { [M in keyof T]-?: Record<never, never> extends Pick<T, M> ? M & string : never }[keyof T];

/** An object that has the members of a type, so that the compiler tells when they differ. */
export function objectLike<T extends object>(
	description: string,
	properties: { readonly [M in keyof T]-?: Schema },
	...optional: readonly Optional<T>[]
): Schema {
	return objectOf(description, properties as Readonly<Record<string, Schema>>, optional);
}

/** What a named schema of the document says. */
export function named(name: string): Schema {
	return { $ref: `#/components/schemas/${name}` };
}
