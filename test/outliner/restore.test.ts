import { expect, test } from "vitest";
import { App, type NamedFile, type Tab } from "./app.js";

const app = new App();

/** Exports everything as JSON, and leaves the dialog open. */
async function exported(tab: Tab): Promise<NamedFile> {
	await tab.press("Control+s");
	return tab.downloaded("Export");
}

/** Chooses a file by the button beside the backups. */
async function restore({ page }: Tab, { name, text }: NamedFile): Promise<void> {
	await page.getByRole("tab", { name: "Backup" }).click();
	const [chooser] = await Promise.all([
		page.waitForEvent("filechooser"),
		page.getByRole("button", { name: "Restore a backup" }).click(),
	]);
	await chooser.setFiles({ name, mimeType: "", buffer: Buffer.from(text) });
}

const button = ({ page }: Tab, name: RegExp) => page.getByRole("button", { name });

test("a backup replaces what is here, which is downloaded first, in one step of undo", async () => {
	const tab = await app.openWith("one", "  below", "two");
	const backup = await exported(tab);
	await tab.press("Escape", "End");
	await tab.type(" more\nthree");
	const later = ["one", "  below", "two more", "three"];
	await expect.poll(() => tab.rows()).toEqual(later);
	await tab.press("Control+s");
	await tab.choose(backup);
	await button(tab, /^Replace everything here/).waitFor();
	expect(await tab.violations()).toEqual([]);
	const kept = await tab.downloaded(/^Replace everything here/);
	expect(kept.text).toContain("two more");
	await tab.page.getByText(`${backup.name}: 3 nodes imported.`).waitFor();
	await tab.press("Escape");
	await expect.poll(() => tab.rows()).toEqual(["one", "  below", "two"]);
	await tab.press("Control+z");
	await expect.poll(() => tab.rows()).toEqual(later);
	await tab.press("Control+y");
	await expect.poll(() => tab.rows()).toEqual(["one", "  below", "two"]);
	// The download restores the other state.
	await tab.press("Control+s");
	await tab.choose(kept);
	await button(tab, /^Replace everything here/).click();
	await tab.page.getByText(`${kept.name}: 4 nodes imported.`).waitFor();
	await tab.press("Escape");
	await expect.poll(() => tab.rows()).toEqual(later);
});

test("a backup comes below a node of its own, or not at all, if one wants that", async () => {
	const tab = await app.openWith("one", "two");
	const backup = { ...(await exported(tab)), name: "outline-2026-11-24.json" };
	await tab.choose(backup);
	await button(tab, /^Cancel/).click();
	await tab.page.getByText("Cancelled. Nothing was imported.").waitFor();
	await tab.choose(backup);
	await button(tab, /^Add it below a new node/).click();
	await tab.page.getByText("outline-2026-11-24.json: 3 nodes imported.").waitFor();
	await tab.press("Escape");
	await expect.poll(() => tab.rows()).toEqual(["one", "two", "outline-2026-11-24"]);
	await tab.row("outline-2026-11-24").locator(".fold").click();
	await expect.poll(() => tab.rows()).toEqual(["one", "two", "outline-2026-11-24", "  one", "  two"]);
});

test("a file that is no backup, or is cut off, replaces nothing", async () => {
	const tab = await app.openWith("one", "two");
	const backup = await exported(tab);
	await tab.choose({ ...backup, text: backup.text.slice(0, -30) });
	await button(tab, /^Replace everything here/).click();
	await tab.page.getByText(/: Line \d: .*Nothing was imported\./).waitFor();
	await tab.press("Escape");
	expect(await tab.rows()).toEqual(["one", "two"]);
});

test("“Restore a backup” asks too if the outline here is another one, and not if it is blank", async () => {
	const tab = await app.openWith("one");
	const backup = await exported(tab);
	const other = await app.open();
	await other.press("Control+s");
	await restore(other, backup);
	await other.page.getByText("1 node imported.").waitFor();
	await other.press("Escape");
	await expect.poll(() => other.rows()).toEqual(["one"]);
	const third = await app.openWith("mine");
	await third.press("Control+s");
	await restore(third, backup);
	await button(third, /^Replace everything here/).click();
	await third.page.getByText("1 node imported.").waitFor();
	await third.press("Escape");
	await expect.poll(() => third.rows()).toEqual(["one"]);
});
