import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** The nodes that link to the visible one, each with its path. */
function linkedFrom(tab: Tab): Promise<string[]> {
	return tab.page.$$eval(".linked-from a", (links) =>
		links.map((link) => {
			const texts = [".choice-name", ".choice-path"].map((part) => link.querySelector(part)?.textContent ?? "");
			return texts.filter(Boolean).join(" in ");
		}),
	);
}

const heading = (tab: Tab) => tab.page.locator(".linked-from h2").innerText();

test("[[ finds a node and links to it, and a click goes there in place", async () => {
	const tab = await app.openWith("Boats", "  Red boat", "Notes", "x");
	await tab.press("Backspace");
	await tab.type("see [[red");
	await expect.poll(() => tab.dialog()).toBe("Link to a node");
	await expect.poll(() => tab.choices()).toEqual(["› Red boat", "New node “red” in the Inbox"]);
	await tab.press("Enter");
	await expect.poll(() => tab.caret()).toBe("see Red boat|");
	await tab.type(", then [[");
	await tab.press("Escape");
	await tab.type("go");
	expect((await tab.rows()).at(-1)).toMatch(/^see <a href="#\/[0-9a-f]{12}">Red boat<\/a>, then \[\[go$/);
	await tab.page.click(".name a");
	await expect.poll(() => tab.title()).toBe("Red boat");
	await expect.poll(() => linkedFrom(tab)).toEqual(["see Red boat, then [[go"]);
	expect(await heading(tab)).toBe("Linked from 1 node");
	expect(app.browser.contexts().flatMap((context) => context.pages()).length).toBeLessThan(4);
	await tab.page.click(".linked-from a");
	await expect.poll(() => tab.title()).toBe(null);
	expect(await tab.caret()).toBe("see Red boat, then [[go|");
});

test("a row that is looked for from within isn't found, because it would link to itself", async () => {
	const tab = await app.openWith("Boat", "Boat shed");
	await tab.type(" [[boat");
	await expect.poll(() => tab.choices()).toEqual(["› Boat"]);
});

test("a link right behind another link isn't a part of it", async () => {
	const tab = await app.openWith("Red boat", "Blue boat", "see");
	await tab.type(" ");
	for (const query of ["red", "blue"]) {
		await tab.type(`[[${query}`);
		await expect.poll(() => tab.choices()).toContain(`› ${query === "red" ? "Red" : "Blue"} boat`);
		await tab.press("Enter");
	}
	await tab.type(".");
	const link = (name: string) => `<a href="[^"]*">${name} boat</a>`;
	await expect
		.poll(async () => (await tab.rows()).at(-1))
		.toMatch(new RegExp(`^see ${link("Red")}${link("Blue")}\\.$`));
});

test("the nodes that link to a node show with their paths, and change as these do", async () => {
	const context = await app.profile();
	const tab = await app.open(context);
	await tab.write("Boat", "List", "  a", "b");
	await tab.type(" [[boat\n");
	await tab.press("ArrowUp", "End");
	await tab.type(" [[boat\n");
	await tab.saved();
	await tab.press("Control+Home", "Alt+ArrowRight");
	await expect.poll(() => tab.title()).toBe("Boat");
	await expect.poll(async () => (await linkedFrom(tab)).sort()).toEqual(["a Boat in List", "b Boat"]);
	expect(await heading(tab)).toBe("Linked from 2 nodes");
	expect(await tab.violations()).toEqual([]);
	// The list of unfolded nodes is saved with a delay, and another page reads it when it opens.
	await expect.poll(() => tab.page.evaluate(() => localStorage.getItem("outline-expanded"))).not.toBeNull();
	const other = await app.open(context);
	await other.press("ArrowDown", "End");
	await other.type(" of mine");
	await expect.poll(async () => (await linkedFrom(tab)).sort()).toEqual(["a Boat in List of mine", "b Boat"]);
	await other.press("ArrowDown", "Control+Shift+Backspace");
	await expect.poll(() => linkedFrom(tab)).toEqual(["b Boat"]);
	await tab.filter("nothing");
	await expect.poll(() => linkedFrom(tab)).toEqual([]);
});

test("a mirror shows the links to its origin, and a link to a mirror leads to the origin", async () => {
	const tab = await app.openWith("Boat", "Place");
	await tab.press("Enter");
	await tab.type("((boat\n");
	await expect.poll(() => tab.rows()).toEqual(["Boat", "Place", "Boat"]);
	await tab.press("Enter");
	await tab.type("see [[boat\n");
	await tab.press("ArrowUp", "Alt+ArrowRight");
	await expect.poll(() => tab.title()).toBe("Boat");
	await expect.poll(() => linkedFrom(tab)).toEqual(["see Boat"]);
});

test("selected text becomes the label of a link, and a link to a deleted node stays", async () => {
	const tab = await app.openWith("Boat", "my ship");
	await tab.press("Control+Shift+ArrowLeft", "Control+Shift+k");
	await tab.type("link to a node\nboat\n");
	await expect.poll(async () => (await tab.rows())[1]).toMatch(/^my <a href="#\/[0-9a-f]{12}">ship<\/a>$/);
	await tab.press("ArrowUp", "Control+Shift+Backspace");
	await expect.poll(() => tab.rows()).toHaveLength(1);
	await tab.page.click(".name a");
	await expect.poll(() => tab.message()).toBe("The node of this link doesn't exist any more.");
	expect((await tab.rows())[0]).toContain(">ship</a>");
});

test("twenty of many links show, and a button shows all in their places", async () => {
	const tab = await app.openWith("Boat");
	await tab.press("Enter");
	await tab.type("[[boat\n");
	await expect.poll(async () => (await tab.rows())[1]).toContain("<a href=");
	const [, address] = /"(.*)"/.exec((await tab.rows())[1]!)!;
	await tab.press("Enter");
	await tab.paste(Array.from({ length: 24 }, (_, index) => `- ${index} [Boat](${address})`).join("\n"));
	await expect.poll(() => tab.rows()).toHaveLength(26);
	await tab.press("Control+Home", "Alt+ArrowRight");
	await expect.poll(() => linkedFrom(tab)).toHaveLength(20);
	expect(await heading(tab)).toBe("Linked from more than 20 nodes");
	await tab.page.click("text=Show all in their places");
	await expect.poll(() => tab.page.locator(".row").count()).toBe(25);
	expect(await tab.page.inputValue(".filter input")).toMatch(/^links:[0-9a-f]{12}$/);
});

test("[[ in code and in notes is text", async () => {
	const tab = await app.open();
	await tab.type("``` a[[1]]");
	await tab.writeNote("b[[1]]");
	expect(await tab.dialog()).toBe(null);
	expect(await tab.rows()).toEqual(["a[[1]]"]);
});

test("[[ and a name that no node has creates the node in the inbox, and links to it", async () => {
	const tab = await app.open();
	await tab.type("see [[New idea");
	await expect.poll(() => tab.choices()).toEqual(["› New node “New idea” in the Inbox"]);
	await tab.press("Enter");
	await tab.type(", soon");
	await expect.poll(async () => (await tab.rows())[0]).toMatch(/^see <a href="#\/[0-9a-f]{12}">New idea<\/a>, soon$/);
	await tab.page.click(".name a");
	await expect.poll(() => tab.title()).toBe("New idea");
	await tab.press("Alt+Shift+i");
	await expect.poll(() => tab.rows()).toEqual(["New idea"]);
	// A name that a node has leads to that one, and a longer one to a new one behind what is found.
	await tab.press("End", "Enter");
	await tab.type("[[new idea");
	await expect.poll(() => tab.choices()).toEqual(["› New idea", "see New idea, soon"]);
	await tab.press("Control+a");
	await tab.type("soon");
	await expect.poll(() => tab.choices()).toEqual(["› see New idea, soon", "New node “soon” in the Inbox"]);
});
