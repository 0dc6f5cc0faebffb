import { expect, test } from "vitest";
import { finished } from "../../../../src/pace.js";
import { nameText } from "../../../../src/read/search/name-text.js";

test.each([
	["plain", "plain", "plain", []],
	["<b>un</b>believable", "unbelievable", "unbelievable", []],
	["a &lt;b&gt; &amp;amp; c", "a <b> &amp; c", "a <b> &amp; c", []],
	["use <code>#define</code> #now", "use #define #now", `use ${"\ufffc".repeat(7)} #now`, []],
	['<a href="/a?b&amp;c=&quot;d&quot;">la<i>bel</i></a>.', "label.", `${"\ufffc".repeat(5)}.`, ['/a?b&c="d"']],
	['<code>x <a href="/a">y</a> z</code> w', "x y z w", `${"\ufffc".repeat(5)} w`, ["/a"]],
	['<time datetime="2026-11-21">Sat</time>', "Sat", "Sat", [], ["2026-11-21"]],
	["<code>open", "open", "\ufffc".repeat(4), []],
	["</code>a < b <", "a < b <", "a < b <", []],
] as const)(
	"reading a name returns for %j the text %j",
	(name, text, prose, hrefs, datetimes: readonly string[] = []) => {
		expect(finished(nameText(name))).toEqual({ text, prose, hrefs, datetimes });
	},
);

test("reads a long name in steps with the same result", () => {
	const parts = [
		"<b>a</b>",
		"&amp;",
		"&#x1F600;",
		"&CounterClockwiseContourIntegral;",
		"x",
		"<code>y</code>",
		"&nope",
		" ",
	];
	for (const part of parts) {
		for (let shift = 0; shift < 40; shift += 3) {
			const count = Math.ceil(30_000 / part.length);
			const steps = nameText("-".repeat(shift) + part.repeat(count));
			const first = finished(nameText(part));
			const { text, prose } = finished(steps);
			expect(text).toBe("-".repeat(shift) + first.text.repeat(count));
			expect(prose).toBe("-".repeat(shift) + first.prose.repeat(count));
		}
		expect([...nameText(part.repeat(1_000_000 / part.length))].length, part).toBeGreaterThan(50);
	}
	const target = "/a?b&amp;c".repeat(3000);
	expect(finished(nameText(`<a href="${target}">x</a>`)).hrefs).toEqual([target.replaceAll("&amp;", "&")]);
	expect([...nameText(`<a href="${target.repeat(30)}">x</a>`)].length).toBeGreaterThan(50);
});

test("reads very many brackets and tags in linear time", () => {
	for (const unit of ["<", "<b", "<b>", "</b>", '<a href="', "&lt;", "&", "<code>"]) {
		expect(finished(nameText(unit.repeat(Math.ceil(200_000 / unit.length)))).hrefs).toEqual([]);
	}
});
