import type { Outline } from "outlinekit";

/** The methods whose calls show. Live rows call some more, again and again. */
const shown = new Set<PropertyKey>(
	"create update move delete complete uncomplete mirror undo redo search exportAs".split(" "),
);

/** Receives the code of a call, and its result or its error. */
export type ShowCall = (code: string, result: Promise<unknown>) => void;

/** Returns the same outline, which passes each call with its result to a function. */
export function recorded(outline: Outline, show: ShowCall): Outline {
	return new Proxy(outline, {
		get(target, name) {
			const member: unknown = Reflect.get(target, name, target);
			if (typeof member !== "function") return member;
			return (...values: unknown[]) => {
				const result: unknown = Reflect.apply(member, target, values);
				if (shown.has(name)) show(`outline.${String(name)}(${values.map(literal).join(", ")})`, textOf(result));
				return result;
			};
		},
	});
}

/** The result of a call, with the text of an export. */
async function textOf(result: unknown): Promise<unknown> {
	if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return result;
	let text = "";
	for await (const piece of result as AsyncIterable<string>) text += piece;
	return text;
}

/** A value as code. */
function literal(value: unknown): string {
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const fields = Object.entries(value).map(([name, field]) => `${name}: ${literal(field)}`);
	return `{ ${fields.join(", ")} }`;
}
