import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

test("Enter makes nodes, Tab and Shift+Tab move them, and nothing that is typed fast is lost", async () => {
	const tab = await app.open();
	await tab.type("a\n");
	await tab.press("Tab");
	await tab.type("b\nc\n");
	await tab.press("Shift+Tab");
	await tab.type("d");
	expect(await tab.rows()).toEqual(["a", "  b", "  c", "d"]);
	await tab.reload();
	await expect.poll(() => tab.rows()).toEqual(["a", "  b", "  c", "d"]);
});

test("Enter makes a node as soon as the caret is there, although the page isn't painted yet", async () => {
	const context = await app.profile();
	await context.addInitScript(() => {
		const press = ({ target }: FocusEvent) => {
			const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
			queueMicrotask(() => target!.dispatchEvent(enter));
		};
		addEventListener("focusin", press, { once: true });
	});
	const tab = await app.open(context);
	await expect.poll(() => tab.rows()).toEqual(["", ""]);
});

test("Enter in the middle splits, and Backspace at the start joins", async () => {
	const tab = await app.open();
	await tab.type("one **two** three");
	await tab.press(...Array.from({ length: 7 }, () => "ArrowLeft"));
	await tab.press("Enter");
	expect(await tab.rows()).toEqual(["one <b>tw</b>", "<b>o</b> three"]);
	expect(await tab.caret()).toBe("|o three");
	await tab.press("Backspace");
	expect(await tab.rows()).toEqual(["one <b>tw</b><b>o</b> three"]);
	expect(await tab.caret()).toBe("one tw|o three");
});

test("Markdown becomes what it means as it is typed", async () => {
	const tab = await app.open();
	await tab.type("**b** *i* ~~s~~ `c` [l](https://example.org) [2026-11-21] x\n");
	await tab.type("2 * 3 * 4 snake_case_name\n# head\n> quote\n[] todo\n");
	expect(await tab.rows()).toEqual([
		'<b>b</b> <i>i</i> <s>s</s> <code>c</code> <a href="https://example.org">l</a> <time datetime="2026-11-21">2026-11-21</time> x',
		"2 * 3 * 4 snake_case_name",
		"head",
		"quote",
		"todo",
		"",
	]);
	const classes = await tab.page.$$eval(".row", (rows) => rows.map(({ className }) => className.split(" ")[1]));
	expect(classes).toEqual(["bullets", "bullets", "h1", "quote-block", "todo", "todo"]);
});

test("Enter replaces the selected text, also up to an end of the line", async () => {
	const tab = await app.open();
	await tab.type("one two");
	await tab.press("Control+Shift+ArrowLeft", "Enter");
	await tab.type("x");
	expect(await tab.rows()).toEqual(["one ", "x"]);
	await tab.press("ArrowUp", "Home", "Shift+ArrowRight", "Enter");
	expect(await tab.rows()).toEqual(["", "ne ", "x"]);
	expect(await tab.caret()).toBe("|ne ");
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(["one ", "x"]);
	// The node with its children stays where the rest of its text is.
	await tab.press("ArrowDown", "Tab", "ArrowUp", "Home", "Shift+ArrowRight", "Enter");
	expect(await tab.rows()).toEqual(["", "ne ", "  x"]);
	expect(await tab.caret()).toBe("|ne ");
});

test("Enter before a text makes a node above, and in an expanded node the first below", async () => {
	const tab = await app.open();
	await tab.type("a\nb\n");
	await tab.press("Tab");
	await tab.type("c");
	await tab.press("ArrowUp", "Home", "Enter");
	await tab.type("");
	expect(await tab.rows()).toEqual(["a", "", "b", "  c"]);
	expect(await tab.caret()).toBe("|b");
	await tab.press("End", "Enter");
	await tab.type("first");
	expect(await tab.rows()).toEqual(["a", "", "b", "  first", "  c"]);
});

test("Backspace in a blank node deletes it, and joins a node with its children to the one before", async () => {
	const tab = await app.open();
	await tab.type("a\nb\n");
	await tab.press("Tab");
	await tab.type("c\n");
	await tab.press("Backspace");
	expect(await tab.rows()).toEqual(["a", "b", "  c"]);
	expect(await tab.caret()).toBe("c|");
	await tab.press("ArrowUp", "Home", "Backspace");
	expect(await tab.rows()).toEqual(["ab", "  c"]);
	expect(await tab.caret()).toBe("a|b");
	await tab.press("End", "Delete");
	expect(await tab.rows()).toEqual(["abc"]);
	expect(await tab.caret()).toBe("ab|c");
});

test("the keys that delete words join nodes as Backspace and Delete do", async () => {
	const tab = await app.openWith("a", "b", "");
	await tab.press("Control+Backspace");
	expect(await tab.caret()).toBe("b|");
	await tab.press("Home", "Control+Backspace");
	expect(await tab.rows()).toEqual(["ab"]);
	await tab.press("Enter", "ArrowLeft", "Control+Delete");
	expect([await tab.rows(), await tab.caret()]).toEqual([["ab"], "a|b"]);
});

test("Backspace at the start of a layout makes it a bullet first", async () => {
	const tab = await app.open();
	await tab.type("# head");
	await tab.press("Home", "Backspace");
	await tab.saved();
	expect(await tab.page.$eval(".row", ({ className }) => className)).toContain("bullets");
	expect(await tab.rows()).toEqual(["head"]);
	expect(await tab.caret()).toBe("|head");
});

test("Shift+Enter writes a note, which keeps its lines", async () => {
	const tab = await app.open();
	await tab.type("a");
	await tab.press("Shift+Enter");
	await tab.type("one\n\nthree\n");
	await tab.press("Escape");
	expect(await tab.caret()).toBe("a|");
	await tab.saved();
	await tab.reload();
	expect(await tab.page.$eval(".note", ({ textContent }) => textContent)).toBe("one\n\nthree\n");
});

test("a code block takes line breaks, and shows them again", async () => {
	const tab = await app.open();
	await tab.type("``` if (a < b) {\nreturn **a**;\n}");
	const shown = () => tab.page.$eval(".row.code-block .name", ({ textContent }) => textContent);
	await tab.saved();
	expect(await shown()).toBe("if (a < b) {\nreturn **a**;\n}");
	await tab.reload();
	expect(await shown()).toBe("if (a < b) {\nreturn **a**;\n}");
});

test("each text has the direction of its own letters", async () => {
	const tab = await app.open();
	await tab.type("שלום, world!\nhello");
	await tab.press("Shift+Enter");
	await tab.type("הערה");
	await tab.saved();
	const directions = await tab.page.$$eval(".row [data-field]", (fields) =>
		fields.map((field) => `${field.textContent} ${getComputedStyle(field).direction}`),
	);
	expect(directions).toEqual(["שלום, world! rtl", "hello ltr", "הערה rtl"]);
});

test("nodes move with Alt+Shift and the arrows, and complete with Ctrl+Enter", async () => {
	const tab = await app.open();
	await tab.type("a\nb\nc");
	await tab.press("Alt+Shift+ArrowUp");
	expect(await tab.rows()).toEqual(["a", "c", "b"]);
	await tab.press("Alt+Shift+ArrowRight");
	expect(await tab.rows()).toEqual(["a", "  c", "b"]);
	await tab.press("Alt+Shift+ArrowLeft", "Alt+Shift+ArrowDown");
	expect(await tab.rows()).toEqual(["a", "b", "c"]);
	await tab.press("Control+Enter");
	await tab.saved();
	expect(await tab.page.$$eval(".row.completed", (rows) => rows.length)).toBe(1);
	expect(await tab.caret()).toBe("c|");
	await tab.press("Control+Enter");
	await tab.saved();
	expect(await tab.page.$$eval(".row.completed", (rows) => rows.length)).toBe(0);
});

test("Ctrl+Z takes back whole steps and Ctrl+Shift+Z does them again", async () => {
	const tab = await app.open();
	await tab.type("hello\nworld");
	await tab.press("Tab", "Control+z");
	expect(await tab.rows()).toEqual(["hello", "world"]);
	await tab.press("Control+z");
	expect(await tab.rows()).toEqual(["hello", ""]);
	await tab.press("Control+z");
	expect(await tab.rows()).toEqual(["hello"]);
	await tab.press("Control+Shift+z", "Control+Shift+z", "Control+Shift+z");
	expect(await tab.rows()).toEqual(["hello", "  world"]);
});

test("Ctrl+B, Ctrl+I and Ctrl+E format what is selected", async () => {
	const tab = await app.open();
	await tab.type("one two");
	await tab.press("Control+Shift+ArrowLeft", "Control+b");
	expect(await tab.rows()).toEqual(["one <b>two</b>"]);
	await tab.press("Control+b", "Control+i");
	expect(await tab.rows()).toEqual(["one <i>two</i>"]);
	await tab.press("Control+i", "Control+e");
	expect(await tab.rows()).toEqual(["one <code>two</code>"]);
	expect(await tab.caret()).toBe("one [two]");
	await tab.press("Control+e", "End");
	await tab.type(" **x");
	await tab.press("Control+b");
	await tab.type("bold");
	await tab.press("Control+b");
	await tab.type(" plain");
	expect(await tab.rows()).toEqual(["one two **x<b>bold</b> plain"]);
});

test("hostile text stays text", async () => {
	const tab = await app.open();
	const hostile = "<img src=x onerror=alert(1)> &lt;b&gt; <b>x</b> </div><script>";
	await tab.type(hostile);
	await tab.saved();
	await tab.reload();
	expect(await tab.page.$eval(".name", ({ textContent }) => textContent)).toBe(hostile);
	expect(await tab.page.$$eval("img, script:not([src])", (found) => found.length)).toBe(0);
});

test("text from an on-screen keyboard without key events arrives too, in order", async () => {
	const tab = await app.open();
	await tab.type("a");
	await tab.press("Enter");
	await tab.page.keyboard.insertText("été");
	expect(await tab.rows()).toEqual(["a", "été"]);
	// An on-screen keyboard sends these for Enter and Backspace.
	const send = (inputType: string) =>
		tab.page.evaluate((type) => {
			const event = new InputEvent("beforeinput", { inputType: type, bubbles: true, cancelable: true });
			document.activeElement!.dispatchEvent(event);
		}, inputType);
	await send("insertParagraph");
	await tab.page.keyboard.insertText("b");
	expect(await tab.rows()).toEqual(["a", "été", "b"]);
	await tab.press("Backspace");
	await send("deleteContentBackward");
	expect(await tab.rows()).toEqual(["a", "été"]);
});

test("Enter in a blank row goes out of the row above it, and at the top level makes another", async () => {
	const tab = await app.openWith("one", "  two", "    three");
	await tab.press("Enter", "Enter");
	await expect.poll(() => tab.rows()).toEqual(["one", "  two", "    three", "  "]);
	await tab.press("Enter");
	await expect.poll(() => tab.rows()).toEqual(["one", "  two", "    three", ""]);
	await tab.press("Enter");
	await expect.poll(() => tab.rows()).toEqual(["one", "  two", "    three", "", ""]);
	await tab.type("four");
	expect((await tab.rows()).at(-1)).toBe("four");
});

/** A frame after the one that shows the letter would hold up the next letter. */
test("a letter asks for no frame but the one that shows it", async () => {
	const tab = await app.open();
	await tab.type("a");
	await tab.idle();
	await tab.page.evaluate(() => {
		const asked: string[] = [];
		Object.assign(globalThis, { asked });
		const request = globalThis.requestAnimationFrame;
		globalThis.requestAnimationFrame = (callback) => {
			asked.push("requestAnimationFrame");
			return request(callback);
		};
		new MutationObserver((changes) => {
			for (const { type, target, attributeName } of changes) {
				const element = target instanceof Element ? target : target.parentElement;
				if (attributeName !== "data-state" && element?.closest(".row") === null)
					asked.push(`${type} of ${element.className}`);
			}
		}).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
	});
	for (const letter of "letters") {
		await tab.page.keyboard.press(letter);
		await tab.saved();
	}
	await tab.page.waitForTimeout(100);
	expect(await tab.page.evaluate(() => (globalThis as { asked?: string[] }).asked)).toEqual([]);
	expect(await tab.rows()).toEqual(["aletters"]);
});

test("what is typed behind a command goes in once where the browser tells of edits by programs, as Safari does", async () => {
	const context = await app.profile();
	await context.addInitScript(() => {
		const execute = document.execCommand.bind(document);
		let refusals = 0;
		document.execCommand = (command, ui, text) => {
			const type = { insertText: "insertText", delete: "deleteContentBackward" }[command];
			// A page that holds its own letter back would do so for ever.
			if (type !== undefined && refusals < 100) {
				const event = new InputEvent("beforeinput", {
					inputType: type,
					data: text ?? null,
					bubbles: true,
					cancelable: true,
				});
				if (!document.activeElement!.dispatchEvent(event)) {
					refusals += 1;
					return false;
				}
			}
			return execute(command, ui, text);
		};
		Object.assign(globalThis, { refusals: () => refusals });
	});
	const tab = await app.open(context);
	await tab.type("one");
	await tab.pressAtOnce("Enter", "t", "w", "x", "Backspace", "o", "Enter", "b");
	await expect.poll(() => tab.rows()).toEqual(["one", "two", "b"]);
	await tab.type(" ((one");
	await tab.press("Enter");
	await expect.poll(() => tab.rows()).toEqual(["one", "two", "b ", "one"]);
	expect(await tab.page.evaluate("refusals()")).toBe(0);
});

test("Shift+Tab moves a node out where the browser knows that key only by its place, as WebKit for GTK does", async () => {
	const tab = await app.openWith("one", "  two");
	await tab.page.evaluate(() => {
		const options = { key: "Unidentified", code: "Tab", shiftKey: true, bubbles: true, cancelable: true };
		document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", options));
	});
	await expect.poll(() => tab.rows()).toEqual(["one", "two"]);
});
