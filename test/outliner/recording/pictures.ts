import { writeFileSync } from "node:fs";
import type { BrowserContextOptions } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunningServer } from "../../../adapters/cli/serve/server.js";
import { startFileServer } from "../../support/file-server.js";
import { temporaryFolder } from "../../support/temporary.js";
import { App, type Tab } from "../app.js";
import { Film, type FilmedWindow } from "./film.js";

const app = new App();
app.losesRequests = true;
const images = new URL("../../../examples/outliner/images/", import.meta.url);
const docs = new URL("../../../docs/images/", import.meta.url);
let server: RunningServer;

beforeEach(async () => {
	server = await startFileServer({ port: 0, directory: temporaryFolder(), apiKey: "a-key" });
	app.address = `${server.address}/`;
});
afterEach(() => server.stop());

/** A window of a device that is connected with the server. */
async function device(options: BrowserContextOptions): Promise<Tab> {
	return app.open(await app.profile({ timezoneId: "UTC", ...options }), "#key=a-key");
}

/** Waits until the server has everything. */
async function synced(...tabs: Tab[]): Promise<void> {
	for (const { page } of tabs) await page.waitForSelector('.sync.sent[data-pending="0"]');
}

/** Writes a trip, with a row of almost every kind, and goes there. */
async function writeTrip(tab: Tab): Promise<void> {
	await tab.type("Trip to Lisbon\n");
	await tab.press("Tab");
	await tab.type("Before we leave\n");
	await tab.press("Tab");
	await tab.type("[] book the **night train** by [2026-11-27] #tickets\nrenew passports");
	await tab.press("Control+Enter", "Enter");
	await tab.type("ask @Ana about the flat, see [her mail](https://example.org/mail) ");
	await tab.press("Shift+Enter");
	await tab.type("She is away until Tuesday. The neighbours have a key.");
	await tab.press("Escape", "Enter", "Backspace", "Shift+Tab");
	await tab.type("> The journey is the reward\n``` tram 28: Martim Moniz -> Estrela\ntram 12: Praça da Figueira\n\n");
	await tab.type("## This week\n");
	await tab.press("Tab");
	await tab.type("((renew");
	await expect.poll(() => tab.choices()).toEqual(["› renew passports"]);
	await tab.press("Enter");
	await expect.poll(() => tab.page.locator(".row.mirror").count()).toBe(1);
	await tab.press("Enter");
	await tab.type("[] call the *bank* about the `IBAN` of the flat #money");
	await tab.press("Control+Home", "Alt+Shift+a", "Control+f");
	await tab.type("#tickets is:todo");
	await tab.page.locator(".filter").getByText("Save").click();
	await tab.type("Open tickets");
	await tab.press("Enter");
	await expect.poll(() => tab.dialog()).toBe(null);
	await tab.press("Escape");
	await tab.row("Trip to Lisbon").locator(".bullet").click();
	await tab.page.waitForSelector(".title");
	await expect.poll(() => tab.page.locator(".notice").count(), { timeout: 20_000 }).toBe(0);
	await synced(tab);
}

test("stills: a trip in light and dark, and on a phone", async () => {
	const tab = await device({ viewport: { width: 1240, height: 740 }, deviceScaleFactor: 1.5 });
	await writeTrip(tab);
	await tab.page.evaluate(() => (document.activeElement as HTMLElement).blur());
	const light = await tab.page.screenshot({ path: new URL("light.png", images).pathname });
	writeFileSync(new URL("outliner.png", docs), light);
	await tab.page.emulateMedia({ colorScheme: "dark" });
	await tab.page.screenshot({ path: new URL("dark.png", images).pathname });

	const phone = await device({
		viewport: { width: 390, height: 760 },
		deviceScaleFactor: 2,
		hasTouch: true,
		isMobile: true,
	});
	await phone.row("Trip to Lisbon").locator(".bullet").click();
	for (const name of ["Before we leave", "This week"]) await phone.row(name).locator(".fold").click();
	await expect.poll(() => phone.page.locator(".row").count()).toBe(9);
	await synced(phone);
	await phone.page.screenshot({ path: new URL("phone.png", images).pathname });
});

test("film: two devices write, one of them offline, and meet again", async () => {
	const window = { bypassCSP: true, viewport: { width: 460, height: 380 }, deviceScaleFactor: 1.5 };
	const left = await device(window);
	await left.write("# Lake trip", "Pack", "  [] tent", "  [] stove", "Call Ann");
	const right = await device(window);
	await right.row("Pack").locator(".fold").click();
	await right.page.mouse.move(400, 360);
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
	await right.page.mouse.move(400, 360);
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
	await synced(left, right);
	await watch(4000);
	writeFileSync(new URL("devices.webp", docs), film.toWebp());
});
