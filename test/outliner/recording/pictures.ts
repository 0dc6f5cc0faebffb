import { writeFileSync } from "node:fs";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import type { RunningServer } from "../../../cli/serve/server.js";
import { startFileServer } from "../../support/file-server.js";
import { sharedFolder } from "../../support/temporary.js";
import { App, type Tab } from "../app.js";
import { Film, type FilmedWindow } from "./film.js";

const app = new App();
app.losesRequests = true;
const images = new URL("../../../examples/outliner/images/", import.meta.url);
let server: RunningServer;

beforeAll(async () => {
	server = await startFileServer({ port: 0, directory: sharedFolder(), apiKey: "a-key" });
	app.address = `${server.address}/`;
});
afterAll(() => server.stop());

/** A window of a device that is connected with the server. */
async function device(options: BrowserContextOptions): Promise<Tab> {
	return app.open(await app.profile({ timezoneId: "UTC", ...options }), "#key=a-key");
}

test("film: two devices write, one of them offline, and meet again", async () => {
	const window = { bypassCSP: true, viewport: { width: 460, height: 380 }, deviceScaleFactor: 1.5 };
	const left = await device(window);
	await left.write("# Lake trip", "Pack", "  [] tent", "  [] stove", "Call Ann");
	const right = await device(window);
	await right.row("Pack").locator(".fold").click();
	// A caret that blinks would be in every frame.
	for (const { page } of [left, right]) await page.addStyleTag({ content: "* { caret-animation: manual }" });
	const laptop: FilmedWindow = { page: left.page, caption: "Laptop" };
	const phone: FilmedWindow = { page: right.page, caption: "Phone" };
	const film = await Film.of(app.browser, [laptop, phone]);

	/** Films for a while what changes by itself. */
	async function watch(milliseconds: number): Promise<void> {
		for (let passed = 0; passed < milliseconds; passed += 200) {
			await left.page.waitForTimeout(120);
			await film.take(200);
		}
	}
	/** Types at a calm pace. */
	async function type(tab: Tab, text: string): Promise<void> {
		for (const letters of text.match(/..?/g)!) {
			await tab.type(letters);
			await tab.saved();
			await film.take(160);
		}
		await watch(600);
	}
	async function press(tab: Tab, ...keys: string[]): Promise<void> {
		await tab.press(...keys);
		await watch(400);
	}

	await press(left, "ArrowUp", "End");
	await press(left, "Enter");
	await type(left, "rain coats");
	await watch(1000);

	await right.page.context().setOffline(true);
	phone.caption = "Phone, without a network";
	await right.row("tent").click();
	await press(right, "Control+Enter");
	await press(right, "ArrowDown", "End");
	await type(right, " and gas");
	await press(left, "ArrowDown", "End");
	await type(left, ", before Friday");
	await press(left, "Enter");
	await type(left, "Buy a map");
	await watch(1200);

	await right.page.context().setOffline(false);
	phone.caption = "Phone, back again";
	for (const tab of [left, right]) {
		await tab.page.waitForFunction(() => document.querySelector(`.sync.sent[data-pending="0"]`) !== null);
	}
	await watch(4000);
	writeFileSync(new URL("devices.webp", images), film.toWebp());
});
