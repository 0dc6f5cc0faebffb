import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
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
import { StaticFiles } from "../../adapters/cli/serve/static-files.js";
import { UsualProfile } from "./usual-profile.js";

const directory = fileURLToPath(new URL("../../examples/outliner/dist", import.meta.url));
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser: Promise<Browser> | undefined;

/**
 * The browser of all tests of this process, which ends with it. To start one takes longer than most tests. The
 * pages of a profile share a process for the same reason.
 */
function launched(): Promise<Browser> {
	browser ??= chromium.launch({
		executablePath: process.env.OUTLINE_QUICK_BROWSER!,
		args: ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--no-first-run", "--renderer-process-limit=1"],
	});
	return browser;
}

/** The outliner in a browser, for the tests of one file. */
export class App {
	/** Where it is served, with a slash at the end. */
	address = "";
	browser!: Browser;
	/** Whether the server answers. */
	reachable = true;
	/** Whether requests may fail in the tests of this file: browsers print each as an error. */
	losesRequests = false;
	#files!: StaticFiles;
	readonly #contexts: BrowserContext[] = [];
	/**
	 * The profile of most tests, one after the other. It has the code already, which takes longer to load than
	 * most tests.
	 */
	#usual!: UsualProfile;
	#usualIsTaken = false;
	/** The errors that pages have thrown or printed since the test began. */
	readonly #errors: string[] = [];

	constructor() {
		const server = createServer((request, response) => {
			if (!this.reachable) request.socket.destroy();
			else if (!this.#files.answer(request, response)) response.writeHead(404).end();
		});
		beforeAll(async () => {
			await this.serve(directory);
			await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
			this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
			this.browser = await launched();
			this.#usual = await UsualProfile.open(await this.browser.newContext(usualOptions));
		});
		afterEach(async () => {
			await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
			if (this.#usualIsTaken) await this.#usual.clear(new URL(this.address).origin);
			this.#usualIsTaken = false;
			this.reachable = true;
			expect(this.#errors.splice(0)).toEqual([]);
		});
		afterAll(async () => {
			await this.#usual.context.close();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		});
	}

	/** Serves a build of the outliner from now on. */
	async serve(build: string): Promise<void> {
		this.#files = await StaticFiles.read(build);
	}

	/** A profile of its own, in which nothing has been written yet. */
	async profile(options: BrowserContextOptions = {}): Promise<BrowserContext> {
		const context = await this.browser.newContext({ ...usualOptions, ...options });
		this.#contexts.push(context);
		return context;
	}

	/** A tab with the outliner, ready for writing; by default in an empty profile. */
	async open(context?: BrowserContext, hash = ""): Promise<Tab> {
		const page = await (context ?? (await this.#blankProfile())).newPage();
		page.on("pageerror", (error) => this.#errors.push(error.stack ?? error.message));
		page.on("console", (message) => {
			const isLost = message.text().startsWith("Failed to load resource: ");
			if (message.type() === "error" && !(isLost && this.losesRequests)) this.#errors.push(message.text());
		});
		await page.goto(this.address + hash);
		const tab = new Tab(page);
		await tab.ready();
		return tab;
	}

	/** A tab in an empty profile with rows, as {@link Tab.write} takes them. The caret is at the end of the last one. */
	async openWith(...lines: string[]): Promise<Tab> {
		const tab = await this.open();
		await tab.write(...lines);
		return tab;
	}

	/** Two tabs of one profile with rows of one level. The caret of the first is at the end of the last row. */
	async twoTabs(rows: readonly string[], context?: BrowserContext): Promise<[Tab, Tab]> {
		const profile = context ?? (await this.profile());
		const first = await this.open(profile);
		await first.write(...rows);
		const second = await this.open(profile);
		await expect.poll(() => second.rows()).toEqual(await first.rows());
		return [first, second];
	}

	/** A tab in 2026, at 8 o'clock of a day of November, in a zone whose day differs from other zones. */
	async openInNovember(day: number, options: BrowserContextOptions = {}): Promise<Tab> {
		const context = await this.profile({ timezoneId: "Pacific/Auckland", ...options });
		await context.clock.setFixedTime(new Date(`2026-11-${day}T08:00:00+13:00`));
		return this.open(context);
	}

	/** A tab of a phone, in a profile of its own. */
	async openOnPhone(height: number): Promise<Tab> {
		return this.open(await this.profile({ hasTouch: true, isMobile: true, viewport: { width: 390, height } }));
	}

	async #blankProfile(): Promise<BrowserContext> {
		if (this.#usualIsTaken) return this.profile();
		this.#usualIsTaken = true;
		return this.#usual.context;
	}

	/** A test removes its expected errors from here. */
	takeErrors(): string[] {
		return this.#errors.splice(0);
	}
}

const usualOptions: BrowserContextOptions = {
	viewport: { width: 1100, height: 800 },
	// A test that clicks where a row is would miss one that glides.
	reducedMotion: "reduce",
	// To keep all files for a page that lives for a second takes longer than what most tests do with it.
	serviceWorkers: "block",
};

/** Keys without a character of their own, with the numbers that browsers know them by. */
const keyCodes: { readonly [key: string]: number } = {
	Backspace: 8,
	Tab: 9,
	Enter: 13,
	Escape: 27,
	End: 35,
	Home: 36,
	ArrowLeft: 37,
	ArrowUp: 38,
	ArrowRight: 39,
	ArrowDown: 40,
	Delete: 46,
};

/** A file with its text. */
export interface NamedFile {
	readonly name: string;
	readonly text: string;
}

/** The user's view and actions in one tab. */
export class Tab {
	readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	/** Waits until the outline shows. */
	async ready(): Promise<void> {
		await this.page.waitForSelector(".add");
	}

	/** Loads the page again. */
	async reload(): Promise<void> {
		await this.page.reload();
		await this.ready();
	}

	/** Types a text with the keyboard, without pauses; `\n` is Enter. */
	async type(text: string): Promise<void> {
		await this.page.keyboard.type(text);
	}

	/** Writes rows that are indented by two spaces a level, from where the caret is. */
	async write(...lines: string[]): Promise<void> {
		for (const { keys, text } of writing(lines)) {
			await this.press(...keys);
			await this.type(text);
		}
		await this.saved();
	}

	/** Presses keys one after the other, such as `Tab` and `Control+Enter`. */
	async press(...keys: string[]): Promise<void> {
		for (const key of keys) await this.page.keyboard.press(key);
	}

	/** Puts the caret at the end of the first row with a name. */
	async into(name: string): Promise<void> {
		await this.row(name).locator(".name").first().click();
		await this.press("End");
	}

	/** Deletes the database of the outline, as a browser does that needs its room. */
	async deleteOutline(): Promise<void> {
		await this.page.evaluate(
			() =>
				new Promise((resolve, reject) => {
					const request = indexedDB.deleteDatabase("outlinekit:outliner");
					request.onsuccess = resolve;
					request.onerror = reject;
				}),
		);
	}

	/** Deletes the only row with a name, by its key. Waits until it is gone. */
	async remove(name: string): Promise<void> {
		const text = this.row(name).locator(".name");
		await text.click();
		await this.press("Control+Shift+Backspace");
		await text.waitFor({ state: "detached" });
	}

	/** Runs the command that the palette finds first by some words. */
	async command(words: string): Promise<void> {
		await this.press("Control+Shift+k");
		await this.type(words);
		await this.press("Enter");
	}

	/** Opens the trash, and returns the names that it lists. */
	async trash(): Promise<string[]> {
		if ((await this.dialog()) === "Trash") await this.press("Escape");
		await this.command("trash");
		await this.page.locator('dialog[aria-label="Trash"]').waitFor();
		await this.page.locator(".trash ul li, .trash > p:not(.hint, .trash-said)").first().waitFor();
		return this.page.locator(".trash-name").allInnerTexts();
	}

	/** Puts a node of the open trash back. */
	async putBack(name: string): Promise<void> {
		await this.page.getByRole("button", { name: `Put back “${name}”` }).click();
		await this.page.locator(".trash-said", { hasText: `“${name}” is back` }).waitFor();
	}

	/** Shows the rows that a query finds, in their places. */
	async filter(query: string): Promise<void> {
		await this.press("Control+f");
		await this.type(query);
	}

	/** Opens the search, and looks for words in it. */
	async search(words: string): Promise<void> {
		await this.press("Control+k");
		await this.type(words);
	}

	/** Goes into the note of the row with the caret, and types a text there. */
	async writeNote(text: string): Promise<void> {
		await this.press("Shift+Enter");
		await this.type(text);
	}

	/**
	 * Presses keys while the page is too busy to notice them, so that all come before the first has its effect.
	 * The keys are characters, the ones in `keyCodes`, and both with modifiers, such as `Control+k`.
	 */
	async pressAtOnce(...keys: string[]): Promise<void> {
		const session = await this.page.context().newCDPSession(this.page);
		const busy = this.page.evaluate(() => {
			const end = performance.now() + 400;
			while (performance.now() < end);
		});
		const sent = keys.map((pressed) => {
			const key = pressed.replace(/^(?:(?:Alt|Control|Shift)\+)+/, "");
			const text = key === pressed ? (key === "Enter" ? "\r" : key.length === 1 ? key : undefined) : undefined;
			const code = /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : key === " " ? "Space" : key;
			const windowsVirtualKeyCode = keyCodes[key] ?? (/^[a-z ]$/.test(key) ? key.toUpperCase().charCodeAt(0) : 0);
			const held = pressed.slice(0, pressed.length - key.length);
			const modifiers =
				Number(held.includes("Alt")) + 2 * Number(held.includes("Control")) + 8 * Number(held.includes("Shift"));
			const event = { type: "keyDown", key, code, windowsVirtualKeyCode, modifiers } as const;
			return session.send("Input.dispatchKeyEvent", text === undefined ? event : { ...event, text });
		});
		await Promise.all([busy, ...sent]);
		await session.detach();
	}

	/**
	 * The rows as they show, indented by two spaces a level, with their names as the fragments that the outline
	 * stores: without the words that dates show as.
	 */
	async rows(): Promise<string[]> {
		await this.saved();
		return this.page.evaluate(() =>
			[...document.querySelectorAll<HTMLElement>(".row")].map((row) => {
				const depth = Number(row.getAttribute("aria-level")) - 1;
				const shown = row.querySelector(".name")!.innerHTML.replaceAll("\u200b", "").replace(/<br>$/, "");
				return "  ".repeat(depth) + shown.replace(/ data-label="([^"]*)">[^<]*</g, ">$1<");
			}),
		);
	}

	/** Waits until no key has an effect any more. */
	async idle(): Promise<void> {
		await this.saved();
		await this.page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(done), 40)));
		await this.saved();
	}

	/** Waits until the typed text is saved. */
	async saved(): Promise<void> {
		await this.page.waitForSelector(".save[data-state=saved]");
	}

	/** The text with `|` at the caret, and `[…]` around the selection. */
	async caret(): Promise<string | undefined> {
		await this.saved();
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

	/** The choices of the open dialog as shown, with `›` before the one that Enter takes. */
	async choices(): Promise<string[]> {
		return this.page.$$eval('dialog [role="option"]', (options) =>
			options.map((option) => {
				const name = option.querySelector(".choice-name")!.textContent;
				return (option.ariaSelected === "true" ? "› " : "") + name;
			}),
		);
	}

	/** The tags or dates that are offered at the caret, with `›` before the one that Enter takes. */
	async offers(): Promise<string[]> {
		return this.page.$$eval(".offers [role=option]", (options) =>
			options.map((option) => (option.ariaSelected === "true" ? "› " : "") + option.firstChild!.textContent),
		);
	}

	/** The dialog that is open, by what it is called; null if none is. */
	async dialog(): Promise<string | null> {
		return this.page.evaluate(() => document.querySelector("dialog[open]")?.getAttribute("aria-label") ?? null);
	}

	/** The node in the title; null at the top level. */
	async title(): Promise<string | null> {
		return this.page.evaluate(() => document.querySelector(".title .name")?.textContent ?? null);
	}

	/** The message at the foot of the page. */
	async message(): Promise<string | null> {
		return this.page.evaluate(() => document.querySelector(".notice span")?.textContent ?? null);
	}

	/**
	 * The problems of an accessibility checker with the page, by WCAG 2.2 AA. The dark theme and forced colours
	 * differ only in their colours, and a page for a finger in its sizes.
	 */
	async violations(): Promise<string[]> {
		await this.page.evaluate(axe);
		return this.page.evaluate(async () => {
			const { axe } = globalThis as unknown as {
				axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
			};
			// Elements that are fading in have other colours.
			await Promise.all(document.getAnimations().map(({ finished }) => finished));
			const runOnly = matchMedia("(prefers-color-scheme: dark), (forced-colors: active)").matches
				? { type: "rule", values: ["color-contrast", "link-in-text-block"] }
				: matchMedia("(pointer: coarse)").matches
					? {
							type: "rule",
							values: ["target-size", "region", "scrollable-region-focusable", "button-name", "link-name"],
						}
					: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
			const { violations } = await axe.run({ runOnly });
			// A row is called by its text, and not also by the buttons and lists in it.
			const isMeant = (id: string, html: string) =>
				id === "label-content-name-mismatch" && html.includes('role="treeitem"');
			return violations
				.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html })))
				.filter(({ id, html }) => !isMeant(id, html))
				.map(({ id, html }) => `${id}: ${html}`);
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

	/** The outline as a JSON file, line by line, in the order of the texts of the lines. */
	async exported(): Promise<string[]> {
		await this.press("Control+s");
		const { text } = await this.downloaded("Export");
		await this.press("Escape");
		return text.trim().split("\n").sort();
	}

	/** The file that comes after a click on a button. */
	async downloaded(button: string | RegExp): Promise<NamedFile> {
		const [download] = await Promise.all([
			this.page.waitForEvent("download"),
			this.page.getByRole("button", { name: button, exact: true }).click(),
		]);
		return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
	}

	/** Chooses files to import, in the dialog of files. */
	async choose(...files: NamedFile[]): Promise<void> {
		await this.page.getByRole("tab", { name: "Import" }).click();
		const given = files.map(({ name, text }) => ({ name, mimeType: "", buffer: Buffer.from(text) }));
		await this.page.locator("input[type=file]").setInputFiles(given);
	}

	/** The clipboard's contents after a key, as other programs see them. */
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

/** Yields the texts of rows that are indented by two spaces a level, with the keys before each. */
export function* writing(lines: readonly string[]): Generator<{ readonly keys: string[]; readonly text: string }> {
	let depth = 0;
	for (const [index, line] of lines.entries()) {
		const keys = index > 0 ? ["Enter"] : [];
		const wanted = /^ */.exec(line)![0].length / 2;
		for (; depth < wanted; depth++) keys.push("Tab");
		for (; depth > wanted; depth--) keys.push("Shift+Tab");
		yield { keys, text: line.trim() };
	}
}
