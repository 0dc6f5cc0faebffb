import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** Two tabs with rows. The second has deleted the last one, which the first was in. */
async function deletedElsewhere(...rows: string[]): Promise<[Tab, Tab]> {
	const [first, second] = await app.twoTabs(rows);
	await goTo(second, rows.length - 1);
	await second.press("Control+Shift+Backspace");
	await expect.poll(() => first.rows()).toEqual(rows.slice(0, -1));
	return [first, second];
}

async function goTo(tab: Tab, index: number): Promise<void> {
	await tab.page.locator(".row .name").nth(index).click();
	await tab.press("End");
}

/** Types into one tab, each letter once another tab shows the one before it. */
async function typeShown(letters: string, from: Tab, to: Tab): Promise<void> {
	const start = (await from.caret())!.replace("|", "");
	for (const [index, letter] of [...letters].entries()) {
		await from.page.keyboard.type(letter);
		const shown = expect.poll(() => to.page.locator(".name").allTextContents(), { interval: 10, timeout: 20_000 });
		await shown.toContain(start + letters.slice(0, index + 1));
	}
}

/** Types at the moment at which the next message of an error shows, before the page can read anything. */
async function typeWithMessage(tab: Tab, ...keys: string[]): Promise<void> {
	await tab.page.evaluate((pressed) => {
		const observer = new MutationObserver(() => {
			if (document.querySelector(".notice.error") === null) return;
			observer.disconnect();
			for (const key of pressed) {
				const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
				if ((document.activeElement ?? document.body).dispatchEvent(event))
					document.execCommand("insertText", false, key);
			}
		});
		observer.observe(document.body, { subtree: true, childList: true });
	}, keys);
}

test("while both write, each in a row of its own, nothing is lost and both see the same", async () => {
	const [first, second] = await app.twoTabs(["a", "b"]);
	await goTo(first, 0);
	await goTo(second, 1);
	const letters = "abcdefghijklmnopqrst";
	await Promise.all([typeShown(letters, first, second), typeShown(letters, second, first)]);
	for (const tab of [first, second]) expect(await tab.rows()).toEqual([`a${letters}`, `b${letters}`]);
	expect(await first.caret()).toBe(`a${letters}|`);
	expect(await second.caret()).toBe(`b${letters}|`);
});

test("changes of another tab in the row with the caret leave the caret between the same letters", async () => {
	const [first, second] = await app.twoTabs(["one two"]);
	await first.press("ArrowLeft", "ArrowLeft", "ArrowLeft");
	expect(await first.caret()).toBe("one |two");
	await goTo(second, 0);
	await second.press("Home");
	await second.type("zero, ");
	await expect.poll(() => first.caret()).toBe("zero, one |two");
	await second.press("End");
	await second.type(" three");
	await expect.poll(() => first.caret()).toBe("zero, one |two three");
	await first.type("and ");
	await expect.poll(() => second.rows()).toEqual(["zero, one and two three"]);
	await second.press("Control+Enter");
	await first.page.waitForSelector(".row.completed");
	expect(await first.caret()).toBe("zero, one and |two three");
});

test("rows that come and go elsewhere leave the caret where it is", async () => {
	const [first, second] = await app.twoTabs(["a", "b", "c"]);
	await goTo(first, 1);
	await goTo(second, 0);
	await second.press("Home");
	await second.press("Enter");
	await second.type("x");
	await goTo(second, 3);
	await second.press("Control+Shift+Backspace");
	await first.type("!");
	await expect.poll(() => first.rows()).toEqual(["", "xa", "b!"]);
	expect(await first.caret()).toBe("b!|");
});

test("a node deleted in another tab while the user types in it can be restored, with the typed text", async () => {
	const [first, second] = await app.twoTabs(["a", "b", "c"]);
	await goTo(first, 1);
	await first.type(" **mine** and");
	await first.saved();
	await goTo(second, 1);
	await second.press("Control+Shift+Backspace");
	await first.page.getByText("“b mine and”, which you were in, was deleted elsewhere.").waitFor();
	expect(await first.rows()).toEqual(["a", "c"]);
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => first.rows()).toEqual(["a", "b <b>mine</b> and", "c"]);
	expect(await first.caret()).toBe("b mine and|");
	await first.type(" more");
	await expect.poll(() => second.rows()).toEqual(["a", "b <b>mine</b> and more", "c"]);
	expect(await first.page.locator(".notice").count()).toBe(0);
});

test("all nodes below it are restored too, folded as before", async () => {
	const context = await app.profile();
	const first = await app.open(context);
	await first.write("a", "b", "  c", "    d", "  [] e", "f");
	// The list of unfolded nodes is saved with a delay, and another page reads it when it opens.
	const remembered = () => JSON.parse(localStorage.getItem("outline-expanded") ?? "[]").length;
	await expect.poll(() => first.page.evaluate(remembered)).toBe(2);
	const second = await app.open(context);
	await expect.poll(async () => (await second.rows()).length).toBe(6);
	await goTo(first, 1);
	await goTo(second, 1);
	await second.press("Control+Shift+Backspace");
	await expect.poll(() => first.rows()).toEqual(["a", "f"]);
	await first.page.getByRole("button", { name: "Put it back" }).click();
	for (const tab of [first, second]) {
		await expect.poll(async () => (await tab.rows()).filter((row) => !row.startsWith(" "))).toEqual(["a", "b", "f"]);
	}
	expect(await first.rows()).toEqual(["a", "b", "  c", "    d", "  e", "f"]);
	expect(await first.page.locator(".row.todo .name").allInnerTexts()).toEqual(["e", "f"]);
});

test("text typed until and after the moment of a deletion in another tab can be restored, to the letter", async () => {
	const [first, second] = await app.twoTabs(["a", "b"]);
	await goTo(first, 1);
	await goTo(second, 1);
	const typed = "bcdefghijklmnopqrstuvwxyz".repeat(4);
	await Promise.all([
		first.page.keyboard.type(typed, { delay: 5 }),
		second.page.keyboard.press("Control+Shift+Backspace"),
	]);
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => second.rows()).toEqual(["a", `b${typed}`]);
	expect(await first.rows()).toEqual(["a", `b${typed}`]);
	expect(await first.caret()).toBe(`b${typed}|`);
});

test("letters typed after the row was deleted elsewhere come back with it, at the caret", async () => {
	const [first, second] = await app.twoTabs(["a", "one two"]);
	await goTo(first, 1);
	await first.press("ArrowLeft", "ArrowLeft", "ArrowLeft");
	await goTo(second, 1);
	await second.press("Control+Shift+Backspace");
	await expect.poll(() => first.rows()).toEqual(["a"]);
	await first.type("ghost *is* hex");
	await first.press("Backspace", "Backspace");
	await first.type("ere ");
	await expect
		.poll(() => first.message())
		.toBe("“one two”, which you were in, was deleted elsewhere. What you have typed since is kept: “ghost *is* here”.");
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => first.rows()).toEqual(["a", "one ghost <i>is</i> here two"]);
	expect(await first.caret()).toBe("one ghost is here |two");
	await expect.poll(() => second.rows()).toEqual(["a", "one ghost <i>is</i> here two"]);
});

test("the keys of commands keep their meaning after the row with the caret was deleted elsewhere", async () => {
	const [first] = await deletedElsewhere("a", "b");
	await first.type("x");
	await first.press("Alt+Shift+i");
	await expect.poll(() => first.title()).toBe("Inbox");
});

test("a node that another tab deletes and brings back is there once, also after a click on “Put it back”", async () => {
	const [first, second] = await deletedElsewhere("a", "one two");
	await first.type(" three");
	await second.press("Control+z");
	await expect.poll(() => first.rows()).toEqual(["a", "one two"]);
	await first.page.getByRole("button", { name: "Put it back" }).click();
	for (const tab of [first, second]) await expect.poll(() => tab.rows()).toEqual(["a", "one two three"]);
	expect(await first.caret()).toBe("one two three|");
});

test("the visible node that is deleted elsewhere can be put back, also if the caret is in the query", async () => {
	const [first, second] = await app.twoTabs(["a", "b"]);
	await goTo(first, 1);
	await first.press("Control+.", "Control+f");
	await first.type("word");
	await goTo(second, 1);
	await second.press("Control+Shift+Backspace");
	await expect.poll(() => first.rows()).toEqual(["a"]);
	expect(await first.message()).toBe("“b”, which you were in, was deleted elsewhere.");
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => first.rows()).toEqual(["a", "b"]);
	expect(await first.caret()).toBe("b|");
});

test("letters typed while the top level is still loading, because the visible node was deleted elsewhere, are kept", async () => {
	const [first, second] = await app.twoTabs(["a", "b"]);
	await goTo(first, 1);
	await first.press("Control+.");
	await typeWithMessage(first, "Enter", ..."word");
	await goTo(second, 1);
	await second.press("Control+Shift+Backspace");
	await expect.poll(() => first.rows()).toEqual(["a"]);
	expect(await first.message()).toBe(
		"“b”, which you were in, was deleted elsewhere. What you have typed since is kept: “word”.",
	);
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => second.rows()).toEqual(["a", "bword"]);
});

test("a deletion of the visible node leaves the letters for a row deleted before in their message", async () => {
	const [first, second] = await app.twoTabs(["a", "b"]);
	await goTo(first, 1);
	await first.press("Tab", "ArrowUp", "Control+.", "ArrowDown");
	await goTo(second, 0);
	await second.press("Control+ArrowDown", "ArrowDown", "Control+Shift+Backspace");
	await expect.poll(() => first.rows()).toEqual([]);
	await first.type("word");
	await second.press("Control+Shift+Backspace");
	await expect.poll(() => first.title()).toBeNull();
	expect(await first.message()).toBe(
		"“b”, which you were in, was deleted elsewhere. What you have typed since is kept: “word”.",
	);
});

test("a deletion of the row that has the caret by then shows also the letters for a row deleted before", async () => {
	const [first, second] = await app.twoTabs(["a", "b", "c"]);
	await goTo(first, 2);
	await goTo(second, 2);
	await second.press("Control+Shift+Backspace");
	await expect.poll(() => first.rows()).toEqual(["a", "b"]);
	await first.type("word");
	await goTo(first, 1);
	await second.press("Control+Shift+Backspace");
	await expect.poll(() => first.rows()).toEqual(["a"]);
	expect(await first.message()).toBe(
		"“b”, which you were in, was deleted elsewhere. Before, you had typed “word” in a row that is deleted too.",
	);
});

test("so do letters for a blank row, which is deleted without a word until then", async () => {
	const [first, second] = await deletedElsewhere("a", "");
	expect(await first.message()).toBeNull();
	await first.type("ghost");
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => second.rows()).toEqual(["a", "ghost"]);
	expect(await first.caret()).toBe("ghost|");
});

test("letters typed in another row after that stay there, and the kept ones still come back", async () => {
	const [first, second] = await deletedElsewhere("a", "b");
	await first.type("!");
	await goTo(first, 0);
	await first.type("?");
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => first.rows()).toEqual(["a?", "b!"]);
	await expect.poll(() => second.rows()).toEqual(["a?", "b!"]);
});

test("a node is restored in a free place if its parent is deleted in another tab too", async () => {
	const [first, second] = await app.twoTabs(["a", "b"]);
	await goTo(first, 1);
	await first.press("Tab");
	await goTo(second, 0);
	await expect.poll(async () => (await second.rows()).length).toBe(1);
	await first.type("!");
	await first.saved();
	await second.press("Control+Shift+Backspace");
	await first.page.getByRole("button", { name: "Put it back" }).click();
	await expect.poll(() => first.rows()).toEqual(["", "b!"]);
	expect(await first.caret()).toBe("b!|");
});
