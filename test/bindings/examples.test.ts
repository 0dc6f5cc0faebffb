import type { Outline } from "outlinekit";
import { render } from "solid-js/web";
import { mount, unmount } from "svelte";
import { describe, expect, test } from "vitest";
import { createApp } from "vue";
import { App as SolidApp } from "../../examples/solid/app.jsx";
import SvelteApp from "../../examples/svelte/app.svelte";
import VueApp from "../../examples/vue/app.vue";
import { WatchedOutline } from "./outline.js";

/** Shows an example in an element. Returns a function that ends it. */
type Start = (outline: Outline, target: Element) => () => unknown;

const examples: Record<string, Start> = {
	solid: (outline, target) => render(() => SolidApp({ outline }), target),
	svelte: (outline, target) => {
		const app = mount(SvelteApp, { target, context: new Map([["outline", outline]]) });
		return () => unmount(app);
	},
	vue: (outline, target) => {
		const app = createApp(VueApp, { outline });
		app.mount(target);
		return () => app.unmount();
	},
};

describe.each(Object.entries(examples))("the example in %s", (_, start) => {
	test("lists, adds, unfolds, completes and undoes, and closes everything", async () => {
		const outline = new WatchedOutline();
		const [trip] = await outline.plant(["Trip", "Read"]);
		await outline.plant(["ferry"], trip!);
		document.body.innerHTML = "<main></main>";
		const stop = start(outline, document.querySelector("main")!);
		const names = () =>
			Array.from(document.querySelectorAll("li"), ({ textContent }) => textContent.replace(/[▸▾\s]/g, ""));
		await expect.poll(names).toEqual(["Trip", "Read"]);

		document.querySelector<HTMLElement>("li button:not([hidden])")!.click();
		await expect.poll(names).toEqual(["Trip", "ferry", "Read"]);

		const line = document.querySelector<HTMLInputElement>("[aria-label=New]")!;
		line.value = "**tent**";
		line.dispatchEvent(new InputEvent("input", { bubbles: true }));
		line.form!.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
		await expect.poll(names).toEqual(["Trip", "ferry", "Read", "tent"]);
		await expect.poll(() => line.value).toBe("");

		const boxes = () => Array.from(document.querySelectorAll<HTMLInputElement>("[type=checkbox]"));
		boxes()[1]!.click();
		await expect.poll(() => boxes().map(({ checked }) => checked)).toEqual([false, true, false, false]);
		for (let steps = 0; steps < 2; steps++) {
			const { undo } = outline.history;
			document.querySelector<HTMLElement>("main > button")!.click();
			await expect.poll(() => outline.history.undo).toBe(undo - 1);
		}
		await expect.poll(names).toEqual(["Trip", "ferry", "Read"]);
		await expect.poll(() => boxes().map(({ checked }) => checked)).toEqual([false, false, false]);

		document.querySelector<HTMLElement>("li button:not([hidden])")!.click();
		await expect.poll(names).toEqual(["Trip", "Read"]);
		await stop();
		await expect.poll(() => [outline.open, outline.historyListeners]).toEqual([0, 0]);
	});
});
