import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { TestBrowser } from "../browser/browser.js";
import { sharedFolder } from "../support/temporary.js";

/** The site, copied to a folder whose name a URL must escape. `npm run docs` has built it. */
const built = fileURLToPath(new URL("../../site", import.meta.url));
const folder = join(sharedFolder(), "a folder");
const addressOf = (page: string) => pathToFileURL(join(folder, page)).href;
const browser = new TestBrowser(new URL("../browser/outline-page.ts", import.meta.url));
let page: Page;

beforeAll(async () => {
	cpSync(built, folder, { recursive: true });
	({ page } = await browser.open());
});

const pages = () =>
	readdirSync(folder, { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".html"))
		.map((name) => name.replaceAll("\\", "/"));

test("every link and every file of a page leads to a file of the site, and to a heading in it", () => {
	const texts = new Map(pages().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
	expect(texts.size).toBeGreaterThan(100);
	const dead: string[] = [];
	for (const [name, text] of texts) {
		for (const [, address] of text.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
			if (/^(?:[a-z]+:|#icon-|$)/.test(address!)) continue;
			const [path, anchor] = address!.split("#").map(decodeURIComponent) as [string, string?];
			const target = path === "" ? name : join(dirname(name), path.split("?")[0]!).replaceAll("\\", "/");
			const isThere = existsSync(join(folder, target));
			const hasAnchor = !anchor || !texts.has(target) || texts.get(target)!.includes(`id="${anchor}"`);
			if (!isThere || !hasAnchor) dead.push(`${name}: ${address}`);
		}
	}
	expect([...new Set(dead)]).toEqual([]);
});

test("the home page has the installation, a program, and links to the playground and the tutorial", async () => {
	await page.goto(addressOf("index.html"));
	const code = await page.locator(".col-content pre").allTextContents();
	expect(code.some((text) => text.includes("npm install"))).toBe(true);
	expect(code.some((text) => text.includes("new Outline("))).toBe(true);
	expect(await page.locator(".col-content").textContent()).not.toContain("npm run docs");
	await page.locator(".col-content").getByRole("link", { name: "playground" }).first().click();
	await expect.poll(() => page.locator("#list li").count()).toBe(2);
	await page.getByRole("button", { name: "Complete", exact: true }).click();
	await expect.poll(() => page.locator("#call").textContent()).toContain("outline.complete(");
	expect(browser.errors).toEqual([]);
});

test("on the page of a class, the navigation begins its entry points with the core, and leads to the playground and the repository", async () => {
	await page.goto(addressOf("classes/outlinekit.Outline.html"));
	const names = async () => (await page.locator(".tsd-navigation a").allTextContents()).map((name) => name.trim());
	await expect.poll(names).toContain("outlinekit/solid");
	// The first one is the home page.
	const [, ...entryPoints] = (await names()).filter((name) => /^outlinekit(\/|$)/.test(name));
	expect(entryPoints.slice(0, 2)).toEqual(["outlinekit", "outlinekit/live"]);
	const { homepage, repository } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
	expect(homepage).toContain("https://");
	const href = await page.getByRole("link", { name: "Repository" }).first().getAttribute("href");
	expect(repository.url).toContain(href!);
	await page.getByRole("link", { name: "Playground" }).click();
	await page.getByText("New line").waitFor();
});

test.each([
	["undo", "Undo and redo"],
	["not_found", "Errors"],
	["postgres", "Storages"],
	["keys add", "Command line"],
	["markdown", "Markup"],
	["react", "React, Vue, Svelte and Solid"],
	["mirror", "Mirrors"],
	["opml", "Import and export"],
	["createPostgresStorage", "outlinekit/postgres.createPostgresStorage"],
])("a search for %s finds %s first", async (words, title) => {
	await page.goto(addressOf("guides/search.html"));
	await page.keyboard.press("/");
	await page.locator("#tsd-search-input").fill(words);
	const first = page.locator("#tsd-search-results li").first();
	await expect.poll(() => first.textContent()).toMatch(new RegExp(`^\\s*${title}\\s*$`, "i"));
});
