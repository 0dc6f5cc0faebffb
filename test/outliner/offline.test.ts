import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();
const newer = await mkdtemp(join(tmpdir(), "outliner-"));
afterAll(() => rm(newer, { recursive: true }));

/** Waits until the outliner itself is kept in the browser. */
async function kept({ page }: Tab): Promise<void> {
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Builds a newer version, whose title says so. */
async function buildNewer(): Promise<void> {
	await build({
		configFile: fileURLToPath(new URL("../../examples/outliner/vite.config.ts", import.meta.url)),
		logLevel: "warn",
		build: { outDir: newer, emptyOutDir: true },
		plugins: [{ name: "newer", transformIndexHtml: (html) => html.replace("<title>", "<title>Newer ") }],
	});
}

test("after the first visit it opens, and keeps what is written, without a server", async () => {
	const context = await app.profile();
	const tab = await app.open(context);
	await tab.type("before");
	await kept(tab);
	app.reachable = false;
	await context.setOffline(true);
	await tab.page.reload();
	await tab.ready();
	expect(await tab.rows()).toEqual(["before"]);
	await tab.type(", and behind\nanother");
	expect(await tab.rows()).toEqual(["before, and behind", "another"]);
	const second = await app.open(context);
	await expect.poll(() => second.rows()).toEqual(["before, and behind", "another"]);
	// What isn't part of the outliner isn't answered for.
	expect(await second.page.evaluate(() => fetch("/api/v1/nodes").catch(() => "unreachable"))).toBe("unreachable");
	expect(app.takeErrors().filter((error) => !error.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});

test("every file of the outliner is there offline, each as it was built", async () => {
	const tab = await app.open();
	await kept(tab);
	const paths = await tab.page.evaluate(async () => {
		const [name] = await caches.keys();
		return (await (await caches.open(name!)).keys()).map(({ url }) => new URL(url).pathname);
	});
	expect(paths).toEqual(expect.arrayContaining(["/", "/icon-192.png", "/icon.svg", "/manifest.webmanifest"]));
	expect(paths.filter((path) => path.endsWith(".map") || path.includes("service-worker"))).toEqual([]);
	expect(paths.filter((path) => /^\/assets\/.*\.js$/.test(path)).length).toBeGreaterThan(1);
});

test("a new version waits until it is wanted, and then loses nothing", async () => {
	const context = await app.profile();
	const tab = await app.open(context);
	await kept(tab);
	const other = await app.open(context);
	await buildNewer();
	await app.serve(newer);
	await tab.page.reload();
	await tab.ready();
	await tab.page.getByText("A new version is ready.").waitFor();
	expect(await tab.page.title()).toBe("Outline");
	await tab.page.locator(".name").first().click();
	await tab.type("kept");
	await tab.page.getByRole("button", { name: "Reload" }).click();
	await tab.page.waitForFunction(() => document.title === "Newer Outline");
	await tab.ready();
	expect(await tab.rows()).toEqual(["kept"]);
	expect(await tab.page.evaluate(() => caches.keys())).toHaveLength(1);
	// The other tab goes on as it is, and is told.
	expect(await other.page.title()).toBe("Outline");
	expect(await other.rows()).toEqual(["kept"]);
	await other.page.getByRole("button", { name: "Reload" }).click();
	await other.page.waitForFunction(() => document.title === "Newer Outline");
	await other.ready();
	expect(await other.rows()).toEqual(["kept"]);
});

test("it can be installed", async () => {
	const { page } = await app.open();
	const session = await page.context().newCDPSession(page);
	const { errors } = await session.send("Page.getAppManifest");
	expect(errors).toEqual([]);
	const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
	// Its profiles are those of private windows.
	expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
});
