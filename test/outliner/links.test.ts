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

const link = (href: string, label = href) => `<a href="${href}">${label}</a>`;

test("a typed address becomes a link with the blank or the new line after it", async () => {
	const tab = await app.open();
	await tab.type("see https://x.org/a?b#c, or (www.y.org) now\nhttps://z.org\n[t](https://x.org b) `https://c.org `");
	expect(await tab.rows()).toEqual([
		`see ${link("https://x.org/a?b#c")}, or (${link("https://www.y.org", "www.y.org")}) now`,
		link("https://z.org"),
		"[t](https://x.org b) <code>https://c.org </code>",
	]);
	await tab.press("ArrowUp", "ArrowUp", "Home");
	for (let count = 0; count < 3; count++) await tab.press("ArrowRight");
	await tab.type(" https://new.org");
	expect(await tab.caret()).toBe("see https://new.org| https://x.org/a?b#c, or (www.y.org) now");
	await tab.type(" and");
	expect(await tab.caret()).toBe("see https://new.org and| https://x.org/a?b#c, or (www.y.org) now");
	expect((await tab.rows())[0]).toContain(`see ${link("https://new.org")} and <a`);
});

test("the line may be broken within the text behind an address", async () => {
	const tab = await app.open();
	await tab.type("a https://x.orgb");
	await tab.press("ArrowLeft", "Enter");
	expect(await tab.rows()).toEqual([`a ${link("https://x.org")}`, "b"]);
});

test("a pasted address becomes a link, and over a selected text its target", async () => {
	const tab = await app.open();
	await tab.type("go: ");
	await tab.paste("https://x.org/a_(b).");
	await tab.type(" there");
	expect(await tab.rows()).toEqual([`go: ${link("https://x.org/a_(b)")}. there`]);
	await tab.press("Control+Shift+ArrowLeft");
	await tab.paste("https://y.org/?a=1&b=2\n");
	expect(await tab.rows()).toEqual([
		`go: ${link("https://x.org/a_(b)")}. ${link("https://y.org/?a=1&amp;b=2", "there")}`,
	]);
	await tab.paste(" https://z.org", undefined, "Control+Shift+v");
	expect((await tab.rows())[0]).toMatch(/there<\/a> https:\/\/z\.org$/);
	await tab.press("Enter");
	await tab.paste("- one https://x.org\n- `https://y.org`\n");
	expect((await tab.rows()).slice(1)).toEqual([`one ${link("https://x.org")}`, "<code>https://y.org</code>"]);
});

test("the link at the caret can be removed", async () => {
	const tab = await app.open();
	await tab.type("a https://x.org b");
	await tab.press("Control+ArrowLeft", "ArrowLeft", "ArrowLeft", "Control+Shift+k");
	await tab.type("remove the link\n");
	expect(await tab.rows()).toEqual(["a https://x.org b"]);
	expect(await tab.caret()).toBe("a https://x.or|g b");
});

test("a link to a node that is gone says so, and a date leads to its day", async () => {
	const tab = await app.open(await app.profile());
	await tab.type("[gone](#/0123456789ab)\non [2026-12-24] at [2026-12-24 18:00]");
	await tab.saved();
	await tab.page.click("text=gone");
	await expect.poll(() => tab.message()).toBe("The node of this link doesn't exist any more.");
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
