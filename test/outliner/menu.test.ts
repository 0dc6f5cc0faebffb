import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

async function menuOf(tab: Tab, name: string): Promise<void> {
	await tab.row(name).locator(".bullet").click({ button: "right" });
	expect(await tab.dialog()).toBe("Menu");
}

test("a right click on a bullet opens a menu for its row, with the keys of the commands", async () => {
	const tab = await app.openWith("one", "two", "three");
	await menuOf(tab, "two");
	expect(await tab.selected()).toEqual(["two"]);
	expect(await tab.choices()).toEqual([
		"› Move to…",
		"Mirror to…",
		"Duplicate",
		"Copy link to this node",
		"Add to shortcuts",
		"Edit the note",
		"Bullet",
		"To-do",
		"Heading 1",
		"Heading 2",
		"Heading 3",
		"Quote",
		"Code block",
		"Complete or reopen",
		"Delete",
	]);
	expect(await tab.page.locator('dialog [role="option"] kbd').first().innerText()).toBe("Alt+Shift+M");
	expect(await tab.violations()).toEqual([]);
	await tab.type("heading 2");
	await tab.press("Enter");
	await expect.poll(() => tab.row("two").getAttribute("class")).toContain("h2");
});

test("a menu for selected rows is about all of them", async () => {
	const tab = await app.openWith("one", "two", "three");
	await tab.press("Shift+ArrowUp", "Shift+ArrowUp");
	expect(await tab.selected()).toEqual(["two", "three"]);
	await menuOf(tab, "three");
	await tab.type("delete");
	await tab.press("Enter");
	expect(await tab.rows()).toEqual(["one"]);
});

test("rows move below a node that is searched for, in one step, with a way to go there", async () => {
	const tab = await app.openWith("projects", "  house", "paint", "plaster");
	await tab.press("Shift+ArrowUp", "Shift+ArrowUp", "Alt+Shift+M");
	expect(await tab.dialog()).toBe("Move to");
	await tab.type("house");
	await tab.press("Enter");
	await expect.poll(() => tab.rows()).toEqual(["projects", "  house"]);
	expect(await tab.message()).toBe("Moved to “house”.");
	await tab.page.click(".notice button");
	await expect.poll(() => tab.title()).toBe("house");
	expect(await tab.rows()).toEqual(["paint", "plaster"]);
	await tab.press("Control+z");
	await tab.page.click("text=Home");
	await expect.poll(() => tab.rows()).toEqual(["projects", "  house", "paint", "plaster"]);
});

test("a row moves to a day that doesn't exist yet", async () => {
	const tab = await app.openWith("call Ann", "stays");
	await tab.press("ArrowUp", "Alt+Shift+M");
	await tab.type("tomorrow");
	await tab.press("Enter");
	await expect.poll(async () => (await tab.rows())[0]).toBe("stays");
	await tab.page.click(".notice button");
	await expect.poll(() => tab.rows()).toEqual(["call Ann"]);
});

test("a row is mirrored below another one, and can't go below itself", async () => {
	const tab = await app.openWith("here", "there");
	await tab.press("ArrowUp");
	await menuOf(tab, "here");
	await tab.type("mirror to");
	await tab.press("Enter");
	await tab.type("there");
	await tab.press("Enter");
	await expect.poll(() => tab.message()).toBe("Mirrored to “there”.");
	await expect.poll(() => tab.row("there").getAttribute("aria-expanded")).not.toBeNull();
	await menuOf(tab, "here");
	await tab.press("Enter");
	await tab.type("here");
	await tab.press("Enter");
	await expect.poll(() => tab.message()).toContain("A node can't move below itself");
});

test("a slash in the text opens the menu, and goes when a command is chosen", async () => {
	const tab = await app.open();
	await tab.type("shopping /");
	expect(await tab.dialog()).toBe("Menu");
	await tab.type("todo");
	await tab.press("Enter");
	await expect.poll(() => tab.row("shopping ").getAttribute("class")).toContain("todo");
	expect(await tab.caret()).toBe("shopping |");
	// The letters with which its words begin will do.
	await tab.type("/h1");
	expect(await tab.choices()).toEqual(["› Heading 1"]);
	await tab.press("Enter");
	await expect.poll(() => tab.row("shopping ").getAttribute("class")).toContain("h1");
});

test("every command of the menus shows its key, or what one types for it", async () => {
	const tab = await app.openWith("one", "two");
	const without = () =>
		tab.page.$$eval("dialog .choice:not(:has(kbd)) .choice-name", (names) =>
			names.map(({ textContent }) => textContent),
		);
	await menuOf(tab, "two");
	expect(await without()).toEqual([]);
	await tab.press("Escape", "Escape");
	await tab.type(" /");
	expect(await tab.choices()).toEqual([
		"› Bullet",
		"To-do",
		"Heading 1",
		"Heading 2",
		"Heading 3",
		"Quote",
		"Code block",
		"Insert a date…",
		"Link to a node…",
		"Mirror here…",
		"Move to…",
		"Mirror to…",
		"Duplicate",
		"Copy link to this node",
		"Add to shortcuts",
		"Edit the note",
		"Complete or reopen",
		"Delete",
	]);
	expect(await without()).toEqual([]);
	const { height } = (await tab.page.locator(".choice").first().boundingBox())!;
	expect(height).toBe(32);
});

for (const request of [" /", "[[", "(("]) {
	test(`the panel of ${request.trim()} leaves the line with the caret in sight, at the top and at the bottom`, async () => {
		const tab = await app.open(await app.profile({ viewport: { width: 390, height: 500 } }));
		const last = 14;
		await tab.write(...Array.from({ length: last }, (_, index) => `row ${index + 1}`));
		for (const row of ["row 14", "row 1"]) {
			await tab.into(row);
			await tab.type(request);
			const [dialog, line] = await Promise.all(
				["dialog[open]", `.row:has-text("${row}${request}")`].map((selector) =>
					tab.page.locator(selector).boundingBox(),
				),
			);
			const isApart = dialog!.y >= line!.y + line!.height - 4 || dialog!.y + dialog!.height <= line!.y + 4;
			expect(isApart, `${row}: ${JSON.stringify({ dialog, line })}`).toBe(true);
			expect(dialog!.y).toBeGreaterThanOrEqual(0);
			expect(dialog!.y + dialog!.height).toBeLessThanOrEqual(500);
			await tab.press("Escape", ...request.split("").map(() => "Backspace"));
		}
	});
}

test("a command puts a node among the shortcuts by its text, and asks for a word if that leads elsewhere", async () => {
	const tab = await app.openWith("Lake trip", "today");
	await menuOf(tab, "Lake trip");
	await tab.type("shortcuts");
	await tab.press("Enter");
	await expect.poll(() => tab.message()).toBe("“Lake trip” is among the shortcuts in the sidebar.");
	await menuOf(tab, "today");
	await tab.type("shortcuts");
	await tab.press("Enter");
	await expect.poll(() => tab.dialog()).toBe("Shortcuts");
	expect(await tab.page.locator(".shortcut-go .shortcut").allInnerTexts()).toEqual(["Lake trip"]);
});

test("a slash that belongs to the text stays in it", async () => {
	const tab = await app.open();
	await tab.type("and/or");
	expect(await tab.dialog()).toBeNull();
	await tab.type(" 1 / 2");
	await expect.poll(() => tab.rows()).toEqual(["and/or 1 / 2"]);
	await tab.type(" /");
	await tab.press("Escape");
	await tab.type("x");
	expect(await tab.caret()).toBe("and/or 1 / 2 /x|");
	await tab.press("Enter");
	await tab.type("see /etc/hosts, or /what not");
	await expect.poll(() => tab.caret()).toBe("see /etc/hosts, or /what not|");
	await tab.pressAtOnce("Enter", ..."in /etc/hosts, and/or 1 / 2");
	await expect.poll(() => tab.caret()).toBe("in /etc/hosts, and/or 1 / 2|");
});

test.each(["/", "[[", "(("])("what is typed behind %s stays in the text if nothing is chosen", async (request) => {
	const tab = await app.open();
	await tab.type(`see ${request}abc`);
	expect(await tab.dialog()).not.toBeNull();
	await tab.press("Escape");
	await tab.type("d");
	expect(await tab.caret()).toBe(`see ${request}abcd|`);
	await tab.press("Enter");
	await tab.type(`${request}ef`);
	// The keys wait for the row that Enter makes, and a click doesn't.
	await expect.poll(() => tab.page.locator("dialog input").inputValue()).toBe("ef");
	await tab.page.mouse.click(700, 700);
	expect(await tab.dialog()).toBeNull();
	expect(await tab.rows()).toEqual([`see ${request}abcd`, `${request}ef`]);
});

test("after a command of a bullet's menu the keys go to a row again", async () => {
	const tab = await app.openWith("one", "two", "three");
	await menuOf(tab, "two");
	await tab.type("move to");
	await tab.press("Enter");
	await expect.poll(() => tab.dialog()).toBe("Move to");
	await tab.type("one");
	await tab.press("Enter");
	await expect.poll(() => tab.rows()).toEqual(["one", "three"]);
	await tab.type("!");
	expect(await tab.caret()).toContain("!|");
	await tab.press("Control+z", "Control+z");
	expect(await tab.rows()).toEqual(["one", "two", "three"]);
	// It told of the move.
	expect(await tab.message()).toBeNull();
});

test("a finger that rests on a bullet opens the menu", async () => {
	const tab = await app.openOnPhone(780);
	await tab.page.locator(".name").first().tap();
	await tab.write("one", "two");
	const box = (await tab.row("one").locator(".bullet").boundingBox())!;
	const session = await tab.page.context().newCDPSession(tab.page);
	const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
	await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
	await tab.page.waitForSelector(".ghost");
	await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
	await expect.poll(() => tab.dialog()).toBe("Menu");
	expect(await tab.selected()).toEqual(["one"]);
});
