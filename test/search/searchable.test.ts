import { describe, expect, test } from "vitest";
import { AddressReader } from "../../src/search/address.js";
import { type Content, searchable } from "../../src/search/searchable.js";

const addresses = new AddressReader("https://example.org");
const read = (given: Partial<Content>) =>
	searchable({ name: "", note: null, layoutMode: "bullets", ...given }, addresses);

test("words are those that a person reads, by field", () => {
	const { name, note } = read({ name: '<b>me</b>et <a href="/secret">Anna</a> &amp; co', note: "<b>Note</b>" });
	expect(name).toEqual(["meet", "anna", "co"]);
	expect(note).toEqual(["b", "note", "b"]);
});

describe("tags", () => {
	test("are kept as written first, with whether the note bears them", () => {
		const { tags } = read({ name: "#Work #work #Only", note: "#WORK @note" });
		expect([...tags]).toEqual([
			["#work", { written: "#Work", inNote: true }],
			["#only", { written: "#Only", inNote: false }],
			["@note", { written: "@note", inNote: true }],
		]);
	});

	test("are none in code, in links and in the name of a code block", () => {
		expect(read({ name: '<code>#a</code> <a href="/x">#b</a>' }).tags.size).toBe(0);
		expect([...read({ name: "#include", note: "#c", layoutMode: "code-block" }).tags.keys()]).toEqual(["#c"]);
	});
});

test("links are found in targets, names and notes, and not in code", () => {
	const address = (digit: string) => `https://example.org/#/${digit.repeat(12)}`;
	const { links } = read({
		name: `<a href="${address("1")}">x</a> <a href="222222222222">y</a> ${address("3")} <code>${address("4")}</code>`,
		note: address("5"),
	});
	expect([...links].map((shortId) => shortId[0])).toEqual(["1", "2", "3", "5"]);
	expect(read({ name: address("6"), layoutMode: "code-block" }).links.size).toBe(0);
});
