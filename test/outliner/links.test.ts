import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();

/** The tabs that open: their addresses, and whether they know the tab that opened them. */
function outside(tab: Tab): string[] {
	const seen: string[] = [];
	tab.page.context().on("page", async (page) => {
		await page.waitForLoadState();
		seen.push(`${page.url()} ${await page.evaluate(() => String(window.opener))}`);
	});
	return seen;
}

/** An address of another origin, which is served here as well. */
function elsewhere(place: string): string {
	return app.address.replace("127.0.0.1", "localhost") + place;
}

test("a click opens a link in a tab without access to this one", async () => {
	const tab = await app.open(await app.profile());
	const opened = outside(tab);
	const address = elsewhere("icon.svg?b#c");
	await tab.type(`see [there](${address}) now`);
	await tab.saved();
	await tab.page.click(".name a");
	await expect.poll(() => opened).toEqual([`${address} null`]);
	await tab.page.click(".name a", { modifiers: ["Control"] });
	await expect.poll(() => opened.length).toBe(2);
	expect(await tab.rows()).toEqual([`see <a href="${address}">there</a> now`]);
});

test("the key follows the link at the caret, and does nothing beside one", async () => {
	const tab = await app.open(await app.profile());
	const opened = outside(tab);
	const address = elsewhere("icon.svg");
	await tab.type(`see [there](${address})`);
	await tab.press("Control+Shift+Enter");
	await expect.poll(() => opened).toEqual([`${address} null`]);
	await tab.press("Home", "Control+Shift+Enter");
	expect(await tab.caret()).toBe("|see there");
	expect(await tab.rows()).toEqual([`see <a href="${address}">there</a>`]);
	expect(tab.page.context().pages().length).toBe(2);
});

test("an address of this outline leads inside, in its long and its short form, as copied", async () => {
	const context = await app.profile({ permissions: ["clipboard-read", "clipboard-write"] });
	const tab = await app.open(context);
	await tab.type("Boat\nfirst");
	await tab.press("ArrowUp", "Alt+Shift+l");
	await expect.poll(() => tab.message()).toBe("The link is copied.");
	const address = await tab.page.evaluate(() => navigator.clipboard.readText());
	expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/[0-9a-f]{12}$/);
	await tab.press("ArrowDown", "End", "Enter");
	await tab.type(`[long](${address})`);
	await tab.press("Enter");
	await tab.type(`[short](${address.slice(address.indexOf("#"))})`);
	await tab.saved();
	await tab.page.click("text=long");
	await expect.poll(() => tab.title()).toBe("Boat");
	await tab.page.goBack();
	await expect.poll(() => tab.title()).toBe(null);
	await tab.page.click("text=short");
	await expect.poll(() => tab.title()).toBe("Boat");
	expect(context.pages().length).toBe(1);
	await tab.page.goto(address);
	await tab.ready();
	expect(await tab.title()).toBe("Boat");
});

test("a link to a node that is gone says so, and a date leads to its day", async () => {
	const tab = await app.open(await app.profile());
	await tab.type("[gone](#/0123456789ab)\non [2026-12-24] at [2026-12-24 18:00]");
	await tab.saved();
	await tab.page.click("text=gone");
	await expect.poll(() => tab.message()).toBe("The node that this link leads to isn't there any more.");
	await tab.page.click(".name time >> nth=1");
	await expect.poll(() => tab.title()).toBe("Thu, Dec 24, 2026");
});

test.each(["javascript:void(document.title = 'run')", "data:text/html,x", "http://"])(
	"a link with an address that isn't allowed doesn't open: %s",
	async (address) => {
		const tab = await app.open(await app.profile());
		await tab.type("x");
		await tab.page.$eval(
			".name",
			(name, href) => {
				const link = document.createElement("a");
				link.setAttribute("href", href);
				link.textContent = "bad";
				name.append(link);
				// Whatever is opened would be opened by a click of its own.
				HTMLAnchorElement.prototype.click = function () {
					document.title = this.href;
				};
			},
			address,
		);
		await tab.page.click("text=bad");
		await tab.press("Control+Shift+Enter");
		await tab.type("!");
		expect(await tab.page.title()).toBe("Outline");
	},
);
