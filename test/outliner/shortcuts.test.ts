import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** The shortcuts that the dialog lists. */
function listed(tab: Tab): Promise<string[]> {
	return tab.page.$$eval("dialog li .shortcut-go", (buttons) =>
		buttons.map((button) =>
			[...button.querySelectorAll("kbd, .choice-name")].map((each) => each.textContent).join(" "),
		),
	);
}

test("a node gets a shortcut, an empty search finds it by that, and it loses the shortcut again", async () => {
	const tab = await app.openWith("Projects", "Other");
	await tab.press("ArrowUp", "Alt+Shift+s");
	await tab.type("work\n");
	await expect.poll(() => listed(tab)).toEqual(["work Projects"]);
	expect(await tab.page.inputValue("dialog input")).toBe("");
	await tab.press("Escape", "Control+k");
	await expect.poll(() => tab.choices()).toEqual(["› Today", "Tomorrow", "Next week", "Inbox", "Projects"]);
	await tab.type("wor\n");
	await expect.poll(() => tab.title()).toBe("Projects");
	expect(await tab.caret()).toBe("Projects|");
	await tab.press("Alt+Shift+s");
	await tab.page.click('dialog [aria-label="Remove the shortcut work"]');
	await expect.poll(() => listed(tab)).toEqual([]);
	expect(await tab.page.evaluate(() => document.activeElement!.tagName)).toBe("INPUT");
});

test("the field explains invalid names, and a name that is about to change its node", async () => {
	const tab = await app.openWith("a", "b");
	await tab.press("Alt+Shift+s");
	await tab.type("today\n");
	await expect.poll(() => tab.page.textContent("dialog .problem")).toContain('"today" can\'t be a shortcut key');
	expect(await tab.page.getAttribute("dialog input", "aria-invalid")).toBe("true");
	await tab.page.fill("dialog input", "mine");
	expect(await tab.page.getAttribute("dialog input", "aria-invalid")).toBe("false");
	await tab.press("Enter");
	await expect.poll(() => listed(tab)).toEqual(["mine b"]);
	await tab.press("Escape", "ArrowUp", "Alt+Shift+s");
	await tab.type("mine");
	await expect
		.poll(() => tab.page.textContent("dialog form .hint"))
		.toBe("It leads to “b” now. It will lead here instead.");
	await tab.press("Enter");
	await expect.poll(() => listed(tab)).toEqual(["mine a"]);
});

test("text typed before the dialog opens gets into it, Enter too", async () => {
	const tab = await app.openWith("a");
	await tab.pressAtOnce("Enter", "b", "Alt+Shift+s", ..."mine", "Enter");
	await expect.poll(() => listed(tab)).toEqual(["mine b"]);
});

test("the list follows the shortcuts of other tabs, and goes to their nodes", async () => {
	const context = await app.profile();
	const [one, other] = [await app.open(context), await app.open(context)];
	await one.press("Alt+Shift+s");
	await other.type("Elsewhere");
	await other.press("Alt+Shift+s");
	await other.type("there\n");
	await expect.poll(() => listed(one)).toEqual(["there Elsewhere"]);
	await one.page.click("dialog li .shortcut-go");
	await expect.poll(() => one.title()).toBe("Elsewhere");
});

test.each(["light", "dark"] as const)(
	"nothing is wrong with it for an accessibility checker, %s",
	async (colorScheme) => {
		const tab = await app.open(await app.profile({ colorScheme }));
		await tab.type("a");
		await tab.press("Alt+Shift+s");
		await tab.type("mine\n");
		await expect.poll(() => listed(tab)).toEqual(["mine a"]);
		await tab.type("today\n");
		await expect.poll(() => tab.page.$("dialog .problem")).not.toBe(null);
		expect(await tab.violations()).toEqual([]);
	},
);
