import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toText } from "../../../../src/markup/write/to-text.js";
import { finished } from "../../../../src/pace.js";
import { fold } from "../../../../src/read/search/fold.js";
import { FoldedText } from "../../../../src/read/search/folded-text.js";
import type { TextRange } from "../../../../src/read/search/options.js";
import { parseQuery } from "../../../../src/read/search/query.js";
import { rangesOf } from "../../../../src/read/search/ranges.js";

const asked = (query: string) => parseQuery(query, { timeZone: "UTC", now: 0 });

/** The text with its ranges in marks. */
function marked(text: string, ranges: readonly TextRange[]): string {
	let read = 0;
	const parts = ranges.map(({ start, end }) => {
		const part = `${text.slice(read, start)}«${text.slice(start, end)}»`;
		read = end;
		return part;
	});
	return parts.join("") + text.slice(read);
}

const inName = (query: string, name: string, layoutMode: "bullets" | "code-block" = "bullets") =>
	marked(toText(name), finished(rangesOf(asked(query), { name, note: null, layoutMode })).name);

describe("the ranges of", () => {
	test.each([
		["a word, and the beginning of a longer one", "meet", "Meet me at the Meeting", "«Meet» me at the «Meet»ing"],
		["a word across markup", "believ", "un<b>be</b>lieve <b>be</b>lieved", "unbelieve «believ»ed"],
		["words without accents", "café strass", "Cafe\u0301s, CAFE, Straße", "«Cafe\u0301»s, «CAFE», «Straß»e"],
		["letters that fold to several", "fi kg", "ﬁnd 5㎏", "«ﬁ»nd 5㎏"],
		["a phrase, which may repeat and overlap", '"a b a"', "a b, a b a! a", "«a b, a b a»! a"],
		["words side by side", "e-mai", "E mails by e-mail", "«E mai»ls by «e-mai»l"],
		["a script without spaces", "京", "東京タワー", "東«京»タワー"],
		["tags, with the tags below them", "#work", "#Work #work/x #workshop", "«#Work» «#work/x» #workshop"],
		["the beginning of a tag", "#wor*", "#work <code>#work</code> #word", "«#work» #work «#word»"],
		["alternatives, but not of what must be absent", "a OR b -c", "a b c", "«a» «b» c"],
		["escaped characters before it", "b", "&lt;a&gt; &amp; b", "<a> & «b»"],
		["a tag behind the label of a link", "#b", '<a href="/">#b</a> #b', "#b «#b»"],
		["other terms", "is:todo created:1970 has:note date:1970 x:y", "todo x y", "todo x y"],
	])("%s", (_, query, name, expected) => {
		expect(inName(query, name)).toBe(expected);
	});

	test("a note are apart from those of the name, and `in:note` asks for these alone", () => {
		const node = { name: "plan a", note: "a plan #a", layoutMode: "bullets" } as const;
		const both = finished(rangesOf(asked("plan #a"), node));
		expect([marked("plan a", both.name), marked(node.note, both.note)]).toEqual(["«plan» a", "a «plan» «#a»"]);
		const ofNote = finished(rangesOf(asked("in:note plan"), node));
		expect([ofNote.name, marked(node.note, ofNote.note)]).toEqual([[], "a «plan» #a"]);
	});

	test("the name of a code block include no tags", () => {
		expect(inName("#define", "#define x #define", "code-block")).toBe("#define x #define");
		expect(inName("define", "#define x", "code-block")).toBe("#«define» x");
	});

	test("long texts are found in steps, and at most 1,000 of a term", () => {
		for (const unit of ["a ", "ä ", "#a "]) {
			const note = unit.repeat(300_000);
			const steps = rangesOf(asked("a OR #a"), { name: "", note, layoutMode: "bullets" });
			let count = 0;
			let step = steps.next();
			for (; !step.done; step = steps.next()) count += 1;
			expect(step.value.note).toHaveLength(1000);
			expect(count).toBeGreaterThan(100);
		}
	});
});

test("a folded text has the same letters as one that is folded as a whole, each with its place", () => {
	const units = fc.constantFrom(
		..."a é e\u0301 \u0301 Σ ß İ ﬁ か \u3099 ｶ ﾞ ᄀ \u1161 \u11a8 각 ㄱ ㅏ \u200d \u00ad 👩‍💻 🇩🇪 ﷺ ㎏ ǆ 東 \ud83d".split(
			" ",
		),
		" ",
	);
	fc.assert(
		fc.property(fc.array(units, { maxLength: 20 }), (parts) => {
			const text = parts.join("");
			const read = finished(FoldedText.of(text));
			expect(read.folded).toBe(fold(text));
			for (let at = 0; at < read.folded.length; at++) {
				expect(read.start(at)).toBeLessThan(read.end(at + 1));
				if (at > 0) expect(read.start(at)).toBeGreaterThanOrEqual(read.start(at - 1));
				expect(fold(text.slice(read.start(at), read.end(at + 1)))).toContain(read.folded[at]);
			}
		}),
		{ numRuns: 2000 },
	);
});
