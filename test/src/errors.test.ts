import { expect, test } from "vitest";
import { OutlineError, quoted } from "../../src/errors.js";

test.each([
	["a", '"a"'],
	["", '""'],
	["x".repeat(80), `"${"x".repeat(80)}"`],
	["x".repeat(81), `"${"x".repeat(77)}..."`],
	[5, "5"],
	[null, "null"],
	[true, "true"],
	[[1], "an array"],
	[{}, "an object"],
	[new Date(), "an object Date"],
	[new Map(), "an object Map"],
	[undefined, "undefined"],
	[() => 1, "a function"],
	[Symbol("secret"), "a symbol"],
])("%o is quoted in a message as %s", (value, shown) => {
	expect(quoted(value)).toBe(shown);
});

test("an error has its code and its details", () => {
	const plain = new OutlineError("not_found", "It isn't there.");
	expect(plain).toBeInstanceOf(Error);
	expect(plain).toMatchObject({ name: "OutlineError", code: "not_found", message: "It isn't there." });
	// A log shows no fields without a value.
	expect(Object.keys(plain)).toEqual(["name", "code"]);
	expect(plain.operation).toBeUndefined();
	expect("cause" in plain).toBe(false);
	expect(new OutlineError("has_mirrors", "It has some.", { mirrorIds: ["a"] })).toMatchObject({ mirrorIds: ["a"] });
	const cause = new Error("disk");
	expect(new OutlineError("storage_unavailable", "It failed.", { cause }).cause).toBe(cause);
});
