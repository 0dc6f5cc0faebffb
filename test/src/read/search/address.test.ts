import { describe, expect, test } from "vitest";
import { AddressReader } from "../../../../src/read/search/address.js";

const reader = new AddressReader("https://Example.org/App");
const unaddressed = new AddressReader(undefined);

function inText(addresses: AddressReader, text: string): string[] {
	const found: string[] = [];
	for (const _ of addresses.eachInText(text, (shortId) => found.push(shortId)));
	return found;
}

test.each([
	["https://example.org/App/#/0123456789ab", ["0123456789ab"]],
	["HTTPS://EXAMPLE.ORG/App//#/0123456789AB", ["0123456789ab"]],
	[
		"(https://example.org/App/#/0123456789ab), https://example.org/App/#/ffffffffffff.",
		["0123456789ab", "ffffffffffff"],
	],
	["https://example.org/app/#/0123456789ab", []],
	["https://other.org/App/#/0123456789ab", []],
	["https://example.org/App/#/0123456789abc", []],
	["https://example.org/App/#/0123456789a", []],
	["xhttps://example.org/App/#/0123456789ab", []],
	["/#/0123456789ab 0123456789ab", []],
	["/#/https://example.org/App/#/0123456789ab", ["0123456789ab"]],
])("addresses in a text, %s: %j", (text, expected) => {
	expect(inText(reader, text)).toEqual(expected);
	expect(inText(unaddressed, text)).toEqual([]);
});

describe("a link", () => {
	test.each([
		["https://example.org/App/#/0123456789AB", "0123456789ab"],
		["https://EXAMPLE.org/App//#/0123456789ab", "0123456789ab"],
		["https://example.org/app/#/0123456789ab", undefined],
		["https://example.org/App#/0123456789ab", undefined],
		["https://other.org/?u=https://example.org/App/#/0123456789ab", undefined],
		["https://example.org/App/#/0123456789ab?q", undefined],
		["mailto:0123456789ab", undefined],
		["/#/0123456789ab", undefined],
	])("%s leads to %s", (href, expected) => {
		expect(reader.inLink(href)).toBe(expected);
		expect(unaddressed.inLink(href)).toBeUndefined();
	});

	test.each(["#/0123456789AB", "0123456789ab"])("%s leads to the node with or without addresses", (href) => {
		expect(reader.inLink(href)).toBe("0123456789ab");
		expect(unaddressed.inLink(href)).toBe("0123456789ab");
	});
});

test("reads a million slashes and addresses in linear time", () => {
	expect(inText(reader, `${"/".repeat(1_000_000)}#/0123456789ab`)).toEqual([]);
	expect(inText(reader, "/#/0123456789ab".repeat(70_000))).toEqual([]);
	expect(inText(reader, "https://example.org/App/#/0123456789ab ".repeat(25_000))).toHaveLength(25_000);
});
