/** The error of a test of the suite when a storage breaks a promise. */
export class AssertionError extends Error {
	override readonly name = "AssertionError";
}

/** Fails with a message. */
export function fail(message: string): never {
	throw new AssertionError(message);
}

/** Fails unless the condition holds. */
export function assert(condition: boolean, message: string): asserts condition {
	if (!condition) fail(message);
}

/** Fails unless two values are exactly equal: plain data, compared by content. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
	const found = difference(actual, expected);
	if (found === undefined) return;
	const path = found.path.reverse().join("").replace(/^\./, "");
	fail(`${what}: ${path === "" ? "" : `at ${path} `}${found.told}`);
}

/**
 * Fails unless the promise rejects with an `OutlineError` of a code. The class isn't compared, because an
 * adapter may have its own copy.
 */
export async function assertRejects(promise: PromiseLike<unknown>, code: string, what: string): Promise<void> {
	let value: unknown;
	try {
		value = await promise;
	} catch (error) {
		assertError(error, code, what);
		return;
	}
	fail(`${what}: it resolved with ${shown(value)}, and must reject with ${code}`);
}

/** Fails unless the error is an `OutlineError` of a code. */
export function assertError(error: unknown, code: string, what: string): void {
	const { name, code: given } = (error ?? {}) as { name?: unknown; code?: unknown };
	if (name === "OutlineError" && given === code) return;
	const told = given === undefined ? String(error) : `${String(given)} (${String(error)})`;
	throw Object.assign(new AssertionError(`${what}: it failed with ${told}, and must with an OutlineError ${code}`), {
		cause: error,
	});
}

/** Whether an error means that another storage had committed. */
export function isConflict(error: unknown): boolean {
	return (error as { code?: unknown } | null)?.code === "conflict";
}

/** A difference of two values: the steps of its path, innermost first. */
interface Difference {
	readonly told: string;
	readonly path: string[];
}

/** Returns the first difference of two values, or undefined. */
function difference(actual: unknown, expected: unknown): Difference | undefined {
	if (actual === expected) return undefined;
	if (
		typeof actual !== "object" ||
		typeof expected !== "object" ||
		actual === null ||
		expected === null ||
		Array.isArray(actual) !== Array.isArray(expected)
	) {
		return { told: `${shown(actual)}, and must be ${shown(expected)}${firstDifference(actual, expected)}`, path: [] };
	}
	const [left, right] = [actual as Record<string, unknown>, expected as Record<string, unknown>];
	const step = (key: string) => (Array.isArray(expected) ? `[${key}]` : `.${key}`);
	for (const key of Object.keys(right)) {
		if (!Object.hasOwn(left, key)) return { told: `nothing, and must be ${shown(right[key])}`, path: [step(key)] };
		const found = difference(left[key], right[key]);
		if (found === undefined) continue;
		found.path.push(step(key));
		return found;
	}
	for (const key of Object.keys(left)) {
		if (!Object.hasOwn(right, key)) return { told: `${shown(left[key])}, and must not be there`, path: [step(key)] };
	}
	return undefined;
}

/** Describes the first difference of two long texts. */
function firstDifference(actual: unknown, expected: unknown): string {
	if (typeof actual !== "string" || typeof expected !== "string" || expected.length < 60) return "";
	let at = 0;
	while (actual.charCodeAt(at) === expected.charCodeAt(at)) at += 1;
	return ` (${actual.length} and ${expected.length} characters; the first that differs is number ${at})`;
}

/** Formats a value for a message. */
export function shown(value: unknown): string {
	if (typeof value === "bigint") return `${value}n`;
	const text = JSON.stringify(value, (_, each) => (typeof each === "bigint" ? `${each}n` : each)) ?? String(value);
	return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
