import { describe, expect, test } from "vitest";
import { nameText } from "../../src/search/name-text.js";

describe("of a name", () => {
	test.each([
		["plain", "plain", "plain", []],
		["<b>un</b>believable", "unbelievable", "unbelievable", []],
		["a &lt;b&gt; &amp;amp; c", "a <b> &amp; c", "a <b> &amp; c", []],
		["use <code>#define</code> #now", "use #define #now", "use \ufffc #now", []],
		['<a href="/a?b&amp;c=&quot;d&quot;">la<i>bel</i></a>.', "label.", "\ufffc.", ['/a?b&c="d"']],
		['<code>x <a href="/a">y</a> z</code> w', "x y z w", "\ufffc w", ["/a"]],
		['<time datetime="2026-11-21">Sat, Nov 21</time>', "Sat, Nov 21", "Sat, Nov 21", []],
		["<code>open", "open", "\ufffc", []],
		["</code>a < b <", "a < b <", "a < b <", []],
	])("%j the text is %j", (name, text, prose, hrefs) => {
		expect(nameText(name)).toEqual({ text, prose, hrefs });
	});
});

test("a very long row of brackets and tags is read at once", () => {
	for (const unit of ["<", "<b", "<b>", "</b>", '<a href="', "&lt;", "&", "<code>"]) {
		expect(nameText(unit.repeat(Math.ceil(200_000 / unit.length))).hrefs).toEqual([]);
	}
});
