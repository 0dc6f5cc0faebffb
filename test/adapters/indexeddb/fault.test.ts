import { describe, expect, test } from "vitest";
import { fault, isConnectionLost } from "../../../adapters/indexeddb/fault.js";
import { OutlineError } from "../../../src/errors.js";

const named = (name: string) => new DOMException("what the browser says", name);

describe("a failure of IndexedDB", () => {
	const codes = {
		QuotaExceededError: "quota_exceeded",
		ConstraintError: "conflict",
		NotReadableError: "storage_corrupt",
		VersionError: "storage_unavailable",
		SecurityError: "storage_unavailable",
		NotAllowedError: "storage_unavailable",
		InvalidStateError: "storage_unavailable",
		UnknownError: "storage_unavailable",
		OperationError: "storage_unavailable",
		AbortError: "storage_unavailable",
		NotFoundError: "storage_unavailable",
		TimeoutError: "storage_unavailable",
		TransactionInactiveError: "storage_unavailable",
	};

	for (const [name, code] of Object.entries(codes)) {
		test(`${name} is ${code}, says what happened and what to do, and has the browser's error as its cause`, () => {
			const cause = named(name);
			const error = fault("writing to", "my list", cause);
			expect(error).toBeInstanceOf(OutlineError);
			expect(error).toMatchObject({ code, cause });
			expect((error as OutlineError).message).toMatch(/writing to the outline "my list".*\. \w/i);
		});
	}

	test("that can only be a bug of this package is returned as it is", () => {
		const mistakes = ["DataError", "DataCloneError", "ReadOnlyError", "InvalidAccessError"].map(named);
		for (const mistake of [...mistakes, new TypeError("x"), undefined])
			expect(fault("reading", "a", mistake)).toBe(mistake);
	});
});

test("a lost connection is an error that a new connection may solve", () => {
	const lost = [
		"AbortError",
		"InvalidStateError",
		"NotFoundError",
		"TimeoutError",
		"TransactionInactiveError",
		"UnknownError",
	];
	for (const name of lost) expect(isConnectionLost(named(name)), name).toBe(true);
	const others = ["QuotaExceededError", "ConstraintError", "VersionError", "SecurityError", "DataError"];
	for (const name of others) expect(isConnectionLost(named(name)), name).toBe(false);
	expect(isConnectionLost(new TypeError("x"))).toBe(false);
});
