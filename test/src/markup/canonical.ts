import fc from "fast-check";
import { serialization } from "../../../src/markup/html/serialize.js";
import type { Inline, InlineTag } from "../../../src/markup/inline.js";
import { finished } from "../../../src/pace.js";
import { berlin } from "./berlin.js";
import { lineSoup } from "./soup.js";

interface Element {
	readonly tag: InlineTag;
	readonly attribute?: string;
	readonly children: readonly Node[];
}
type Node = string | Element;

const hrefs = [
	"/u",
	"https://a.example/b_c~d?e=1&f=2#g",
	"https://a.example/(b)",
	"/a b",
	"/(",
	"/a)b(c",
	"/((a))",
	"/&copy;&#1;",
	"mailto:a@b.example",
	"https://a.example/`\\*[b]<c>",
	"/*a*~~b~~",
	"#\"'é",
];
const datetimes = ["2026-11-21", "2026-11-21T14:30+01:00", "2026-11-21T14:30Z", "2026-07-01T09:05+02:00"];
const labels = ["2026-11-21", "2026-11-21 14:30", "2026-07-01 09:05", "Sat, Nov 21, 2026"];
const oddTexts = [
	"\n",
	"# ",
	" #",
	"- [x] ",
	"1. ",
	"> ",
	"(",
	"!",
	" * ",
	"<",
	"&",
	"。",
	"€",
	"\u0085",
	"\u2028",
	"\f",
];

const text = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom("a", "b c", " ", ", ", "é", "\u{1f600}") },
	fc.constantFrom(...oddTexts),
	lineSoup,
);
const { node } = fc.letrec<{ node: Node }>((tie) => {
	const children = fc.array(tie("node"), { maxLength: 4, depthIdentifier: "fragment" });
	const element = (tag: InlineTag) => children.map((nodes): Element => ({ tag, children: nodes }));
	const link = fc
		.tuple(fc.constantFrom(...hrefs), fc.option(children))
		.map(([href, nodes]): Element => ({ tag: "a", attribute: href, children: nodes ?? [href] }));
	const time = fc
		.tuple(
			fc.constantFrom(...datetimes),
			fc.oneof(
				fc.constantFrom(...labels).map((label) => [label]),
				children,
			),
		)
		.map(([datetime, nodes]): Element => ({ tag: "time", attribute: datetime, children: nodes }));
	const code = fc.oneof(
		text.map((content): Element => ({ tag: "code", children: [content] })),
		element("code"),
	);
	return {
		node: fc.oneof(
			{ depthIdentifier: "fragment", maxDepth: 7, withCrossShrink: true },
			text,
			element("b"),
			element("i"),
			element("s"),
			code,
			link,
			time,
		),
	};
});

function pushInlines(inlines: Inline[], nodes: readonly Node[]): Inline[] {
	for (const one of nodes) {
		if (typeof one === "string") inlines.push({ type: "text", value: one, dates: false });
		else {
			const { tag, attribute } = one;
			inlines.push({ type: "open", tag, attribute, source: "", sealed: true });
			pushInlines(inlines, one.children);
			inlines.push({ type: "close", tag, source: "", sealed: true });
		}
	}
	return inlines;
}

/** Canonical fragments of all elements in any order and nesting, with texts that look like markup. */
export const canonical: fc.Arbitrary<string> = fc
	.array(node, { maxLength: 5 })
	.map((nodes) => finished(serialization(pushInlines([], nodes), berlin)));

/** Canonical fragments of many small parts. A create reads them in pieces. */
export const longCanonical: fc.Arbitrary<string> = fc
	.tuple(
		fc.array(node, { minLength: 1, maxLength: 4 }),
		fc.integer({ min: 20, max: 120 }),
		fc.constantFrom("b", "i", "s"),
	)
	.map(([nodes, times, tag]) => {
		const inlines = pushInlines([], nodes);
		const open: Inline = { type: "open", tag, source: "", sealed: true };
		const close: Inline = { type: "close", tag, source: "", sealed: true };
		const many = Array.from({ length: times }, () => inlines).flat();
		return finished(serialization(times % 2 === 0 ? many : [open, ...many, close], berlin));
	});
