import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OutlineError } from "../../../../src/errors.js";
import { spanModule } from "../../../../src/read/search/moments.js";
import { type Condition, parseQuery, type State } from "../../../../src/read/search/query.js";

await spanModule.load();

const options = { timeZone: "UTC", now: Date.parse("2026-11-21T12:00Z") };
const parse = (text: string) => parseQuery(text, options);

const word = (...words: string[]): Condition => ({ negated: false, type: "words", words, lastIsPrefix: true });
const phrase = (...words: string[]): Condition => ({ negated: false, type: "words", words, lastIsPrefix: false });
const tag = (tag: string, isPrefix = false): Condition => ({ negated: false, type: "tag", tag, isPrefix });
const state = (state: State): Condition => ({ negated: false, type: "state", state });
const not = (condition: Condition): Condition => ({ ...condition, negated: true });

describe("parsing the query", () => {
	test.each<[string, Condition[][]]>([
		["meet", [[word("meet")]]],
		["  Meet\tÄnna\u3000京都\n", [[word("meet")], [word("anna")], [word("京", "都")]]],
		["-meet", [[not(word("meet"))]]],
		['"Meet Anna" -"no, way"', [[phrase("meet", "anna")], [not(phrase("no", "way"))]]],
		["“meet anna” „so“", [[phrase("meet", "anna")], [phrase("so")]]],
		[
			"http://x 10:30 e-mail note: x",
			[[word("http", "x")], [word("10", "30")], [word("e", "mail")], [word("note")], [word("x")]],
		],
		["#Work @änna/x -#no ＃全", [[tag("#work")], [tag("@anna/x")], [not(tag("#no"))], [tag("#全")]]],
		["#Wor* -@ä/* #a_*", [[tag("#wor", true)], [not(tag("@a/", true))], [tag("#a_", true)]]],
		["is:todo IS:Completed -is:mirror", [[state("todo")], [state("completed")], [not(state("mirror"))]]],
		["has:note HAS:Link -has:date", [[state("note")], [state("link")], [not(state("date"))]]],
		["has:mirror is:mirror", [[state("mirrored")], [state("mirror")]]],
		["a OR b", [[word("a"), word("b")]]],
		["a b OR c d", [[word("a")], [word("b"), word("c")], [word("d")]]],
		["a OR -b OR #c", [[word("a"), not(word("b")), tag("#c")]]],
		['a or "OR" "AND" or', [[word("a")], [word("or")], [phrase("or")], [phrase("and")], [word("or")]]],
		["(draft) f(x) a)b", [[word("draft")], [word("f", "x")], [word("a", "b")]]],
		['"-a" "#b" "is:c" "in:note"', [[phrase("a")], [phrase("b")], [phrase("is", "c")], [phrase("in", "note")]]],
		["🎉", [[word("🎉")]]],
		['"due:today" -"a:b"', [[phrase("due", "today")], [not(phrase("a", "b"))]]],
		[
			"note: note:/x file:///x HTTP://x",
			[[word("note")], [word("note", "x")], [word("file", "x")], [word("http", "x")]],
		],
		["9:x :x", [[word("9", "x")], [word("x")]]],
		[":smile: www.x.org:80 (a:b)", [[word("smile")], [word("www", "x", "org", "80")], [word("a", "b")]]],
	])("%s", (text, groups) => {
		expect(parse(text)).toEqual({ groups, scope: "text" });
	});

	test("applies in:note to the whole query, no matter where it is", () => {
		const expected = { groups: [[word("a")], [state("todo")]], scope: "note" };
		for (const text of ["in:note a is:todo", "a In:Note is:todo", "a is:todo in:note"]) {
			expect(parse(text)).toEqual(expected);
		}
		expect(parse("in:note #a")).toEqual({ groups: [[tag("#a")]], scope: "note" });
	});

	test("removes characters that no stored text has", () => {
		expect(parse("me\0et")).toEqual(parse("meet"));
	});

	test("reads the id of a node that others link to", () => {
		const link: Condition = { negated: false, type: "link", shortId: "2f6a3b8c9d10" };
		expect(parse("links:2F6A3b8c9d10 -LINKS:00000000-0000-4000-8000-2f6a3b8c9d10").groups).toEqual([
			[link],
			[not(link)],
		]);
	});

	test("reads terms about properties", () => {
		const has = (key: string): Condition => ({ negated: false, type: "property", key });
		expect(parse("has:Due -HAS:fällig").groups).toEqual([[has("due")], [not(has("fallig"))]]);
		expect(parse('has:"due date"').groups).toEqual([[has("due date")]]);
		expect(parse('has:"note" has:notes').groups).toEqual([[has("note")], [has("notes")]]);
		const value = (key: string, text: string, ...words: string[]) => ({ ...has(key), value: { text, words } });
		expect(parse('Status:"In progress" a_b:x e-mail:y').groups).toEqual([
			[value("status", "in progress", "in", "progress")],
			[value("a_b", "x", "x")],
			[value("e-mail", "y", "y")],
		]);
		const five = (numbers: object) => [{ ...has("n"), value: expect.objectContaining({ numbers }) }];
		expect(parse("n:5 n:>5 n:<=5 n:-1.5..5").groups).toEqual([
			five({ least: 5, most: 5 }),
			five({ least: 5, most: Infinity, without: 5 }),
			five({ least: -Infinity, most: 5 }),
			five({ least: -1.5, most: 5 }),
		]);
		const from = Date.parse("2026-11-20T23:00Z") / 1000;
		const berlin = parseQuery("due:2026-11-21", { ...options, timeZone: "Europe/Berlin" });
		expect(berlin.groups).toEqual([
			[
				{
					...has("due"),
					value: expect.objectContaining({ dates: { from, before: from + 86_400, timeZone: "Europe/Berlin" } }),
				},
			],
		]);
	});

	test("reads dates in texts, and a property of that name in quotes", () => {
		const day = { from: Date.parse("2026-11-21T00:00Z") / 1000, before: Date.parse("2026-11-22T00:00Z") / 1000 };
		expect(parse("date:2026-11-21 -Date:Today").groups).toEqual([
			[{ negated: false, type: "dated", ...day }],
			[{ negated: true, type: "dated", ...day }],
		]);
		expect(parse('date:"2026-11-21"').groups).toMatchObject([[{ type: "property", key: "date" }]]);
		expect(parse('created:"2026-11-21"').groups).toMatchObject([[{ type: "date", field: "createdAt" }]]);
	});

	test("reads dates in the time zone, relative to now", () => {
		const from = Date.parse("2026-11-20T23:00Z") / 1000;
		const berlin = parseQuery("created:2026-11-21", { ...options, timeZone: "Europe/Berlin" });
		expect(berlin.groups).toEqual([
			[{ negated: false, type: "date", field: "createdAt", from, before: from + 86_400 }],
		]);
		const week = { from: options.now / 1000 - 7 * 86_400, before: Infinity };
		expect(parse("modified:7d -Completed:7d").groups).toEqual([
			[{ negated: false, type: "date", field: "modifiedAt", ...week }],
			[{ negated: true, type: "date", field: "completedAt", ...week }],
		]);
	});
});

describe("refuses, and names the term:", () => {
	test.each([
		["due:>todays", /"due:>todays".*After due:.*a number or a date that exists/],
		["-due:<", /"-due:<"/],
		["due:>2026-02-30", /exists/],
		["has:", /"has:".*note, link, date, mirror.*has:due/],
		["links:", /"links:".*short id/],
		["-links:2f6a3b8c9d1", /"-links:2f6a3b8c9d1".*short id/],
		["links:trip", /"links:trip".*links:2f6a3b8c9d10/],
		["", /empty/],
		["  \n", /empty/],
		["is:nonsense", /"is:nonsense".*todo, completed, mirror/],
		["-is:", /"-is:".*todo, completed, mirror/],
		["created:yesterday-ish", /"created:yesterday-ish".*2026-11-21.*7d/],
		["date:", /"date:".*After date: a date that exists.*today.*\+7d/],
		["-date:soon", /"-date:soon".*After date:/],
		["completed:2026-02-30", /"completed:2026-02-30".*exists/],
		["in:name", /"in:name".*note/],
		["a -in:note", /"-in:note".*neither - nor OR/],
		["a OR in:note b", /"in:note".*neither - nor OR/],
		["in:note OR a", /"in:note".*neither - nor OR/],
		["in:note", /Add a word/],
		["in:note is:todo", /Add a word/],
		['a "b c', /"\\"b c".*never closed/],
		['"', /never closed/],
		['5" b', /"5\\"".*whole term/],
		['"a"b', /whole term/],
		['a:"b"c', /its value/],
		['a:"b', /never closed/],
		['""', /needs a letter/],
		["a & b", /"&".*needs a letter/],
		["a - b", /"-".*needs a letter/],
		["--a", /"--a".*dashes/],
		["#", /"#".*tag is/],
		["#a!", /"#a!".*tag is/],
		["@me.org", /"@me.org".*tag is/],
		["OR a", /OR stands between/],
		["a OR", /OR stands between/],
		["a OR OR b", /OR stands between/],
		["OR", /OR stands between/],
		["a AND b", /"AND".*leave AND out/],
		["NOT b", /"NOT".*-term/],
		["a -OR b", /"-OR".*-term/],
		["(a OR b) c", /"\(a".*no parentheses/],
		["a (b OR c)", /"\(b".*no parentheses/],
		["a b) c", /"b\)".*no parentheses/],
		[`${"a".repeat(1001)}`, /1001 characters.*1000/],
		["a ".repeat(101), /101 terms.*100/],
		[7 as unknown as string, /7.*text/],
	])("%j", (text, message) => {
		expect(() => parse(text)).toThrow(message);
		expect(() => parse(text)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
	});

	test("but accepts a query at the limits", () => {
		expect(parse("a".repeat(1000)).groups).toHaveLength(1);
		expect(parse("a ".repeat(100)).groups).toHaveLength(100);
	});
});

test("parses any text, or refuses it with a code", () => {
	const part = fc.constantFrom(
		...'a - " “ OR is: in:note created: > .. 2026 7d # @ ( ) 東 \0 \ud800 : _ /'.split(" "),
		" ",
		"  ",
	);
	fc.assert(
		fc.property(
			fc.oneof(
				fc.array(part, { maxLength: 12 }).map((all) => all.join("")),
				fc.string({ unit: "binary" }),
			),
			(text) => {
				try {
					const { groups } = parse(text);
					expect(groups.length).toBeGreaterThan(0);
					for (const each of groups.flat()) if (each.type === "words") expect(each.words.length).toBeGreaterThan(0);
				} catch (error) {
					if (!(error instanceof OutlineError)) throw error;
					expect(error.code).toBe("invalid_argument");
				}
			},
		),
		{ numRuns: 1500 },
	);
});
