import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	chromium,
	type Locator,
	type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

const directory = fileURLToPath(new URL("../../examples/outliner/dist", import.meta.url));
const types: { readonly [extension: string]: string } = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript",
	".css": "text/css",
	".svg": "image/svg+xml",
	".png": "image/png",
	".webmanifest": "application/manifest+json",
};

/** The outliner in a browser, for the tests of one file. */
export class App {
	/** Where it is served, with a slash at the end. */
	address = "";
	browser!: Browser;
	readonly #contexts: BrowserContext[] = [];
	/** What pages have thrown or printed as errors since the test began. */
	readonly #errors: string[] = [];

	constructor() {
		const server = createServer(async ({ url = "/" }, response) => {
			const { pathname } = new URL(url, "http://x");
			const file = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
			try {
				const body = await readFile(join(directory, file));
				response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(body);
			} catch {
				response.writeHead(404).end();
			}
		});
		beforeAll(async () => {
			await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
			this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
			this.browser = await chromium.launch({
				executablePath: process.env.OUTLINE_BROWSER!,
				args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
			});
		});
		afterEach(async () => {
			await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
			expect(this.#errors.splice(0)).toEqual([]);
		});
		afterAll(async () => {
			await this.browser.close();
			await new Promise((resolve) => server.close(resolve));
		});
	}

	/** A profile of its own, in which nothing has been written yet. */
	async profile(options: BrowserContextOptions = {}): Promise<BrowserContext> {
		const context = await this.browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
		this.#contexts.push(context);
		return context;
	}

	/** A tab with the outliner, ready to write in. */
	async open(context?: BrowserContext, hash = ""): Promise<Tab> {
		const page = await (context ?? (await this.profile())).newPage();
		page.on("pageerror", (error) => this.#errors.push(error.stack ?? error.message));
		page.on("console", (message) => {
			if (message.type() === "error") this.#errors.push(message.text());
		});
		await page.goto(this.address + hash);
		const tab = new Tab(page);
		await tab.ready();
		return tab;
	}

	/** Errors that a test expects are taken out here. */
	takeErrors(): string[] {
		return this.#errors.splice(0);
	}
}

/** What a person sees and does in one tab. */
export class Tab {
	readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	/** Waits until the outline shows. */
	async ready(): Promise<void> {
		await this.page.waitForSelector(".add");
	}

	/** Types a text with the keyboard, without pauses; `\n` is Enter. */
	async type(text: string): Promise<void> {
		await this.page.keyboard.type(text);
	}

	/** Writes rows that are indented by two spaces a level, from where the caret is. */
	async write(...lines: string[]): Promise<void> {
		let depth = 0;
		for (const [index, line] of lines.entries()) {
			if (index > 0) await this.press("Enter");
			const wanted = /^ */.exec(line)![0].length / 2;
			for (; depth < wanted; depth++) await this.press("Tab");
			for (; depth > wanted; depth--) await this.press("Shift+Tab");
			await this.type(line.trim());
		}
		await this.saved();
	}

	/** Presses keys one after the other, such as `Tab` and `Control+Enter`. */
	async press(...keys: string[]): Promise<void> {
		for (const key of keys) await this.page.keyboard.press(key);
	}

	/** The rows as they show, indented by two spaces a level, with their names as fragments. */
	async rows(): Promise<string[]> {
		await this.saved();
		return this.page.evaluate(() =>
			[...document.querySelectorAll<HTMLElement>(".row")].map((row) => {
				const depth = Number(row.getAttribute("aria-level")) - 1;
				return "  ".repeat(depth) + row.querySelector(".name")!.innerHTML.replaceAll("\u200b", "").replace(/<br>$/, "");
			}),
		);
	}

	/** Waits until what was typed is kept. */
	async saved(): Promise<void> {
		await this.page.waitForSelector(".save.saved");
	}

	/** The text with the caret, in which `|` stands for it, and `[…]` for what is selected. */
	async caret(): Promise<string | undefined> {
		return this.page.evaluate(() => {
			const field = document.activeElement;
			const selection = getSelection();
			if (!(field instanceof HTMLElement) || field.dataset.field === undefined || !selection?.rangeCount)
				return undefined;
			const range = selection.getRangeAt(0);
			const before = document.createRange();
			before.selectNodeContents(field);
			before.setEnd(range.startContainer, range.startOffset);
			const text = field.textContent!;
			const start = before.toString().length;
			const end = start + range.toString().length;
			const shown = start === end ? "|" : `[${text.slice(start, end)}]`;
			return (text.slice(0, start) + shown + text.slice(end)).replaceAll("\u200b", "");
		});
	}

	/** The rows with a text as their name. */
	row(name: string): Locator {
		const text = new RegExp(`^\u200b?${name.replace(/[^\w\s]/g, "\\$&")}$`);
		return this.page.locator(".row").filter({ has: this.page.locator(".name").filter({ hasText: text }) });
	}

	/** The names of the rows that show as selected. */
	async selected(): Promise<string[]> {
		return this.page.locator(".row.selected .name").allInnerTexts();
	}

	/** Puts something on the clipboard as another program would, and pastes it. */
	async paste(text: string, html?: string, keys = "Control+v"): Promise<void> {
		await this.page.evaluate(
			async ([plain, rich]) => {
				const item: Record<string, string> = { "text/plain": plain! };
				if (rich !== undefined) item["text/html"] = rich;
				const put = (event: ClipboardEvent) => {
					for (const [type, data] of Object.entries(item)) event.clipboardData!.setData(type, data);
					event.preventDefault();
					event.stopImmediatePropagation();
				};
				addEventListener("copy", put, { capture: true, once: true });
				document.execCommand("copy");
			},
			[text, html],
		);
		await this.page.keyboard.press(keys);
	}

	/** What a key puts on the clipboard, as other programs find it. */
	async copied(keys: string): Promise<{ [type: string]: string }> {
		const writing = () => this.page.evaluate(() => navigator.clipboard.readText().catch(() => ""));
		await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		await this.page.evaluate(() => navigator.clipboard.writeText("nothing yet"));
		await this.page.keyboard.press(keys);
		await expect.poll(writing).not.toBe("nothing yet");
		return this.page.evaluate(async () => {
			const [item] = await navigator.clipboard.read();
			const types = item!.types.filter((type) => type.startsWith("text/"));
			const texts = types.map(async (type) => [type, await (await item!.getType(type)).text()]);
			return Object.fromEntries(await Promise.all(texts));
		});
	}
}
