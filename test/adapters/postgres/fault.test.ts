import { OutlineError } from "outlinekit";
import { describe, expect, test } from "vitest";
import { fault, isPassing, isRefusal } from "../../../adapters/postgres/fault.js";
import { errorWithCode } from "./recording-pool.js";

describe("a passing failure", () => {
	test.each(["40001", "40P01", "23505", "08006", "57P01", "57P03", "53300", "ECONNRESET", "ECONNREFUSED", "EPIPE"])(
		"is %s",
		(code) => {
			expect(isPassing(errorWithCode(code))).toBe(true);
		},
	);

	test.each([
		"Connection terminated unexpectedly",
		"Connection terminated due to connection timeout",
		"Client has encountered a connection error and is not queryable",
		"Client was closed and is not queryable",
	])('is an error of node-postgres without a code: "%s"', (message) => {
		expect(isPassing(new Error(message))).toBe(true);
	});

	test.each(["42P01", "53100", "28P01", "57014", "25006", "0A000", "XX001"])("isn't %s", (code) => {
		expect(isPassing(errorWithCode(code))).toBe(false);
	});

	test("isn't an unknown error, nor one of the storage itself", () => {
		for (const cause of [
			new Error("odd"),
			new OutlineError("conflict", "connection terminated"),
			null,
			undefined,
			"x",
		]) {
			expect(isPassing(cause)).toBe(false);
		}
	});
});

describe("a refusal, after which nothing was applied,", () => {
	test.each(["40001", "23505", "53100", "42P01", "57014", "XX000", "P0001"])("is %s", (code) => {
		expect(isRefusal(errorWithCode(code))).toBe(true);
	});

	test.each(["40003", "08006", "57P01", "57P02", "EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED"])("isn't %s", (code) => {
		expect(isRefusal(errorWithCode(code))).toBe(false);
	});

	test("isn't an error without a code", () => {
		expect(isRefusal(new Error("Connection terminated"))).toBe(false);
		expect(isRefusal(new OutlineError("storage_unavailable", "late"))).toBe(false);
		expect(isRefusal(null)).toBe(false);
	});
});

describe("the error made from a client's error", () => {
	test.each([
		["53100", "quota_exceeded"],
		["XX001", "storage_corrupt"],
		["XX002", "storage_corrupt"],
		["42P01", "storage_unavailable"],
		["42501", "storage_unavailable"],
		["28P01", "storage_unavailable"],
		["25006", "storage_unavailable"],
		["40001", "storage_unavailable"],
		["ECONNREFUSED", "storage_unavailable"],
	])("for %s is %s, and has it as its cause", (code, expected) => {
		const cause = errorWithCode(code, "as it says");
		expect(fault(cause)).toMatchObject({ code: expected, cause, message: expect.stringContaining("as it says") });
	});

	test("has a message even if the client's error has none", () => {
		expect(fault(errorWithCode("ECONNREFUSED", "")).message).toContain("ECONNREFUSED");
		expect(fault("text").message).toContain("text");
	});

	test("is the client's error itself if that is an OutlineError", () => {
		const error = new OutlineError("conflict", "it is");
		expect(fault(error)).toBe(error);
	});
});
