import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

const lines = ["garden", "  buy roses #spring", "  rake", "house", "  paint the door #spring", "    white", "  roof"];

test("a query shows its hits in their places, in the address, and Escape shows everything again", async () => {
	const tab = await app.openWith(...lines);
	await tab.filter("#spring");
	await expect.poll(() => tab.rows()).toEqual(["garden", "  buy roses #spring", "house", "  paint the door #spring"]);
	expect(await tab.page.locator(".filter output").innerText()).toBe("2 nodes");
	expect(await tab.violations()).toEqual([]);
	expect(decodeURIComponent(new URL(tab.page.url()).hash)).toBe("#/?q=#spring");

	await tab.reload();
	await expect.poll(async () => (await tab.rows()).length).toBe(4);
	await tab.page.locator(".filter input").focus();
	await tab.press("Escape");
	await expect.poll(() => tab.rows()).toEqual(lines);
	expect(await tab.page.locator(".filter").count()).toBe(0);
});

test("the words of the query are marked in its hits, and the rows above these step back", async () => {
	const tab = await app.openWith(...lines);
	const marked = () =>
		tab.page.evaluate(() => [...(CSS.highlights.get("hit") ?? [])].map((range) => `${range}`).toSorted());
	await tab.filter("pai OR róses");
	await expect.poll(marked).toEqual(["pai", "roses"]);
	const color = (name: string) => tab.row(name).evaluate((row) => getComputedStyle(row.querySelector(".name")!).color);
	expect(await color("garden")).not.toBe(await color("buy roses #spring"));
	await tab.page.locator(".filter input").fill('#spring "the door"');
	await expect.poll(marked).toEqual(["#spring", "the door"]);
	await tab.press("Escape");
	await expect.poll(marked).toEqual([]);
});

test("there may be more than a thousand hits", async () => {
	const tab = await app.open();
	await tab.paste(
		Array.from({ length: 1200 }, (_, index) => `${index % 100 === 0 ? "other" : "straw"} ${index}`).join("\n"),
	);
	await tab.saved();
	await tab.filter("straw");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe("1,188 nodes");
	await expect.poll(() => tab.page.locator(".row").first().getAttribute("aria-setsize")).toBe("1188");
});

test("of letters that come during a search, the last one counts, and the rows stay if it finds the same", async () => {
	const tab = await app.openWith(...lines);
	await tab.press("Control+f");
	await tab.pressAtOnce("r", "o", "s", "e", "s");
	await expect.poll(() => tab.rows()).toEqual(["garden", "  buy roses #spring"]);
	const row = await tab.row("garden").elementHandle();
	await tab.press("Backspace");
	await expect.poll(() => tab.page.locator(".filter input").inputValue()).toBe("rose");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe("1 node");
	await tab.press("Backspace", "Backspace", "Backspace", "a");
	await expect.poll(() => tab.rows()).toEqual(["garden", "  rake"]);
	expect(await row!.evaluate((element) => element.isConnected)).toBe(true);
	await tab.press("Escape");
	await expect.poll(() => tab.rows()).toEqual(lines);
});

test("undo and redo in the query are of what is typed there, and not of the outline", async () => {
	const tab = await app.openWith(...lines);
	await tab.filter("rose");
	await expect.poll(() => tab.rows()).toEqual(["garden", "  buy roses #spring"]);
	const query = () => tab.page.locator(".filter input").inputValue();
	await tab.press("Control+z");
	await expect.poll(query).not.toBe("rose");
	await tab.press("Control+Shift+z");
	await expect.poll(query).toBe("rose");
	await tab.press("Escape");
	await expect.poll(() => tab.rows()).toEqual(lines);
	expect(await tab.message()).toBeNull();
});

test("one writes in what is found, and new rows stay", async () => {
	const tab = await app.openWith(...lines);
	await tab.filter("roses");
	await expect.poll(() => tab.rows()).toEqual(["garden", "  buy roses #spring"]);
	await tab.press("Enter", "Enter");
	await tab.type("water them");
	expect(await tab.rows()).toEqual(["garden", "  buy roses #spring", "  water them"]);
	await tab.page.click("text=Show all");
	await expect.poll(() => tab.rows()).toEqual([...lines.slice(0, 2), "  water them", ...lines.slice(2)]);
});

test("it looks below the node one is in, and says what it can't read or find", async () => {
	const tab = await app.openWith(...lines);
	await tab.row("house").locator(".bullet").click();
	await expect.poll(() => tab.title()).toBe("house");
	await tab.filter("#spring");
	await expect.poll(() => tab.rows()).toEqual(["paint the door #spring"]);
	await tab.page.locator(".filter input").fill("is:nonsense");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toContain("is:");
	await tab.page.locator(".filter input").fill("elephant");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe("Nothing found for “elephant”.");
	expect(await tab.page.locator(".welcome").count()).toBe(0);
	await tab.page.locator(".filter input").fill("has:notes");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toMatch(/a property “notes”\. has:note, /);
	await tab.page.locator(".filter input").fill("edited:7d");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toMatch(/Did you mean “modified:7d”\?$/);
	await tab.page.locator(".filter input").fill("has:note");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe("Nothing found for “has:note”.");
	await tab.page.goBack();
	await expect.poll(() => tab.rows()).toEqual(["paint the door #spring", "  white", "roof"]);
});

test("a hit that another tab writes shows, and counts", async () => {
	const context = await app.profile();
	const tab = await app.open(context);
	await tab.write(...lines);
	// The other tab unfolds what this one has stored when it goes.
	await tab.reload();
	const other = await app.open(context);
	await expect.poll(() => other.rows()).toEqual(lines);
	await tab.filter("#spring");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe("2 nodes");
	await other.into("rake");
	await other.type(" #spring");
	await expect.poll(() => tab.rows()).toContain("  rake #spring");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe("3 nodes");
	await other.press("Enter", "Tab");
	await other.type("deep #spring");
	await expect.poll(() => tab.rows()).toContain("    deep #spring");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe("4 nodes");
});

test("a row that is no hit any more stays while it shows, and isn't counted", async () => {
	const tab = await app.openWith("[] one", "two", "three");
	await tab.filter("is:todo -is:completed");
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe("3 nodes");
	await tab.row("two").locator("input").click();
	await expect.poll(() => tab.page.locator(".filter output").innerText()).toBe("2 nodes");
	expect(await tab.rows()).toEqual(["one", "two", "three"]);
	await tab.page.locator(".filter input").focus();
	await tab.type(" ");
	await expect.poll(() => tab.rows()).toEqual(["one", "three"]);
});

test("a query that can't be read yet finds what it does without its last word", async () => {
	const tab = await app.openWith(...lines);
	const status = () => tab.page.locator(".filter output").innerText();
	await tab.filter("is:t");
	await expect.poll(status).toContain("is:");
	expect(await tab.rows()).toEqual(lines);
	await tab.page.locator(".filter input").fill("roses");
	await expect.poll(status).toBe("1 node");
	await tab.type(" is:t");
	await expect.poll(status).toContain("is:");
	expect(await tab.rows()).toEqual(["garden", "  buy roses #spring"]);
});

test("the caret returns to where it was before the query, or stays in the hit that it went to", async () => {
	const tab = await app.openWith(...lines);
	await tab.row("rake").locator(".name").click();
	await tab.filter("#spring");
	await expect.poll(async () => (await tab.rows()).length).toBe(4);
	await tab.press("Escape");
	await expect.poll(() => tab.caret()).toBe("rake|");
	await tab.filter("#spring");
	await expect.poll(async () => (await tab.rows()).length).toBe(4);
	await tab.page.goBack();
	await expect.poll(() => tab.caret()).toBe("rake|");
	await tab.filter("#spring");
	await expect.poll(async () => (await tab.rows()).length).toBe(4);
	await tab.row("paint the door #spring").locator(".name").click();
	await tab.page.getByRole("button", { name: "Show all" }).click();
	await expect.poll(() => tab.rows()).toEqual(lines);
	expect(await tab.caret()).toBe("paint the door #spring|");
});

test("the key of the filter leads from the hits back to the query, which it selects", async () => {
	const tab = await app.openWith(...lines);
	await tab.filter("#spring");
	await expect.poll(async () => (await tab.rows()).length).toBe(4);
	await tab.press("ArrowDown");
	expect(await tab.caret()).toBe("buy roses #spring|");
	await tab.filter("rake");
	await expect.poll(() => tab.rows()).toEqual(["garden", "  rake"]);
	await tab.press("Control+a", "Delete");
	await expect.poll(() => tab.rows()).toEqual(lines);
});
