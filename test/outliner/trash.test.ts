import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";

const app = new App();
const day = 86_400_000;

/** Opens the trash, and returns the texts that it lists. */
async function trash(tab: Tab): Promise<string[]> {
	await tab.saved();
	await tab.trash();
	return listed(tab);
}

/** The texts in the list of the trash, which is open. */
async function listed({ page }: Tab): Promise<string[]> {
	await page.locator(".trash ul li, .trash > p:not(.hint, .trash-said)").first().waitFor();
	const texts = await page.locator(".trash-texts").allInnerTexts();
	return texts.map((text) => text.replace(/\s+/g, " ").replace(/deleted [^,]*,/, "deleted,"));
}

test("puts deleted rows back in their place, with ids, notes, completion and mirrors", async () => {
	const tab = await app.openWith("Work", "  first", "  Trip", "    pack", "    book", "  last", "other");
	await tab.row("book").locator(".name").click();
	await tab.press("Control+Enter", "Shift+Enter");
	await tab.type("with a note");
	await tab.press("Escape");
	// A mirror of a row outside.
	await tab.row("pack").locator(".name").click();
	await tab.press("End", "Enter");
	await tab.type("((other");
	await expect.poll(() => tab.choices()).toEqual(["› other"]);
	await tab.press("Enter");
	const rows = ["Work", "  first", "  Trip", "    pack", "    other", "    book", "  last", "other"];
	await expect.poll(() => tab.rows()).toEqual(rows);
	const before = await tab.exported();

	await tab.remove("Trip");
	expect(await tab.rows()).toEqual(["Work", "  first", "  last", "other"]);
	expect(await trash(tab)).toEqual(["Trip 4 nodes, deleted, from Work"]);
	expect(await tab.violations()).toEqual([]);
	await tab.putBack("Trip");
	await expect.poll(() => listed(tab)).toEqual([]);
	await tab.press("Escape");
	expect(await tab.rows()).toEqual(rows);
	expect(await tab.caret()).toBe("Trip|");
	// A mirror has the time of its origin, wherever its own record had another one.
	const comparable = (lines: string[]) =>
		lines.map((line) =>
			line.includes('"name":"Trip"')
				? line.replace(/"priority":-?\d+/, "")
				: line.replace(/"modifiedAt":\d+(?=.*"originId":")/, ""),
		);
	expect(comparable(await tab.exported())).toEqual(comparable(before));

	// To put it back is one step.
	await tab.press("Control+z");
	expect(await tab.rows()).toEqual(["Work", "  first", "  last", "other"]);
	expect(await trash(tab)).toEqual(["Trip 4 nodes, deleted, from Work"]);
});

test("lists the newest first; not joined rows, blank rows, nor what undo brings back", async () => {
	const context = await app.profile();
	const tab = await app.open(context);
	await tab.write("one", "two", "three", "", "four");
	await tab.row("two").locator(".name").click();
	await tab.press("Home", "Backspace");
	expect(await tab.rows()).toEqual(["onetwo", "three", "", "four"]);
	await tab.row("").locator(".name").click();
	await tab.press("Backspace");
	expect(await tab.rows()).toEqual(["onetwo", "three", "four"]);
	expect(await trash(tab)).toEqual([]);
	await tab.page.getByText("There is nothing in the trash.").waitFor();
	await tab.press("Escape");

	await tab.remove("four");
	await tab.remove("three");
	expect(await trash(tab)).toEqual([
		"three 1 node, deleted, at the top level",
		"four 1 node, deleted, at the top level",
	]);
	await tab.press("Escape", "Control+z");
	expect(await tab.rows()).toEqual(["onetwo", "three"]);
	expect(await trash(tab)).toEqual(["four 1 node, deleted, at the top level"]);
	await tab.press("Escape", "Control+y");
	expect(await tab.rows()).toEqual(["onetwo"]);

	// Another tab of this device has the same trash, also after a reload.
	const other = await app.open(context);
	expect(await trash(other)).toEqual([
		"three 1 node, deleted, at the top level",
		"four 1 node, deleted, at the top level",
	]);
	await other.putBack("four");
	await expect.poll(() => tab.rows()).toEqual(["onetwo", "four"]);
});

test("rows that were deleted or cut together come back together, at the top level if their parent is gone", async () => {
	const tab = await app.openWith("parent", "  a", "    b", "  c", "  d", "last");
	await tab.row("a").locator(".name").click();
	await tab.press("Shift+ArrowDown", "Shift+ArrowDown");
	await expect.poll(() => tab.selected()).toEqual(["a", "b", "c"]);
	await tab.copied("Control+x");
	await expect.poll(() => tab.rows()).toEqual(["parent", "  d", "last"]);
	await tab.remove("parent");
	expect(await trash(tab)).toEqual([
		"parent 2 nodes, deleted, at the top level",
		"a and 1 more beside it 3 nodes, deleted, from parent",
	]);
	await tab.putBack("a");
	await tab.page.getByText("at the end of the top level, because its place is gone").waitFor();
	await tab.press("Escape");
	expect(await tab.rows()).toEqual(["last", "a", "  b", "c"]);
	await trash(tab);
	await tab.putBack("parent");
	await tab.press("Escape");
	expect(await tab.rows()).toEqual(["parent", "  d", "last", "a", "  b", "c"]);
});

test("an origin whose mirror takes its place comes back as a mirror", async () => {
	const tab = await app.openWith("origin", "  below", "place", "end");
	await tab.row("end").locator(".name").click();
	await tab.press("Enter", "Tab");
	await tab.type("((origin");
	await expect.poll(() => tab.choices()).toEqual(["› origin"]);
	await tab.press("Enter");
	await expect.poll(async () => (await tab.rows()).length).toBeGreaterThan(4);
	await tab.page.locator(".row .name", { hasText: "origin" }).first().click();
	await tab.press("Control+Shift+Backspace");
	await expect.poll(async () => (await tab.rows()).filter((row) => !row.startsWith(" "))).toEqual(["place", "end"]);
	expect(await trash(tab)).toEqual(["origin 1 node, deleted, at the top level"]);
	await tab.putBack("origin");
	await tab.press("Escape");
	await expect
		.poll(async () => (await tab.rows()).filter((row) => !row.startsWith(" ")))
		.toEqual(["origin", "place", "end"]);
	expect(await tab.rows()).toEqual(expect.arrayContaining(["  origin"]));
	// It shows the same text.
	await tab.press("End");
	await tab.type("!");
	await expect.poll(async () => (await tab.rows()).filter((row) => row.includes("origin!")).length).toBe(2);
});

test("a day of the calendar comes back as that day", async () => {
	const tab = await app.open();
	await tab.press("Alt+Shift+t");
	await expect.poll(() => tab.title()).not.toBeNull();
	await tab.type("done today");
	await tab.saved();
	const name = (await tab.title())!;
	await tab.page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link").last().click();
	await tab.remove(name);
	await expect.poll(() => tab.rows()).toEqual([]);
	expect((await trash(tab))[0]).toMatch(/ 2 nodes, deleted, from Calendar › \d{4} › \w+$/);
	await tab.putBack(name);
	await tab.press("Escape", "Alt+Shift+t");
	await expect.poll(() => tab.rows()).toEqual(["done today"]);
});

test("“Delete for ever” and “Empty” ask first", async () => {
	const tab = await app.open();
	const { page } = tab;
	await tab.write("a", "b", "c", "d");
	for (const name of ["b", "c", "d"]) await tab.remove(name);
	expect(await trash(tab)).toHaveLength(3);
	await page.getByRole("button", { name: "Delete for ever… “c”" }).click();
	await page.getByRole("button", { name: "No, keep it" }).click();
	expect(await listed(tab)).toHaveLength(3);
	await page.getByRole("button", { name: "Delete for ever… “c”" }).click();
	expect(await tab.violations()).toEqual([]);
	await page.getByRole("button", { name: "Yes, delete it for ever" }).click();
	await page.getByText("“c” is deleted for ever.").waitFor();
	// The dialog reads the trash again after it has said so.
	await expect.poll(async () => (await listed(tab)).map((text) => text[0])).toEqual(["d", "b"]);
	await page.getByRole("button", { name: "Empty the trash…" }).click();
	await page.getByRole("button", { name: "Yes, empty it" }).click();
	await page.getByText("There is nothing in the trash.").waitFor();
	await tab.press("Escape");
	expect(await trash(tab)).toEqual([]);
});

/** Sets the clock of a page, and loads the page again. */
async function reloadAt(tab: Tab, time: number): Promise<void> {
	await tab.page.clock.setSystemTime(time);
	await tab.reload();
}

/** The numbers of entries and files that are on the disk. */
async function stored({ page }: Tab): Promise<number[]> {
	return page.evaluate(async () => {
		const done = <T>(request: IDBRequest<T>) =>
			new Promise<T>((resolve, reject) => {
				request.onsuccess = () => resolve(request.result);
				request.onerror = () => reject(request.error);
			});
		const database = await done(indexedDB.open("outliner-trash"));
		const transaction = database.transaction(["entries", "files"]);
		const counts = await Promise.all(["entries", "files"].map((name) => done(transaction.objectStore(name).count())));
		database.close();
		return counts;
	});
}

test("empties itself after thirty days, and keeps what was deleted later", async () => {
	const tab = await app.open();
	// The page opens before it gets another clock, and the trash remembers the latest time.
	const start = Date.now();
	await reloadAt(tab, start);
	await tab.write("a", "old", "new");
	await tab.remove("old");
	expect(await trash(tab)).toHaveLength(1);
	await reloadAt(tab, start + 20 * day);
	await tab.remove("new");
	expect((await trash(tab)).map((text) => text.slice(0, 3))).toEqual(["new", "old"]);
	await reloadAt(tab, start + 29 * day);
	expect(await trash(tab)).toHaveLength(2);
	await reloadAt(tab, start + 31 * day);
	expect((await trash(tab)).map((text) => text.slice(0, 3))).toEqual(["new"]);
	await reloadAt(tab, start + 33 * day);
	await trash(tab);
	expect(await stored(tab)).toEqual([1, 1]);
});

test("a clock that jumps back or ahead deletes nothing early", async () => {
	const tab = await app.open();
	const now = Date.now();
	await reloadAt(tab, now);
	await tab.write("a", "b", "c");
	await tab.remove("b");
	expect(await trash(tab)).toHaveLength(1);
	// The clock loses its time, and something is deleted meanwhile.
	await reloadAt(tab, Date.UTC(1970, 0, 2));
	await tab.remove("c");
	expect(await trash(tab)).toHaveLength(2);
	await reloadAt(tab, now + 2 * day);
	expect(await trash(tab)).toHaveLength(2);
	// The clock is a year ahead for an hour.
	await reloadAt(tab, now + 365 * day);
	expect(await trash(tab)).toEqual([]);
	await reloadAt(tab, now + 365 * day + day / 24);
	expect(await trash(tab)).toEqual([]);
	await reloadAt(tab, now + 3 * day);
	expect(await trash(tab)).toHaveLength(2);
});

test("is bounded: the oldest go first", async () => {
	const tab = await app.openWith("keep", "first", "second", "third");
	await tab.remove("first");
	await expect.poll(() => stored(tab)).toEqual([1, 1]);
	// The store believes that this entry takes nearly all the room.
	await tab.page.evaluate(
		() =>
			new Promise<void>((resolve) => {
				indexedDB.open("outliner-trash").onsuccess = (event) => {
					const database = (event.target as IDBOpenDBRequest).result;
					const entries = database.transaction("entries", "readwrite").objectStore("entries");
					entries.getAll().onsuccess = ({ target }) => {
						const [entry] = (target as IDBRequest<{ size: number }[]>).result;
						entries.put({ ...entry, size: 31_999_500 });
						entries.transaction.oncomplete = () => {
							database.close();
							resolve();
						};
					};
				};
			}),
	);
	// There is room for one more.
	await tab.remove("second");
	await expect.poll(() => stored(tab)).toEqual([2, 2]);
	await tab.remove("third");
	expect((await trash(tab)).map((text) => text.split(" ")[0])).toEqual(["third", "second"]);
	expect(await stored(tab)).toEqual([2, 2]);
});

test("10,000 nodes are deleted at once while the user types on, and come back", async () => {
	const tab = await app.open();
	const { page } = tab;
	const lines = Array.from({ length: 10_000 }, (_, index) => `${"\t".repeat(1 + (index % 3))}row ${index}`);
	await tab.type("big");
	await tab.press("Control+s");
	await tab.choose({ name: "big.txt", text: `Big\n${lines.join("\n")}\n` });
	await page.getByText("10,001 nodes imported").waitFor();
	await tab.press("Escape", "Control+Home");
	await tab.remove("Big");
	await tab.type("typed meanwhile");
	await tab.saved();
	await expect.poll(() => stored(tab), { timeout: 30_000 }).toEqual([1, 1]);
	expect(await tab.rows()).toEqual(["bigtyped meanwhile"]);
	expect(await trash(tab)).toEqual(["Big 10,001 nodes, deleted, at the top level"]);
	await tab.putBack("Big");
	await tab.press("Escape");
	expect(await tab.rows()).toEqual(["bigtyped meanwhile", "Big"]);
});

test("the caret returns after a node is put back outside the visible one", async () => {
	const tab = await app.openWith("one", "  below", "two");
	await tab.remove("two");
	await tab.row("below").locator(".name").click();
	await tab.press("ArrowUp", "Control+.", "ArrowDown", "End");
	await expect.poll(() => tab.title()).toBe("one");
	await trash(tab);
	await tab.putBack("two");
	await tab.press("Escape");
	await tab.type("!\nwords");
	expect(await tab.rows()).toEqual(["below!", "words"]);
});

test("puts no row back that an undo in another tab has brought back meanwhile", async () => {
	const [first, second] = await app.twoTabs(["one", "two"]);
	await first.remove("two");
	expect(await trash(first)).toHaveLength(1);
	await second.press("Control+z");
	await expect.poll(() => second.rows()).toEqual(["one", "two"]);
	await first.page.getByRole("button", { name: "Put back “two”" }).click();
	await first.page.locator(".trash-said", { hasText: "“two” isn’t in the trash any more." }).waitFor();
	await first.press("Escape");
	for (const tab of [first, second]) expect(await tab.rows()).toEqual(["one", "two"]);
});

test("lets another page delete its database, and begins a new one", async () => {
	const tab = await app.openWith("one", "two", "three");
	await tab.remove("three");
	await expect.poll(() => stored(tab)).toEqual([1, 1]);
	const outcome = await tab.page.evaluate(
		() =>
			new Promise((resolve) => {
				const request = indexedDB.deleteDatabase("outliner-trash");
				request.onsuccess = () => resolve("deleted");
				request.onblocked = () => resolve("blocked");
			}),
	);
	expect(outcome).toBe("deleted");
	await tab.remove("two");
	await expect.poll(() => stored(tab)).toEqual([1, 1]);
	expect(await trash(tab)).toEqual(["two 1 node, deleted, at the top level"]);
});
