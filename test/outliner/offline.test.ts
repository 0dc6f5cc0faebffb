import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { beforeAll, expect, test } from "vitest";
import { sharedFolder, temporaryFolder } from "../support/temporary.js";
import { App, type Tab } from "./app.js";

const app = new App();
const current = fileURLToPath(new URL("../../examples/outliner/dist", import.meta.url));
const newer = sharedFolder();

/** Waits until the browser has stored the outliner itself. */
async function kept({ page }: Tab): Promise<void> {
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

// A newer version, whose title says so.
beforeAll(async () => {
	await build({
		configFile: fileURLToPath(new URL("../../examples/outliner/vite.config.ts", import.meta.url)),
		logLevel: "warn",
		build: { outDir: newer, emptyOutDir: true },
		plugins: [{ name: "newer", transformIndexHtml: (html) => html.replace("<title>", "<title>Newer ") }],
	});
});

test("after the first visit it opens, and keeps what is written, without a server", async () => {
	const context = await app.profile({ serviceWorkers: "allow" });
	const tab = await app.open(context);
	await tab.write("before");
	await kept(tab);
	app.reachable = false;
	await context.setOffline(true);
	await tab.reload();
	expect(await tab.rows()).toEqual(["before"]);
	await tab.type(", and behind\nanother");
	expect(await tab.rows()).toEqual(["before, and behind", "another"]);
	const second = await app.open(context);
	await expect.poll(() => second.rows()).toEqual(["before, and behind", "another"]);
	// The service worker doesn't answer for other files.
	expect(await second.page.evaluate(() => fetch("/api/v1/nodes").catch(() => "unreachable"))).toBe("unreachable");
	expect(app.takeErrors().filter((error) => !error.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});

test("every file of the outliner is there offline, each as it was built", async () => {
	const tab = await app.open(await app.profile({ serviceWorkers: "allow" }));
	await kept(tab);
	const paths = await tab.page.evaluate(async () => {
		const [name] = await caches.keys();
		return (await (await caches.open(name!)).keys()).map(({ url }) => new URL(url).pathname);
	});
	expect(paths).toEqual(expect.arrayContaining(["/", "/icon-192.png", "/icon.svg", "/manifest.webmanifest"]));
	expect(paths.filter((path) => path.endsWith(".map") || path.includes("service-worker"))).toEqual([]);
	expect(paths.filter((path) => /^\/assets\/.*\.js$/.test(path)).length).toBe(1);
});

test("a new version waits until it is wanted, and then loses nothing", async () => {
	await app.serve(current);
	const context = await app.profile({ serviceWorkers: "allow" });
	const tab = await app.open(context);
	await kept(tab);
	const other = await app.open(context);
	await app.serve(newer);
	await tab.reload();
	await tab.page.getByText("A new version is ready.").waitFor();
	expect(await tab.page.title()).toBe("Outline");
	await tab.page.locator(".name").first().click();
	await tab.type("kept");
	await tab.page.getByRole("button", { name: "Reload" }).click();
	await tab.page.waitForFunction(() => document.title === "Newer Outline");
	await tab.ready();
	expect(await tab.rows()).toEqual(["kept"]);
	expect(await tab.page.evaluate(() => caches.keys())).toHaveLength(1);
	// The other tab goes on as it is, and shows a message.
	expect(await other.page.title()).toBe("Outline");
	expect(await other.rows()).toEqual(["kept"]);
	await other.page.getByRole("button", { name: "Reload" }).click();
	await other.page.waitForFunction(() => document.title === "Newer Outline");
	await other.ready();
	expect(await other.rows()).toEqual(["kept"]);
});

test("a version that comes while the outliner is closed starts without a network, with all that was written", async () => {
	await app.serve(current);
	const context = await app.profile({ serviceWorkers: "allow" });
	const first = await app.open(context);
	await kept(first);
	await first.write("written before");
	await first.page.close();
	try {
		await app.serve(newer);
		const second = await app.open(context);
		await second.page.getByText("A new version is ready.").waitFor();
		expect(await second.page.title()).toBe("Outline");
		await second.page.close();
		app.reachable = false;
		const opened = async () => {
			const tab = await app.open(context);
			const versions = await tab.page.evaluate(() => caches.keys());
			const shown = [await tab.page.title(), await tab.rows(), versions.length];
			await tab.page.close();
			return shown;
		};
		// The browser goes over to the new version some time after the last tab of the old one is closed.
		await expect.poll(opened).toEqual(["Newer Outline", ["written before"], 1]);
	} finally {
		await app.serve(current);
	}
	app.takeErrors();
});

test("a version that can't open the outline gives way to a new one", async () => {
	await app.serve(current);
	const context = await app.profile({ serviceWorkers: "allow" });
	const tab = await app.open(context);
	await kept(tab);
	// As a release with a newer storage leaves it.
	await tab.page.evaluate(
		() =>
			new Promise<void>((resolve) => {
				const opening = indexedDB.open("outlinekit:outliner", 1000);
				opening.onsuccess = () => {
					opening.result.close();
					resolve();
				};
			}),
	);
	await tab.page.reload();
	await tab.page.getByText("A newer release of outlinekit has written it").waitFor();
	expect(await tab.page.title()).toBe("Outline");
	try {
		await app.serve(newer);
		await tab.page.reload();
		await tab.page.waitForFunction(() => document.title === "Newer Outline");
		await tab.page.getByText("A newer release of outlinekit has written it").waitFor();
	} finally {
		await app.serve(current);
	}
	app.takeErrors();
});

test("keeps no file of a version whose files don't match", async () => {
	const mixed = temporaryFolder();
	try {
		await cp(newer, mixed, { recursive: true });
		await writeFile(join(mixed, "index.html"), "<!doctype html><title>Of another version</title>");
		await app.serve(current);
		const tab = await app.open(await app.profile({ serviceWorkers: "allow" }));
		await kept(tab);
		await app.serve(mixed);
		const state = await tab.page.evaluate(async () => {
			const registration = (await navigator.serviceWorker.getRegistration())!;
			const found = new Promise((resolve) => registration.addEventListener("updatefound", resolve, { once: true }));
			await registration.update().catch(() => {});
			await found;
			const worker = registration.installing;
			while (worker !== null && worker.state === "installing") {
				await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
			}
			return worker?.state ?? "redundant";
		});
		expect(state).toBe("redundant");
		app.reachable = false;
		await tab.reload();
		expect(await tab.page.title()).toBe("Outline");
	} finally {
		await app.serve(current);
	}
	app.takeErrors();
});

test("it can be installed", async () => {
	const { page } = await app.open(await app.profile({ serviceWorkers: "allow" }));
	const session = await page.context().newCDPSession(page);
	const { errors } = await session.send("Page.getAppManifest");
	expect(errors).toEqual([]);
	const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
	// Its profiles are private windows.
	expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
});
