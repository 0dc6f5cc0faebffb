import { expect, test } from "vitest";
import type { Outcome } from "./indexeddb-page.js";
import { numbered, OutlineTabs } from "./indexeddb-tabs.js";

const tabs = new OutlineTabs({ whole: true });

test("a connection closed by the browser in the middle of commits opens again, and no commit fails or is doubled", async () => {
	// Chromium may take half a minute to open a database whose opening it has just aborted.
	const tab = await tabs.open("forced", { compactAfter: 7, openTimeout: 60_000 });
	await tab.call("names");
	const internals = await tab.page.context().newPage();
	await internals.goto("chrome://indexeddb-internals");
	const forceClose = internals
		.locator("indexeddb-bucket", { hasText: "Open connections" })
		.getByText("Force close")
		.first();
	const wanted: string[] = [];
	const outcomes: Outcome[] = [];
	let enough = false;
	const counts = [0, 0];
	const creating = counts.map(async (_, writer) => {
		for (; !enough; counts[writer]! += 1) {
			const names = numbered(`writer ${writer} ${counts[writer]}`, 5);
			wanted.push(...names);
			outcomes.push(...(await tab.call("create", names)));
		}
	});
	const closeIt = async () => {
		const before = [...counts];
		await forceClose.click();
		// A commit may fail if it loses two connections.
		await expect.poll(() => counts.every((count, writer) => count > before[writer]!), { timeout: 60_000 }).toBe(true);
		return tab.call("connectionsLost");
	};
	// There is none to close for a quarter of a second after each.
	await expect.poll(closeIt, { interval: 400, timeout: 60_000 }).toBeGreaterThanOrEqual(6);
	enough = true;
	await Promise.all(creating);
	expect(outcomes.filter((outcome) => outcome !== "ok")).toEqual([]);
	await internals.close();
	expect(await tab.call("names")).toEqual(wanted.toSorted());
	expect(await tabs.storedNames("forced")).toEqual(wanted.toSorted());
}, 120_000);
