import { expect, test } from "vitest";
import { App, type Tab } from "./app.js";
import { Devices, offline, says, sign, synced } from "./devices.js";
import { violationsOfView } from "./looks.js";

const app = new App();
const devices = new Devices(app);

/** A phone, a narrow one, and a window of 1280 by 900 pixels at a zoom of 200 % and of 400 %. */
const sizes = [
	{ width: 390, height: 700 },
	{ width: 320, height: 568 },
	{ width: 640, height: 450 },
	{ width: 320, height: 225 },
];

/** The parts of the header beyond an edge of the page, or over another part, in each size. */
async function misfits({ page }: Tab): Promise<string[]> {
	const before = page.viewportSize()!;
	const found: string[] = [];
	for (const size of sizes) {
		await page.setViewportSize(size);
		const inThisSize = await page.evaluate(() => {
			const wide = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
			const parts = [...document.querySelectorAll(".bar > *, .tools > *")].filter((part) => part.checkVisibility());
			const boxes = parts
				.filter((part) => getComputedStyle(part).position !== "absolute")
				.map((part) => ({ name: part.className || part.textContent, box: part.getBoundingClientRect() }));
			const beyond = boxes.filter(({ box }) => box.right > innerWidth || box.left < 0).map(({ name }) => name);
			const [...row] = boxes.filter(({ name }) => name !== "tools");
			const over = row.filter(({ box }, index) => index > 0 && box.left < row[index - 1]!.box.right - 1);
			return [...wide, ...beyond, ...over.map(({ name }) => `${name} over what is before it`)];
		});
		found.push(...inThisSize.map((each) => `${each} at ${size.width} × ${size.height}`));
	}
	await page.setViewportSize(before);
	return found;
}

/** Checks that a sign fits into a narrow header, and that axe finds no fault with it. */
async function checked(tab: Tab, name: string): Promise<void> {
	expect(await misfits(tab), name).toEqual([]);
	expect(await violationsOfView(tab, name)).toEqual([]);
}

test("each sign of the server has room on a phone and at 400 % zoom, and axe finds no fault with it", async () => {
	const tab = await devices.deviceWith(
		"a node with a long name, which the breadcrumbs show",
		"  below",
		"    further below",
	);
	await checked(tab, "synced");
	await tab.press("Control+.");
	await tab.page.waitForSelector(".title");
	await checked(tab, "synced, below a node");

	// The server takes its time.
	await tab.page.route(/\/sync/, () => {});
	await tab.press("Enter");
	await tab.type("x");
	await says(tab, "Sending…");
	await checked(tab, "sending");
	await tab.page.unrouteAll();
});

test("a key that isn't accepted has room for its sign", async () => {
	const tab = await devices.device("wrong");
	await says(tab, "Not accepted");
	await checked(tab, "refused");
});

test("conflicts have room, also without a network", async () => {
	const [one] = await devices.withConflicts("call Ann");
	await checked(one, "a conflict");
	await offline(one, true);
	await one.press("End");
	await one.type(" x");
	await says(one, /^Offline, 1 node to send\s+1 conflict$/);
	await checked(one, "a conflict without a network");
});

test("an idle page soon says that the network has gone, and that it is back", async () => {
	const tab = await devices.deviceWith("milk");
	const second = await app.open(tab.page.context());
	await offline(tab, true);
	await expect.poll(() => sign(tab), { timeout: 5000 }).toBe("Offline");
	await checked(tab, "offline");
	await tab.type(" and bread");
	await tab.press("Enter");
	await tab.type("eggs");
	await says(tab, "Offline, 2 nodes to send");
	await checked(tab, "offline with changes");
	// The commits of single letters are no number of nodes.
	await tab.page.click(".sync");
	await expect
		.poll(() => tab.page.locator(".server-state").innerText())
		.toMatch(/^Your changes since [\d:\u202f APM]+ are saved here,/);
	await tab.press("Escape");
	// A tab doesn't know which nodes another one has changed.
	await says(second, "Offline, changes to send");
	await second.page.close();
	await offline(tab, false);
	await says(tab, "Synced");
});

test("the sign stays as it is while one types", async () => {
	const tab = await devices.deviceWith("milk");
	await tab.page.evaluate(() => {
		const observer = new MutationObserver(() => {
			document.body.dataset.changed = `${document.querySelector(".sync")!.textContent}`;
		});
		const header = document.querySelector(".bar")!;
		observer.observe(header, { subtree: true, childList: true, characterData: true });
	});
	for (const letter of " and bread") {
		await tab.type(letter);
		await tab.saved();
	}
	await synced(tab);
	expect(await tab.page.evaluate(() => document.body.dataset.changed)).toBeUndefined();
});
