import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { finished } from "../../../../src/pace.js";
import { AddressReader } from "../../../../src/read/search/address.js";
import { type Content, hasLink, noContent, searchable, wordsOnly } from "../../../../src/read/search/searchable.js";

const addresses = new AddressReader("https://example.org");
const read = (given: Partial<Content>) => finished(searchable({ ...noContent, ...given }, addresses, "UTC"));

test("returns the texts that a user reads, for each field", () => {
	const { name, note } = read({ name: '<b>me</b>et <a href="/secret">Anna</a> &amp; co', note: "<b>Note</b>" });
	expect(name).toBe("meet Anna & co");
	expect(note).toBe("<b>Note</b>");
});

describe("tags", () => {
	test("are returned as written first, with whether the note has them", () => {
		const { tags } = read({ name: "#Work #work #Only", note: "#WORK @note" });
		expect([...tags]).toEqual([
			["#work", { written: "#Work", inNote: true }],
			["#only", { written: "#Only", inNote: false }],
			["@note", { written: "@note", inNote: true }],
		]);
	});

	test("are ignored in code, in links and in the name of a code block", () => {
		expect(read({ name: '<code>#a</code> <a href="/x">#b</a>' }).tags.size).toBe(0);
		expect([...read({ name: "#include", note: "#c", layoutMode: "code-block" }).tags.keys()]).toEqual(["#c"]);
	});
});

test("finds dates in names and notes, by day, but not in code, in links and in code blocks", () => {
	const { dates } = read({
		name: '<time datetime="2026-12-01">Tue</time> [2026-12-01 09:30] <code>[2026-12-02]</code> <a href="/">[2026-12-03]</a>',
		note: "from [2026-12-04] to 2026-12-05, not [2026-12-41] or [2026-12-06 25:00]",
	});
	expect([...dates]).toEqual([
		["2026-12-01", ["2026-12-01", "2026-12-01T09:30+00:00"]],
		["2026-12-04", ["2026-12-04"]],
	]);
	expect(read({ name: "[2026-12-01]", layoutMode: "code-block" }).dates.size).toBe(0);
});

test("reads texts of a million characters in steps, no matter what they contain", () => {
	const units = [
		"#a ",
		"<b>a</b>",
		"&amp;",
		'<a href="/x">#a</a>',
		"https://example.org/#/111111111111 ",
		"[2026-12-01]",
	];
	for (const unit of units) {
		const text = unit.repeat(1_000_000 / unit.length);
		const name = unit.startsWith("<") || unit.startsWith("&") ? text : "";
		const steps = [...searchable({ name, note: text, layoutMode: "bullets", properties: null }, addresses, "UTC")]
			.length;
		expect(steps, unit).toBeGreaterThan(50);
	}
	const tag = `#${"é".repeat(1_000_000)}`;
	expect(
		[...searchable({ name: "", note: tag, layoutMode: "bullets", properties: null }, addresses, "UTC")].length,
	).toBeGreaterThan(50);
});

test("finds links in link targets, names and notes, but not in code", () => {
	const address = (digit: string) => `https://example.org/#/${digit.repeat(12)}`;
	const { links } = read({
		name: `<a href="${address("1")}">x</a> <a href="222222222222">y</a> ${address("3")} <code>${address("4")}</code>`,
		note: address("5"),
	});
	expect([...links.keys()].map((shortId) => shortId[0])).toEqual(["1", "2", "3", "5"]);
	expect(read({ name: address("6"), layoutMode: "code-block" }).links.size).toBe(0);
});

test("reads content of words alone faster, with the same result", () => {
	const parts = fc.constantFrom(
		..."a é <b>x</b> &lt; #tag @x ＃y https://example.org/#/111111111111 東 [2026-12-01] http://a.b WWW.a.b".split(" "),
	);
	const text = fc.array(parts, { maxLength: 3 }).map((all) => all.join(" "));
	let plain = 0;
	fc.assert(
		fc.property(text, fc.option(text), fc.constantFrom("bullets", "code-block"), (name, note, layoutMode) => {
			const content = { name, note, layoutMode } as Content;
			const quickly = wordsOnly(content);
			if (quickly === undefined) return;
			plain += 1;
			expect(quickly).toEqual(finished(searchable(content, addresses, "UTC")));
			expect(hasLink(content)).toBe(false);
		}),
		{ numRuns: 500 },
	);
	expect(plain).toBeGreaterThan(0);
});
