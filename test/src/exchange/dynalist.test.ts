import type { ImportOptions } from "outlinekit";
import { describe, expect, test } from "vitest";
import { newOutline } from "../../support/outline.js";
import { turnsDuring } from "../../support/turns.js";
import { sketch } from "./files.js";

async function opml(...texts: readonly string[]) {
	const escaped = texts.map((text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\n", "&#10;"));
	const outlines = escaped.map((text) => `<outline text="${text.replaceAll('"', "&quot;")}"/>`).join("");
	const outline = newOutline();
	const file = `<opml><head><flavor>dynalist</flavor></head><body>${outlines}</body></opml>`;
	const { lost } = await outline.import(file, { format: "opml" });
	return { sketch: await sketch(outline), lost };
}

describe("importing the OPML of Dynalist", () => {
	test("reads its texts as Markdown", async () => {
		expect(await opml("**b** __it is it__ ~~s~~ `__c__` [l](https://x.org) __init__.py a__b__c _u_")).toEqual({
			sketch:
				'<b>b</b> <i>it is it</i> <s>s</s> <code>__c__</code> <a href="https://x.org">l</a> <i>init</i>.py a__b__c _u_',
			lost: {},
		});
	});

	test("reads dates, and counts repetitions", async () => {
		expect(
			await opml(
				"call !(2026-12-01)",
				"!(2026-12-01 14:30) – !(2026-12-01 - 2026-12-03)",
				"!(2026-12-01 | 1w) pay",
				"!(2026-13-01) !(x)",
			),
		).toEqual({
			sketch: `call <time datetime="2026-12-01">2026-12-01</time>
<time datetime="2026-12-01T14:30+00:00">2026-12-01 14:30</time> – <time datetime="2026-12-01">2026-12-01</time> – <time datetime="2026-12-03">2026-12-03</time>
<time datetime="2026-12-01">2026-12-01</time> (1w) pay
!(2026-13-01) !(x)`,
			lost: { repetition: 1 },
		});
	});

	test("finds images whose text has escaped brackets, and begins an image at the last bracket before its link", async () => {
		const image = (text: string) => `<a href="https://x.org">${text}</a>`;
		expect(await opml("![a \\[b\\]](https://x.org)", "![a\\\\](https://x.org)", "![a [b](https://x.org)")).toEqual({
			sketch: `${image("a [b]")}\n${image("a\\")}\n![a ${image("b")}`,
			lost: {},
		});
	});

	test("keeps an image without a text as it is, because a link without a text is none", async () => {
		expect(await opml("![](https://x.org/p.png) ![a](https://x.org)")).toEqual({
			sketch: '![](https://x.org/p.png) <a href="https://x.org">a</a>',
			lost: {},
		});
	});

	test("makes an image a link, and keeps what would be a block or a tag as text", async () => {
		expect(
			await opml("![plan](https://x.org/p.png)", "# one", "- two", "three\n\n**four**", "1. five", "a <b>c</b> &amp;"),
		).toEqual({
			sketch: `<a href="https://x.org/p.png">plan</a>
# one
- two
three⏎⏎<b>four</b>
1. five
a &lt;b&gt;c&lt;/b&gt; &amp;amp;`,
			lost: {},
		});
	});
});

test("indented text with the dialect is read so too", async () => {
	const outline = newOutline();
	await outline.import("Trip\n\t__pack__ !(2026-12-01)\n\t# 2 tents", { format: "text", dialect: "dynalist" });
	expect(await sketch(outline)).toBe('Trip\n  <i>pack</i> <time datetime="2026-12-01">2026-12-01</time>\n  # 2 tents');
});

test("the texts of other OPML are HTML", async () => {
	const outline = newOutline();
	const file = '<opml><head><flavor>other</flavor></head><body><outline text="**a** __b__"/></body></opml>';
	expect((await outline.import(file, { format: "opml" })).lost).toEqual({ "head flavor": 1 });
	expect(await sketch(outline)).toBe("**a** __b__");
});

test.each(["__a ", "![", "!(1", "`", "_", "!(2026-12-01 ", "<b"])(
	"a long text of %j takes linear time",
	async (piece) => {
		const start = performance.now();
		await opml(piece.repeat(50_000));
		expect(performance.now() - start).toBeLessThan(5000);
	},
);

test("open images take little more time than in other Markdown", async () => {
	const text = "![a".repeat(330_000);
	const durationOf = async (options: ImportOptions) => {
		const start = process.cpuUsage();
		await newOutline().import(text, options);
		const { user, system } = process.cpuUsage(start);
		return user + system;
	};
	let ratio = Number.POSITIVE_INFINITY;
	for (let attempt = 0; attempt < 5 && ratio > 3; attempt++) {
		const markdown = await durationOf({ format: "markdown" });
		ratio = Math.min(ratio, (await durationOf({ format: "text", dialect: "dynalist" })) / markdown);
	}
	expect(ratio).toBeLessThan(3);
});

test("lets other work run between the marks of a long text", async () => {
	const turnsOf = (text: string) => {
		const outline = newOutline();
		return turnsDuring(() => outline.import(text, { format: "text", dialect: "dynalist" }));
	};
	const marks = 40 * 1024;
	const already = await turnsOf("[2026-12-01]  ".repeat(marks));
	expect(await turnsOf("!(2026-12-01) ".repeat(marks))).toBeGreaterThanOrEqual(already + 40);
});
