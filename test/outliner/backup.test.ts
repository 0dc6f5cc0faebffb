import type { BrowserContext } from "playwright-core";
import { expect, test } from "vitest";
import { backupName, superfluous } from "../../examples/outliner/src/backup/thinning.js";
import { App, type Tab } from "./app.js";

const app = new App();
const day = 86_400_000;
/** Noon, so that the date is the same in each time zone of Europe and America. */
const start = Date.UTC(2026, 10, 24, 12);

/** The parts of the page that the tests replace. */
interface Stubs {
	/** The error of each attempt to write, by its name. */
	failure?: string;
	permission?: PermissionState;
	/** Whether writing waits until this is false again. */
	waits?: boolean;
	/** The number of questions to the person. */
	asked?: number;
}

/**
 * A profile in which the person chooses a folder: one of the browser's own file system, with a permission
 * that the test sets.
 */
async function profile(): Promise<BrowserContext> {
	const context = await app.profile();
	await context.addInitScript(() => {
		const stubs = (): Stubs => JSON.parse(localStorage.getItem("stubs") ?? "{}");
		const set = (change: Stubs) => localStorage.setItem("stubs", JSON.stringify({ ...stubs(), ...change }));
		const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("Backups", { create: true });
		Object.assign(globalThis, { showDirectoryPicker: folder, setStubs: set });
		Object.assign(FileSystemHandle.prototype, {
			queryPermission: async () => stubs().permission ?? "granted",
			requestPermission: async () => {
				if (!navigator.userActivation.isActive) throw new DOMException("No click", "SecurityError");
				set({ permission: "granted", asked: (stubs().asked ?? 0) + 1 });
				return "granted";
			},
		});
		const { write } = FileSystemWritableFileStream.prototype;
		FileSystemWritableFileStream.prototype.write = async function (data) {
			while (stubs().waits) await new Promise((resolve) => setTimeout(resolve, 20));
			const { failure } = stubs();
			if (failure !== undefined) throw new DOMException("Stubbed", failure);
			return write.call(this, data);
		};
	});
	return context;
}

async function setStubs({ page }: Tab, change: Stubs): Promise<void> {
	await page.evaluate((next) => (globalThis as unknown as { setStubs(stubs: Stubs): void }).setStubs(next), change);
}

async function openAt(context: BrowserContext, time: number): Promise<Tab> {
	await context.clock.setSystemTime(time);
	const tab = await app.open(context);
	// A text written before that is no change since the outline first opened.
	await expect.poll(() => isFirstNoted(tab)).toBe(true);
	return tab;
}

/** Whether the page has stored when the outline first opened. */
function isFirstNoted({ page }: Tab): Promise<boolean> {
	return page.evaluate(async () => {
		const name = "outliner-backup";
		if (!(await indexedDB.databases()).some((database) => database.name === name)) return false;
		const database = await new Promise<IDBDatabase>((resolve, reject) => {
			const request = indexedDB.open(name);
			request.onsuccess = () => resolve(request.result);
			request.onerror = () => reject(request.error);
		});
		const reading = database.transaction("records").objectStore("records").getKey("first");
		return new Promise<boolean>((resolve) => {
			reading.onsuccess = () => {
				database.close();
				resolve(reading.result !== undefined);
			};
		});
	});
}

async function reloadAt(tab: Tab, time: number): Promise<void> {
	await tab.page.clock.setSystemTime(time);
	await tab.reload();
}

/** The files in the folder, with their texts. */
async function files({ page }: Tab): Promise<Record<string, string>> {
	return page.evaluate(async () => {
		const root = await navigator.storage.getDirectory();
		const found: Record<string, string> = {};
		const folder = await root.getDirectoryHandle("Backups", { create: true });
		const entries = (folder as unknown as { values(): AsyncIterable<FileSystemFileHandle> }).values();
		for await (const file of entries) found[file.name] = await (await file.getFile()).text();
		return found;
	});
}

async function fileNames(tab: Tab): Promise<string[]> {
	return Object.keys(await files(tab)).sort();
}

/** Opens the backups by their command. */
async function openBackups(tab: Tab): Promise<void> {
	await tab.command("backup");
	await tab.page.getByRole("tab", { name: "Backup", selected: true }).waitFor();
}

async function chooseFolder(tab: Tab): Promise<void> {
	await openBackups(tab);
	await tab.page.getByRole("button", { name: "Choose a folder…" }).click();
	await tab.page.getByText("Last backup:").waitFor();
	await tab.press("Escape");
}

const isDue = ({ page }: Tab) => page.evaluate(() => document.documentElement.dataset.backup === "due");

test("keeps 7 days, 4 weeks and 12 months, and nothing that isn't a backup", () => {
	const dateOf = (days: number) => new Date(start - days * day).toISOString().slice(0, 10);
	const names = Array.from({ length: 800 }, (_, days) => backupName(dateOf(days)));
	const going = new Set(superfluous([...names, "notes.json", "outline-2026-11.json"]));
	expect(going.has("notes.json")).toBe(false);
	expect(names.filter((name) => !going.has(name))).toEqual([
		...Array.from({ length: 7 }, (_, days) => backupName(dateOf(days))),
		// The Sundays, and then the last days of the months.
		"outline-2026-11-15.json",
		"outline-2026-11-08.json",
		"outline-2026-10-31.json",
		"outline-2026-09-30.json",
		"outline-2026-08-31.json",
		"outline-2026-07-31.json",
		"outline-2026-06-30.json",
		"outline-2026-05-31.json",
		"outline-2026-04-30.json",
		"outline-2026-03-31.json",
		"outline-2026-02-28.json",
		"outline-2026-01-31.json",
		"outline-2025-12-31.json",
	]);
	// Thinning each day leaves as much as thinning once.
	let kept: string[] = [];
	for (const name of names.toReversed()) {
		const now = [...kept, name];
		const gone = new Set(superfluous(now));
		kept = now.filter((each) => !gone.has(each));
	}
	expect(kept.toReversed()).toEqual(names.filter((name) => !going.has(name)));
	// Of a day with several, the newest. A date far ahead takes no more than one place of each kind.
	expect(superfluous([backupName("2026-11-24", 2), backupName("2026-11-24", 10), backupName("2026-11-24")])).toEqual([
		"outline-2026-11-24-2.json",
		"outline-2026-11-24.json",
	]);
	const week = names.slice(0, 7);
	expect(superfluous([...week, "outline-2099-01-01.json"])).toEqual(["outline-2026-11-18.json"]);
});

test("writes a file once a day if something has changed, and says when, where and how large", async () => {
	const context = await profile();
	const tab = await openAt(context, start);
	await tab.write("one");
	await openBackups(tab);
	await tab.page.getByText("There is no backup yet.").waitFor();
	expect(await tab.violations()).toEqual([]);
	await tab.press("Escape");
	await chooseFolder(tab);
	expect(await fileNames(tab)).toEqual(["outline-2026-11-24.json"]);
	await tab.write("!");
	await reloadAt(tab, start + day / 8);
	expect(await isDue(tab)).toBe(false);
	expect(await fileNames(tab)).toEqual(["outline-2026-11-24.json"]);

	await reloadAt(tab, start + day);
	await expect.poll(() => fileNames(tab)).toEqual(["outline-2026-11-24.json", "outline-2026-11-25.json"]);
	// No change, no file.
	await reloadAt(tab, start + 2 * day);
	await openBackups(tab);
	await tab.page
		.getByText(/^Last backup: .*“outline-2026-11-25.json” in the folder “Backups”, \d{3} bytes with 1 node\.$/)
		.waitFor();
	expect(await tab.violations()).toEqual([]);
	await tab.press("Escape");
	expect(await fileNames(tab)).toHaveLength(2);

	// The file can be imported.
	const text = (await files(tab))["outline-2026-11-25.json"]!;
	expect(text).toContain('"one!"');
	const other = await app.open();
	await other.press("Control+s");
	await other.choose({ name: "outline-2026-11-25.json", text });
	await other.page.getByText("1 node imported").waitFor();
	await other.press("Escape");
	expect(await other.rows()).toEqual(["one!"]);
});

test("makes a backup while the page stays open", async () => {
	const context = await profile();
	const tab = await app.open(context);
	await tab.page.clock.install({ time: start });
	await tab.reload();
	await tab.write("one");
	await chooseFolder(tab);
	await tab.write("!");
	await tab.page.clock.fastForward(day / 24);
	expect(await fileNames(tab)).toHaveLength(1);
	await tab.page.clock.fastForward(day);
	await expect.poll(() => fileNames(tab)).toEqual(["outline-2026-11-24.json", "outline-2026-11-25.json"]);
});

test("of two tabs, one makes it; both then show it", async () => {
	const context = await profile();
	const first = await openAt(context, start);
	await first.write("one");
	await chooseFolder(first);
	await first.write("!");
	const second = await app.open(context);
	await setStubs(first, { waits: true });
	await Promise.all([reloadAt(first, start + day), reloadAt(second, start + day)]);
	const locks = () =>
		first.page.evaluate(async () => {
			const { held, pending } = await navigator.locks.query();
			return [held, pending].map((each) => each!.filter(({ name }) => name === "outliner-backup").length);
		});
	// One tab writes, and the other one waits for it.
	await expect.poll(locks).toEqual([1, 1]);
	await setStubs(first, { waits: false });
	for (const tab of [first, second]) {
		await openBackups(tab);
		await tab.page.getByText("“outline-2026-11-25.json” in the folder").waitFor();
	}
	expect(await fileNames(first)).toEqual(["outline-2026-11-24.json", "outline-2026-11-25.json"]);
});

test("never replaces a file that is there, also if the clock jumps, and removes only its own", async () => {
	const context = await profile();
	const tab = await openAt(context, start);
	await tab.page.evaluate(async () => {
		const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("Backups", { create: true });
		for (const name of ["outline-2026-11-24.json", "outline-2020-01-01.json", "notes.txt"]) {
			const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
			await stream.write("mine");
			await stream.close();
		}
	});
	await tab.write("one");
	await chooseFolder(tab);
	await tab.write("!");
	// The clock is a year ahead, and then right again. Each of many days has a backup.
	await reloadAt(tab, start + 365 * day);
	await expect.poll(() => fileNames(tab)).toContain("outline-2027-11-24.json");
	const written: string[] = [];
	for (let days = 1; days <= 12; days++) {
		await tab.page.locator(".row .name").click();
		await tab.press("End");
		await tab.type("!");
		await tab.saved();
		await reloadAt(tab, start + days * day);
		const name = backupName(new Date(start + days * day).toISOString().slice(0, 10));
		await expect.poll(() => fileNames(tab)).toContain(name);
		written.push(name);
	}
	const kept = await files(tab);
	expect([kept["outline-2026-11-24.json"], kept["outline-2020-01-01.json"], kept["notes.txt"]]).toEqual([
		"mine",
		"mine",
		"mine",
	]);
	const own = ["outline-2026-11-24-2.json", ...written, "outline-2027-11-24.json"];
	const gone = superfluous(own);
	expect(gone.length).toBeGreaterThan(3);
	const expected = [
		...own.filter((name) => !gone.includes(name)),
		...Object.keys(kept).filter((name) => kept[name] === "mine"),
	];
	await expect.poll(() => fileNames(tab)).toEqual(expected.sort());
});

test("if the permission has lapsed, asks once a day, and one click allows it", async () => {
	const context = await profile();
	const tab = await openAt(context, start);
	await tab.write("one");
	await chooseFolder(tab);
	await tab.write("!");
	await setStubs(tab, { permission: "prompt" });
	const notice = tab.page.getByText("The backups in the folder “Backups” wait until you allow them again.");
	await reloadAt(tab, start + day);
	await notice.waitFor();
	await expect.poll(() => isDue(tab)).toBe(true);
	// Writing goes on meanwhile.
	expect(await tab.dialog()).toBeNull();
	await reloadAt(tab, start + day);
	await openBackups(tab);
	await tab.page.getByText("The browser asks you again").waitFor();
	expect(await tab.violations()).toEqual([]);
	await tab.press("Escape");
	expect(await notice.count()).toBe(0);
	await reloadAt(tab, start + 2 * day);
	await tab.page.getByRole("button", { name: "Allow" }).click();
	await expect.poll(() => fileNames(tab)).toEqual(["outline-2026-11-24.json", "outline-2026-11-26.json"]);
	await expect.poll(() => isDue(tab)).toBe(false);
	expect(await notice.count()).toBe(0);
	expect(await tab.page.evaluate(() => JSON.parse(localStorage.getItem("stubs")!).asked)).toBe(1);
});

test("says if the folder is full or gone, once a day, and leaves no half of a file", async () => {
	const context = await profile();
	const tab = await openAt(context, start);
	await tab.write("one");
	await chooseFolder(tab);
	await tab.write("!");
	await setStubs(tab, { failure: "QuotaExceededError" });
	const full = "There is no room left for a backup in the folder “Backups”.";
	await reloadAt(tab, start + day);
	await tab.page.getByText(`${full} There is no backup of today.`).waitFor();
	expect(await fileNames(tab)).toEqual(["outline-2026-11-24.json"]);
	await reloadAt(tab, start + day);
	await openBackups(tab);
	await tab.page.getByRole("alert").getByText(full).waitFor();
	expect(await tab.violations()).toEqual([]);
	expect(await tab.page.locator(".notice").count()).toBe(0);
	// There is room again.
	await tab.page.evaluate(() => localStorage.removeItem("stubs"));
	await tab.page.getByRole("button", { name: "Back up now" }).click();
	await tab.page.getByText("“outline-2026-11-25.json” in the folder").waitFor();
	expect(await tab.page.getByText(full).count()).toBe(0);
	await tab.press("Escape");

	await tab.page.evaluate(async () => {
		await (await navigator.storage.getDirectory()).removeEntry("Backups", { recursive: true });
	});
	await tab.page.locator(".row .name").click();
	await tab.type("?");
	await tab.saved();
	await reloadAt(tab, start + 2 * day);
	await tab.page.getByText("The folder “Backups” is gone. There is no backup of today.").waitFor();
});

test("“Stop” leaves the files, and writes no more", async () => {
	const context = await profile();
	const tab = await openAt(context, start);
	await tab.write("one");
	await chooseFolder(tab);
	await openBackups(tab);
	await tab.page.getByRole("button", { name: "Stop" }).click();
	await tab.page.getByRole("button", { name: "Choose a folder…" }).waitFor();
	await tab.press("Escape");
	await tab.write("!");
	await reloadAt(tab, start + day);
	await expect.poll(() => isDue(tab)).toBe(true);
	expect(await fileNames(tab)).toEqual(["outline-2026-11-24.json"]);
});

test("without folders, offers a download after a day with changes", async () => {
	const context = await app.profile();
	await context.addInitScript(() => Reflect.deleteProperty(globalThis, "showDirectoryPicker"));
	const tab = await openAt(context, start);
	await tab.write("one");
	await reloadAt(tab, start + day / 8);
	await openBackups(tab);
	await tab.page.getByText("This browser can’t write files on its own.").waitFor();
	expect(await isDue(tab)).toBe(false);
	await tab.press("Escape");
	await reloadAt(tab, start + day);
	await expect.poll(() => isDue(tab)).toBe(true);
	expect(await tab.dialog()).toBeNull();
	expect(await tab.message()).toBeNull();
	await tab.press("Control+Shift+k");
	await tab.type("backup");
	await tab.page.locator('[role="option"] .due').waitFor();
	expect(await tab.violations()).toEqual([]);
	await tab.press("Enter");
	const file = await tab.downloaded("Download a backup");
	expect(file).toEqual({ name: "outline-2026-11-25.json", text: expect.stringContaining('"one"') });
	await tab.page.getByText(/^Last backup: .*“outline-2026-11-25.json” as a download, /).waitFor();
	await expect.poll(() => isDue(tab)).toBe(false);
});
