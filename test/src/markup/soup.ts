import fc from "fast-check";

const blockTokens = [
	"\n",
	"\n\n",
	"\n  ",
	"\n    ",
	"\n\t",
	"- ",
	"* ",
	"+ ",
	"1. ",
	"12) ",
	"> ",
	">",
	"# ",
	"### ",
	"##### ",
	"#",
];
const fenceTokens = ["\n```\n", "\n~~~\n", "\n```js\n", "```", "~~~", "---", "***", "===", "[ ] ", "[x] "];
const inlineTokens = [
	"*",
	"**",
	"***",
	"_",
	"__",
	"~",
	"~~",
	"~~~",
	"`",
	"``",
	"\\",
	"\\\\",
	"!",
	"[",
	"]",
	"](",
	"](/",
	")",
	">",
	"|",
];
const linkTokens = [
	"[",
	"](https://a.example/)",
	'](/u "ti")',
	'](/u "',
	'")',
	"](javascript:1)",
	"](<b c>)",
	"<https://b.example>",
	"<c@d.example>",
	"<javascript:1>",
	"![",
	"][",
];
const dateTokens = ["[2026-11-21]", "[2026-11-21 14:30]", "[2026-02-30]", "[2026-1-2]", "[2026-03-29 02:30]"];
const referenceTokens = [
	"&",
	"&amp;",
	"&lt;",
	"&quot;",
	"&#91;",
	"&#x5d;",
	"&#13;",
	"&#10;",
	"&#0;",
	"&#xD83D;",
	"&NewLine;",
	"&nope;",
	";",
];
const tagTokens = [
	"<b>",
	"</b>",
	"<STRONG>",
	"</strong >",
	"<i>",
	"</em>",
	"<del>",
	"</strike>",
	"<code>",
	"</code>",
	'<a href="/v">',
	"<a href=javascript:1>",
	"<a>",
	"</a>",
	'<time datetime="2026-11-21">',
	"<time startYear=2026 startMonth=3 startDay=29 startHour=2>",
	"</time>",
	"<b/>",
	"<script>",
	"<!-- ",
	" -->",
	"<?",
	"<![CDATA[",
	"]]>",
	"<",
	"</",
];
const oddTokens = [
	" ",
	"  ",
	"\t",
	"\u00a0",
	"\ufeff",
	"\u200b",
	"é",
	"\u{1f600}",
	"\u0301",
	"'",
	'"',
	"=",
	"/",
	":",
	".",
];

const markupToken = fc.constantFrom(
	...blockTokens,
	...fenceTokens,
	...inlineTokens,
	...linkTokens,
	...dateTokens,
	...referenceTokens,
	...tagTokens,
	...oddTokens,
);

/** Markup in any order, with letters in between. */
export const soup: fc.Arbitrary<string> = fc
	.array(fc.oneof(markupToken, fc.constantFrom("a", "b c", "D", "7")), { maxLength: 40 })
	.map((tokens) => tokens.join(""));

/** Markup of one line. */
export const lineSoup: fc.Arbitrary<string> = soup.map((text) => text.replaceAll("\n", " "));

/** Markup with the numbered words `w0w`, `w1w` and so on in between, each once and in this order. */
export const numberedSoup: fc.Arbitrary<string> = fc
	.array(fc.oneof(markupToken, fc.constant("word")), { maxLength: 40 })
	.map((tokens) => {
		let count = 0;
		return tokens.map((token) => (token === "word" ? `w${count++}w` : token)).join("");
	});
