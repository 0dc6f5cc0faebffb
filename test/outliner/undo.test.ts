import { expect, test } from "vitest";
import { App } from "./app.js";

const app = new App();

/** Longer than the pause that ends a step. */
const pause = 1100;

test("after undo and redo the caret is where the text has changed", async () => {
	const tab = await app.open();
	await tab.type("hello world foo");
	await tab.page.waitForTimeout(pause);
	for (let count = 0; count < 9; count++) await tab.press("ArrowLeft");
	await tab.type("XY");
	expect(await tab.caret()).toBe("hello XY|world foo");
	await tab.press("Control+z");
	await expect.poll(() => tab.caret()).toBe("hello |world foo");
	await tab.press("Control+y");
	await expect.poll(() => tab.caret()).toBe("hello XY|world foo");
});
