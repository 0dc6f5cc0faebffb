import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { IdNumbers, isRightId } from "../../../src/verify/id-numbers.js";
import { numberedId } from "../../support/ids.js";

const odd = ["", "x", "0123", "8F5E2B6C-0000-4000-8000-0123456789AB", "not-an-id-of-thirty-six-characters-xx"];

test("each id has one number, and each number one id, for valid and invalid ids", () => {
	const numbers = new IdNumbers();
	const alike = Array.from({ length: 3000 }, (_, at) => numberedId(at));
	const ids = [...alike, ...odd, ...Array.from({ length: 3000 }, () => randomUUID())];
	for (const [number, id] of ids.entries()) {
		expect(numbers.find(id)).toBe(-1);
		expect(numbers.numberOf(id)).toBe(number);
	}
	expect(numbers.length).toBe(ids.length);
	for (const [number, id] of ids.entries()) {
		expect(numbers.numberOf(id)).toBe(number);
		expect(numbers.find(id)).toBe(number);
		expect(numbers.idOf(number)).toBe(id);
		const shortId = isRightId(id) ? Number.parseInt(id.slice(-12), 16) : Number.NaN;
		expect(numbers.shortIdOf(number)).toBe(shortId);
	}
});

test("a valid id is UUID-style and in lower case", () => {
	expect(isRightId("8f5e2b6c-0000-4000-8000-0123456789ab")).toBe(true);
	for (const wrong of [...odd, null, 5]) expect(isRightId(wrong)).toBe(false);
});
