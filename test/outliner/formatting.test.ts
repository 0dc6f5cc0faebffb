import { expect, test } from "vitest";
import { Random } from "../conformance/random.js";
import { seed, short, soak } from "../setup/soak.js";
import { App, type Tab } from "./app.js";

const app = new App();

test.each(["2*3*4", "2*3*", "10**2**3", "2*3*4*5"])("%s is arithmetic", async (text) => {
	const tab = await app.open();
	await tab.type(text);
	expect(await tab.rows()).toEqual([text]);
});

test.each(["a*b*c", "**b**", "x *b*", "[l](a)"])("stars and brackets in code are no formatting: %s", async (code) => {
	const tab = await app.open();
	await tab.type(`a \`${code}\` and it\`s *i* b`);
	expect(await tab.rows()).toEqual([`a <code>${code}</code> and it\`s <i>i</i> b`]);
});

test("undo takes back the formatting alone, and leaves the characters as they were typed", async () => {
	const tab = await app.open();
	await tab.type("some *words* here");
	expect(await tab.rows()).toEqual(["some <i>words</i> here"]);
	const undone = async () => {
		await tab.press("Control+z");
		return { rows: await tab.rows(), caret: await tab.caret() };
	};
	expect(await undone()).toEqual({ rows: ["some <i>words</i>"], caret: "some words|" });
	expect(await undone()).toEqual({ rows: ["some *words*"], caret: "some *words*|" });
	for (const row of ["some <i>words</i>", "some <i>words</i> here"]) {
		await tab.press("Control+Shift+z");
		expect(await tab.rows()).toEqual([row]);
	}
	await undone();
	await undone();
	await tab.type(" stay");
	expect(await tab.rows()).toEqual(["some *words* stay"]);
});

test("Backspace right behind what was formatted does so too", async () => {
	const tab = await app.open();
	await tab.type("2 and **a*b*");
	expect(await tab.rows()).toEqual(["2 and **a<i>b</i>"]);
	await tab.press("Backspace");
	expect(await tab.rows()).toEqual(["2 and **a*b*"]);
	expect(await tab.caret()).toBe("2 and **a*b*|");
	await tab.press("Backspace");
	expect(await tab.rows()).toEqual(["2 and **a*b"]);

	// Once something else has happened, it deletes characters as usual.
	await tab.type("* c");
	await tab.press("Backspace", "Backspace");
	expect(await tab.rows()).toEqual(["2 and **a<i>b</i>"]);
	await tab.press("Backspace");
	expect(await tab.rows()).toEqual(["2 and **a"]);
	await tab.press("Enter");
	await tab.type("*d*");
	await tab.press("Tab", "Backspace");
	expect(await tab.rows()).toEqual(["2 and **a", "  "]);
});

test("undo makes the text of a typed address plain again, and leaves the address", async () => {
	const tab = await app.open();
	await tab.type("see https://example.org now");
	expect(await tab.rows()).toEqual(['see <a href="https://example.org">https://example.org</a> now']);
	await tab.press("Control+z", "Control+z");
	expect(await tab.rows()).toEqual(["see https://example.org "]);
});

test("text typed behind formatted text isn't formatted, also in the middle of a row", async () => {
	const tab = await app.openWith("one two");
	await tab.press("ArrowLeft", "ArrowLeft", "ArrowLeft");
	await tab.type("*is* here ");
	expect(await tab.rows()).toEqual(["one <i>is</i> here two"]);
});

test.each([
	["a heading", "# one two", [], "Control+b", "b"],
	["a quote", "> one two", [], "Control+i", "i"],
	["a completed node", "one two", ["Control+Enter"], "Control+Shift+x", "s"],
	["the title", "one two", ["Control+."], "Control+b", "b"],
])("a word of %s can be formatted, and be plain again", async (_, text, before, keys, tag) => {
	const tab = await app.open();
	await tab.type(text);
	await tab.press(...before);
	if (before.includes("Control+.")) await tab.page.waitForSelector(".title");
	await tab.saved();
	await tab.press("End", "Control+Shift+ArrowLeft");
	const name = () => tab.page.evaluate(() => document.activeElement!.innerHTML.replaceAll("strike>", "s>"));
	await tab.press(keys);
	await expect.poll(name).toBe(`one <${tag}>two</${tag}>`);
	await tab.press(keys);
	await expect.poll(name).toBe("one two");
	await tab.press(keys, "ArrowRight");
	await tab.type(" three");
	await expect.poll(name).toContain("three");
	await tab.saved();
	await tab.reload();
	expect(await tab.page.locator(".name").first().innerHTML()).toBe(`one <${tag}>two three</${tag}>`);
});

test.each([
	["Shift+ArrowLeft Control+b", "<b><i>o</i></b><i>n</i>"],
	["ArrowLeft Shift+ArrowLeft Control+b", "<i>o</i><b><i>n</i></b>"],
	["Control+b x", "<b><i>on</i></b><i>x</i>"],
	["ArrowLeft Control+b x", "<b><i>o</i></b><i>x</i><b><i>n</i></b>"],
	["Control+b Control+i x", "<b><i>on</i></b>x"],
	["Control+i x", "<b><i>on</i>x</b>"],
	["Control+b Control+b x", "<b><i>on</i></b><i><b>x</b></i>"],
	["Control+Shift+x x Control+b y", "<b><i>on<s>x</s></i></b><i><s>y</s></i>"],
])("of bold and italic text, %s takes off what it means, and no more", async (keys, row) => {
	const tab = await app.open();
	await tab.press("Control+b", "Control+i", "o", "n", ...keys.split(" "));
	expect(await tab.page.locator(".name [style]").count()).toBe(0);
	await expect.poll(() => tab.rows()).toEqual([row]);
	await tab.reload();
	expect(await tab.rows()).toEqual([row]);
});

test.each([
	["Control+b Backspace y", "ony|"],
	["Control+b ArrowLeft y", "ony|e"],
	["ArrowLeft Control+b Delete y", "ony|"],
	["ArrowLeft Control+b Shift+ArrowLeft y", "oy|e"],
	["Control+b x Control+b Backspace y", "oney|"],
	["Home Enter ArrowUp Control+b Delete y", "y|one"],
	["Enter Control+b Backspace y", "oney|"],
])("behind a change of formatting, %s acts on the visible text", async (keys, caret) => {
	const tab = await app.open();
	await tab.press("o", "n", "e", ...keys.split(" "));
	await expect.poll(() => tab.caret()).toBe(caret);
});

test("with the caret alone, Ctrl+E makes code of the text that is typed next", async () => {
	const tab = await app.open();
	await tab.type("see ");
	await tab.press("Control+e");
	await tab.type("code");
	await tab.press("Control+e");
	await tab.type(" here");
	expect(await tab.rows()).toEqual(["see <code>code</code> here"]);
});

test("a change of formatting without a text leaves nothing in the row", async () => {
	const tab = await app.openWith("a");
	await tab.press("Control+b", "Enter");
	expect(await tab.rows()).toEqual(["a", ""]);
});

test("text that is cut and pasted has no invisible characters in it", async () => {
	const tab = await app.open();
	await tab.type("**x**");
	await tab.press("Control+a", "Control+x", "Control+v", "n", "o", "Enter");
	await tab.saved();
	expect((await tab.exported()).join("")).toMatch(/"name":"(<b>x<\/b>no|<b>xno<\/b>|xno)"/);
	app.takeErrors();
});

test("text typed over code is text, and over bold text is bold", async () => {
	const tab = await app.open();
	await tab.type("`code` and **bold** ");
	await tab.press("Home", ...Array(4).fill("Shift+ArrowRight"));
	await tab.type("x");
	const name = () =>
		tab.page.locator(".name").evaluate((element) => element.innerHTML.replaceAll(/\u200b|&nbsp;/g, ""));
	await expect.poll(name).toMatch(/^(x|<code>x<\/code>) and <b>bold<\/b>/);
	await tab.press("Control+a");
	await tab.type("y");
	await expect.poll(name).toMatch(/^(y|<code>y<\/code>)$/);
	await tab.press("Control+b");
	await tab.type("zz");
	await tab.press("Shift+ArrowLeft", "Shift+ArrowLeft");
	await tab.type("q");
	await expect.poll(name).toMatch(/<b>q<\/b>$/);
	app.takeErrors();
});

test("formatting is taken off a whole date, because each part of it would be a date", async () => {
	const tab = await app.open();
	await tab.press("Control+b");
	await tab.type("on fri");
	await tab.page.locator(".offers [role=option]").click();
	await tab.type(" or so");
	const rows = () => tab.rows().then(([row]) => row!.replace(/<time[^>]*>[^<]*<\/time>/, "DATE"));
	expect(await rows()).toBe("<b>on DATE or so</b>");
	for (let times = 0; times < 9; times++) await tab.press("ArrowLeft");
	await tab.press("Shift+ArrowLeft", "Shift+ArrowLeft", "Control+b");
	expect(await rows()).toBe("<b>on </b>DATE<b> or so</b>");
});

const keysOf: Record<string, string> = { b: "Control+b", code: "Control+e", i: "Control+i", s: "Control+Shift+x" };

/** The characters of the row with the caret, each with the letters of the elements around it. */
function characters(tab: Tab): Promise<string[]> {
	return tab.page.evaluate(() => {
		const texts = document.createTreeWalker(document.activeElement!, NodeFilter.SHOW_TEXT);
		const all: string[] = [];
		while (texts.nextNode() !== null) {
			const { data, parentElement } = texts.currentNode as Text;
			const around = ["b", "code", "i", "s"].filter((name) => parentElement!.closest(name) !== null).join("");
			all.push(...[...data.replaceAll("\u200b", "")].map((character) => character + around));
		}
		return all;
	});
}

for (let number = 0; number < (short ? 1 : 3 * soak); number++) {
	test(`formatting reaches exactly the selected characters, whatever they have already, seed ${seed + number}`, async () => {
		const random = new Random(seed + number);
		const tab = await app.openWith("abcdefgh");
		const model = [..."abcdefgh"].map((character) => ({ character, has: new Set<string>() }));
		for (let step = 0; step < 25; step++) {
			const start = random.below(model.length);
			const length = 1 + random.below(model.length - start);
			const format = random.pick(["b", "code", "i", "s"]);
			const selection = [...Array(start).fill("ArrowRight"), ...Array(length).fill("Shift+ArrowRight")];
			await tab.press("Home", ...selection, keysOf[format]!);
			const part = model.slice(start, start + length);
			const isOn = part.every(({ has }) => has.has(format));
			for (const { has } of part) has[isOn ? "delete" : "add"](format);
			const expected = model.map(({ character, has }) => character + [...has].sort().join(""));
			expect(await characters(tab), `${format} from ${start}, ${length} characters`).toEqual(expected);
			if (!random.happens(0.1)) continue;
			await tab.saved();
			await tab.reload();
			await tab.page.locator(".name").click();
			expect(await characters(tab)).toEqual(expected);
		}
	});
}

test("a typed image in Markdown becomes a link, as a pasted one does", async () => {
	const tab = await app.open();
	await tab.type("see ![a cat](https://example.org/cat.png) and ![2026-11-21]");
	expect(await tab.rows()).toEqual([
		'see <a href="https://example.org/cat.png">a cat</a> and !<time datetime="2026-11-21">2026-11-21</time>',
	]);
	expect((await tab.caret())!.endsWith("|")).toBe(true);
});
