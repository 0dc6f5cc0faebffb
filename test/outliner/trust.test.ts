import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary.js";
import { App, Tab } from "./app.js";
import { violationsOfView } from "./looks.js";
import { limit } from "./room.js";

const app = new App();

/** Writes until there is no room left. Gives what was written, which no compression makes smaller. */
async function fill(tab: Tab): Promise<string> {
	let text = "";
	for (let round = 0; round < 40; round++) {
		const more = randomBytes(60_000).toString("hex");
		await tab.page.keyboard.insertText(more);
		text += more;
		await tab.page.waitForSelector(".save[data-state=saved], .save.failed");
		if ((await tab.page.locator(".save.failed").count()) > 0) return text;
	}
	throw new Error("There was room for everything.");
}

test("without room, what was typed stays, can be exported, and is saved when there is room again", async () => {
	const context = await app.profile();
	const setQuota = await limit(app, context);
	await setQuota(2_000_000);
	const tab = await app.open(context);
	const { page } = tab;
	await tab.type("first\n");
	await tab.saved();
	const text = await fill(tab);
	await page.getByText("Your last changes aren’t saved").waitFor();
	const shown = () => page.locator(".name").allInnerTexts();
	expect(await shown()).toEqual(["first", text]);

	// A command that fails changes nothing.
	await tab.press("Enter");
	await page.getByText("Nothing was changed: there is no room left").waitFor();
	expect(await shown()).toEqual(["first", text]);

	// The page asks before the user leaves.
	const asked = page.waitForEvent("dialog");
	void page.close({ runBeforeUnload: true });
	const dialog = await asked;
	expect(dialog.type()).toBe("beforeunload");
	await dialog.dismiss();

	expect(await violationsOfView(tab, "a text that can't be saved")).toEqual([]);
	// Unsaved changes are exported too.
	await page.getByRole("alert").getByRole("button", { name: "Export now" }).first().click();
	expect((await tab.downloaded("Export")).text).toContain(`"${text}"`);
	await tab.press("Escape");

	await setQuota();
	await page.getByRole("button", { name: "Try again", exact: true }).click();
	await tab.saved();
	await expect.poll(() => page.locator(".save-problem").count()).toBe(0);
	await tab.reload();
	expect(await shown()).toEqual(["first", text]);
	app.takeErrors();
});

test.each([
	[79, 0],
	[83, 1],
])("at %i percent of the room it warns the user %i times", async (percent, times) => {
	const context = await app.profile();
	// Newer releases of Chromium don't tell pages the real room: they always report 10 GiB as free.
	await context.addInitScript((usage) => {
		navigator.storage.estimate = async () => ({ usage, quota: 100 });
	}, percent);
	const tab = await app.open(context);
	await tab.type("a");
	await tab.saved();
	const warning = tab.page.getByText(`almost full: ${percent} %`);
	await expect.poll(() => warning.count()).toBe(times);
	if (times === 0) return;
	await tab.page.getByRole("button", { name: "Export" }).click();
	await tab.page.getByRole("heading", { name: "Import and export" }).waitFor();
});

test("asks the browser once to keep the outline, after some use, and only if the user agrees", async () => {
	const context = await app.profile();
	await context.addInitScript(() => {
		navigator.storage.persist = async () => {
			localStorage.setItem("asked-browser", "yes");
			return true;
		};
	});
	const tab = await app.open(context);
	const askedBrowser = () => tab.page.evaluate(() => localStorage.getItem("asked-browser"));
	const question = tab.page.getByText("Keep it for good?");
	await tab.type(Array.from({ length: 19 }, (_, index) => `node ${index}`).join("\n"));
	await tab.saved();
	expect(await question.count()).toBe(0);
	await tab.type("\nnode 19");
	await question.waitFor();
	expect(await askedBrowser()).toBeNull();
	// Without an answer, it asks again.
	await tab.page.reload();
	await question.waitFor();
	await tab.page.getByRole("button", { name: "Keep it" }).click();
	await tab.page.getByText("The browser keeps your outline until you delete it.").waitFor();
	expect(await askedBrowser()).toBe("yes");
	await tab.reload();
	await tab.type("\nmore");
	await tab.saved();
	expect(await question.count()).toBe(0);
});

test("doesn't ask again after a refusal", async () => {
	const tab = await app.open();
	await tab.type(Array.from({ length: 21 }, () => "x").join("\n"));
	await tab.page.getByText("Keep it for good?").waitFor();
	await tab.page.getByRole("button", { name: "Close" }).click();
	await tab.reload();
	await tab.type("\nmore");
	await tab.saved();
	expect(await tab.page.locator(".notice").count()).toBe(0);
});

test("letters typed behind a command that fails are in its message", async () => {
	const tab = await app.openWith("first");
	await tab.page.evaluate(() => {
		const { add } = IDBObjectStore.prototype;
		IDBObjectStore.prototype.add = function (...args) {
			const request = add.apply(this, args);
			this.transaction.abort();
			return request;
		};
	});
	await tab.pressAtOnce("Enter", ..."losd", "Backspace", "t");
	await expect.poll(() => tab.message()).toMatch(/ What you have typed since isn’t saved: “lost”\.$/);
	expect(await tab.rows()).toEqual(["first"]);
});

test("shows a message if the outline's database is deleted, and marks nothing as saved", async () => {
	const tab = await app.open();
	const { page } = tab;
	await tab.type("here");
	await tab.saved();
	await tab.deleteOutline();
	await tab.type("!");
	await page.locator(".save-problem", { hasText: "The browser can’t read the outline any more" }).waitFor();
	expect(await page.locator(".name").allInnerTexts()).toEqual(["here!"]);
	// The visible rows can still be exported and copied.
	await tab.press("Escape");
	expect((await tab.copied("Control+c"))["text/plain"]).toBe("- here!\n");
	await page.getByRole("button", { name: "Export what is on the page" }).click();
	expect((await tab.downloaded("Export")).text).toContain('"here!"');
	await page.getByText("The outline can’t be read. The file has only the rows that were on the page.").waitFor();
	await tab.press("Escape");
	page.on("dialog", (dialog) => void dialog.accept());
	await page.locator(".save-problem").getByRole("button", { name: "Reload" }).click();
	await expect.poll(() => page.locator(".name").allInnerTexts()).toEqual([""]);
	await tab.type("new");
	expect(await tab.rows()).toEqual(["new"]);
	app.takeErrors();
});

/**
 * Resolves when processes have ended, or after two seconds: some stay listed if their parent never collects
 * them.
 */
async function gone(processes: readonly number[]): Promise<void> {
	const isThere = (id: number) => {
		try {
			return process.kill(id, 0);
		} catch {
			return false;
		}
	};
	for (let turn = 0; turn < 40 && processes.some(isThere); turn++) {
		await pause(50);
	}
}

test("a browser that is killed in the middle of typing loses the last letter at most", async () => {
	const profile = temporaryFolder();
	const start = async () => {
		const context = await chromium.launchPersistentContext(profile, {
			executablePath: process.env.OUTLINE_QUICK_BROWSER!,
			args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
		});
		const page = context.pages()[0] ?? (await context.newPage());
		await page.goto(app.address);
		const tab = new Tab(page);
		await tab.ready();
		return { context, tab };
	};
	let written = "";
	for (const letters of ["abcdefgh", "ijklmnop", "qrstuvwx"]) {
		const { context, tab } = await start();
		const wide = await context.browser()!.newBrowserCDPSession();
		const { processInfo } = await wide.send("SystemInfo.getProcessInfo");
		const browser = processInfo.find(({ type }) => type === "browser")!.id;
		const [text] = await tab.rows();
		expect([written, written.slice(0, -1)]).toContain(text);
		await tab.press("End");
		for (const letter of letters.slice(0, -1)) {
			await tab.type(letter);
			await tab.saved();
		}
		await tab.type(letters.at(-1)!);
		const closed = new Promise((resolve) => context.once("close", resolve));
		process.kill(browser, "SIGKILL");
		await closed;
		// Child processes of the browser hold the profile's files a little longer.
		await gone(processInfo.map(({ id }) => id));
		written = text + letters;
	}
	const { context, tab } = await start();
	expect([written, written.slice(0, -1)]).toContain((await tab.rows())[0]);
	await context.close();
});

test("a save that is quick shows no sign, so that the header is calm while one types", async () => {
	const tab = await app.open();
	await tab.page.evaluate(() => {
		const states: string[] = [];
		Object.assign(globalThis, { states });
		const status = document.querySelector("header output")!;
		new MutationObserver(() => states.push(status.textContent!)).observe(status, {
			subtree: true,
			childList: true,
			characterData: true,
		});
	});
	await tab.type("x");
	await tab.saved();
	const states = await tab.page.evaluate(() => (globalThis as unknown as { states: string[] }).states);
	expect(states).toEqual([]);
	expect(await tab.page.locator("header output").innerText()).toBe("Saved");
});
