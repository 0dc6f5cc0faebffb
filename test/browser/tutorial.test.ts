import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { createServer, type Plugin } from "vite";
import { expect, test } from "vitest";
import { createNodeListener } from "../../adapters/http/index.js";
import { createMemoryStorage } from "../../adapters/memory.js";
import { Outline } from "../../src/outline.js";
import { short } from "../setup/soak.js";
import { sharedFolder } from "../support/temporary.js";
import { TestBrowser } from "./browser.js";

const root = fileURLToPath(new URL("../../examples/tutorial", import.meta.url));
const browser = new TestBrowser(new URL("./outline-page.ts", import.meta.url));
const cacheDir = sharedFolder();

/** Serves the outliner as a reader of the tutorial does, with some plugins. */
async function served(plugins: Plugin[], api = "http://127.0.0.1:9") {
	const server = await createServer({
		root,
		cacheDir,
		configFile: false,
		logLevel: "warn",
		plugins,
		server: { host: "127.0.0.1", port: 0, proxy: { "/api": api } },
	});
	await server.listen();
	return { address: server.resolvedUrls!.local[0]!, close: () => server.close() };
}

/** The texts of the lines, indented by depth. */
const written = (page: Page) =>
	page
		.locator("li")
		.evaluateAll((lines) =>
			lines.map(
				(line) =>
					" ".repeat(Number((line as HTMLElement).style.getPropertyValue("--depth"))) +
					line.querySelector<HTMLInputElement>("[type=text]")!.value,
			),
		);

/** Waits until the page has read its outline: a click before does nothing. */
const isReady = (page: Page) => page.waitForFunction("document.querySelector('#new').onclick !== null");

/** The type and the text of the field that has the focus. */
const focused = (page: Page) => page.evaluate("document.activeElement.type + ' ' + document.activeElement.value");

/** Opens the outliner and makes its first line, which has the focus. Closes both after `work`. */
async function onPage(work: (page: Page) => Promise<void>, plugins: Plugin[] = []): Promise<void> {
	const server = await served(plugins);
	const { page } = await browser.open();
	try {
		await page.goto(server.address);
		await isReady(page);
		await page.getByText("New line").click();
		await expect.poll(() => focused(page)).toBe("text ");
		await work(page);
	} finally {
		await page.goto("about:blank");
		await server.close();
	}
}

test("the outliner of the tutorial takes the keys of an outliner and keeps what one writes", async () => {
	await onPage(async (page) => {
		await page.keyboard.type("Trip");
		await page.keyboard.press("Enter");
		await expect.poll(() => page.locator("[type=text]").count()).toBe(2);
		await expect.poll(() => focused(page)).toBe("text ");
		await page.keyboard.type("ferry");
		await page.keyboard.press("Tab");
		await expect.poll(() => written(page)).toEqual(["Trip", " ferry"]);
		await page.getByRole("checkbox").nth(1).click();
		await expect.poll(() => page.locator("li.completed").count()).toBe(1);
		await page.reload();
		await page.getByText("▸").click();
		await expect.poll(() => written(page)).toEqual(["Trip", " ferry"]);
		expect(await page.locator("li.completed").count()).toBe(1);
		await page.locator("[type=text]").nth(1).click();
		await page.keyboard.press("Shift+Tab");
		await expect.poll(() => written(page)).toEqual(["Trip", "ferry"]);
		await page.reload();
		await page.locator("[type=text]").nth(1).click();
		await page.keyboard.press("Control+z");
		await expect.poll(() => written(page)).toEqual(["Trip"]);
		await page.getByText("▸").click();
		await expect.poll(() => written(page)).toEqual(["Trip", " ferry"]);
		expect(browser.errors).toEqual([]);
	});
});

test.runIf(!short)("undo and redo go on after the row with the focus is gone, and after a reload", async () => {
	await onPage(async (page) => {
		await page.keyboard.type("a");
		await page.keyboard.press("Enter");
		await expect.poll(() => focused(page)).toBe("text ");
		await page.keyboard.type("b");
		await expect.poll(() => focused(page)).toBe("text b");
		await page.keyboard.press("Control+z");
		await expect.poll(() => written(page)).toEqual(["a", ""]);
		await page.keyboard.press("Control+z");
		await expect.poll(() => written(page)).toEqual(["a"]);
		expect(await focused(page)).toBe("text a");
		await page.keyboard.press("Control+z");
		await expect.poll(() => written(page)).toEqual([""]);
		await page.keyboard.press("Control+z");
		await expect.poll(() => written(page)).toEqual([]);
		for (const lines of [[""], ["a"], ["a", ""], ["a", "b"]]) {
			await page.keyboard.press("Control+Shift+z");
			await expect.poll(() => written(page)).toEqual(lines);
		}
		await page.reload();
		await expect.poll(() => written(page)).toEqual(["a", "b"]);
		await page.keyboard.press("Control+z");
		await expect.poll(() => written(page)).toEqual(["a", ""]);
		expect(browser.errors).toEqual([]);
	});
});

test.runIf(!short)("it says that a text wasn't stored, and shows the stored one again", async () => {
	const refusing: Plugin = {
		name: "refuses",
		enforce: "pre",
		transform: (code, id) =>
			id.endsWith("/local.ts")
				? code.replace(
						"history: {",
						'validate(commit) { if (JSON.stringify(commit).includes("wrong")) throw Error("No."); }, $&',
					)
				: undefined,
	};
	const said: string[] = [];
	await onPage(
		async (page) => {
			page.on("dialog", (dialog) => {
				said.push(dialog.message());
				void dialog.accept();
			});
			await page.keyboard.type("yes");
			await page.locator("[type=text]").fill("wrong");
			await expect.poll(() => said).toEqual(["Not stored: No."]);
			await expect.poll(() => written(page)).toEqual(["yes"]);
		},
		[refusing],
	);
	browser.errors.length = 0;
});

test("with a replica it writes to the server, shows what the server gets, and adds nothing of its own", async () => {
	const outline = new Outline({ storage: createMemoryStorage() });
	await outline.create({ name: "from the server" });
	const api = createHttpServer(createNodeListener({ authenticate: (key) => (key === "secret" ? outline : null) }));
	await new Promise<void>((done) => void api.listen(0, "127.0.0.1", done));
	const synced: Plugin = {
		name: "step 4",
		enforce: "pre",
		resolveId: (id) => (id === "./local.js" ? `${root}/synced.ts` : undefined),
	};
	const server = await served([synced], `http://127.0.0.1:${(api.address() as AddressInfo).port}`);
	const { page } = await browser.open();
	try {
		await page.goto(server.address);
		await expect.poll(() => written(page)).toEqual(["from the server"]);
		await page.locator("[type=text]").first().fill("from the page");
		const names = async () => (await outline.list()).nodes.map(({ name }) => name);
		await expect.poll(names).toEqual(["from the page"]);
		await expect.poll(() => page.locator("#status").textContent()).toMatch(/0 to send$/);
		await outline.create({ name: "later" });
		await expect.poll(() => written(page)).toEqual(["later", "from the page"]);
		await page.getByText("New line").click();
		await expect.poll(() => focused(page)).toBe("text ");
		await page.keyboard.type("new");
		await expect.poll(names).toEqual(["later", "from the page", "new"]);
		// Another device changes the line that has the focus.
		await outline.update((await outline.list()).nodes[2]!.id, { name: "new line" });
		await expect.poll(() => written(page)).toEqual(["later", "from the page", "new line"]);
		await page.keyboard.type("!");
		await expect.poll(names).toEqual(["later", "from the page", "new line!"]);
		expect(browser.errors).toEqual([]);
	} finally {
		await page.goto("about:blank");
		await server.close();
		api.closeAllConnections();
		api.close();
	}
});
