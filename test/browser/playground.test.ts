import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { buildPlayground } from "../../scripts/playground.js";
import { sharedFolder } from "../support/temporary.js";
import { TestBrowser } from "./browser.js";

const browser = new TestBrowser(new URL("./outline-page.ts", import.meta.url));
const folder = sharedFolder();
beforeAll(() => buildPlayground(folder));

test("the playground opens from a file, and shows each call with its result or its error", async () => {
	const { page } = await browser.open();
	await page.goto(pathToFileURL(join(folder, "index.html")).href);
	const field = (number: number) => page.locator("#list [type=text]").nth(number);
	const texts = () =>
		page.locator("#list [type=text]").evaluateAll((fields) => fields.map((each) => (each as HTMLInputElement).value));
	const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
	const call = () => page.locator("#call").textContent();
	const result = () => page.locator("#result").textContent();
	await expect.poll(texts).toEqual(["Trip to Oslo", "Read"]);
	expect(await call()).toBe("// nothing yet");

	await field(1).fill("Read <b>");
	await expect.poll(call).toMatch(/^await outline\.update\("[\da-f-]{36}", \{ name: "Read <b>", format: "text" \}\)$/);
	await expect.poll(result).toContain('"name": "Read &lt;b&gt;"');
	await field(1).press("Enter");
	await expect.poll(call).toMatch(/^await outline\.create\(\{ name: "", position: \{ after: "[\da-f-]{36}" \} \}\)$/);
	await expect.poll(() => page.locator("#calls li").allTextContents()).toHaveLength(1);
	await expect.poll(texts).toEqual(["Trip to Oslo", "Read <b>", ""]);

	await field(1).click();
	await press("Mirror below the first line");
	await expect.poll(result).toContain('"originId"');
	await press("Delete");
	await expect.poll(result).toMatch(/^OutlineError: has_mirrors\n/);
	await press("Undo");
	await expect.poll(call).toBe("await outline.undo()");
	await press("Move to today");
	await expect.poll(texts).toEqual(["Trip to Oslo", "", "Calendar"]);
	await press("Search for to-dos");
	await expect.poll(result).toContain('"book the ferry"');
	await press("Export as Markdown");
	await expect.poll(result).toContain("- [ ] book the ferry\n");
	expect(browser.errors).toEqual([]);
});
