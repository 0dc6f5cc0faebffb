import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { render } from "solid-js/web";
import { mount, unmount } from "svelte";
import { compile } from "svelte/compiler";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createApp } from "vue";
import { sharedFolder } from "../support/temporary.js";
import { WatchedOutline } from "./outline.js";

/** A component of any framework. */
type Component = Parameters<typeof createElement>[0] & Parameters<typeof createApp>[0] & Parameters<typeof mount>[0];

interface Framework {
	/** The name of the file in a project. */
	readonly file: string;
	/** Shows the component. Returns a function that ends it. */
	show(component: Component, target: Element): () => unknown;
}

const frameworks: Record<string, Framework> = {
	React: {
		file: "app.tsx",
		show(component, target) {
			const root = createRoot(target);
			root.render(createElement(component));
			return () => root.unmount();
		},
	},
	Vue: {
		file: "app.vue",
		show(component, target) {
			const app = createApp(component);
			app.mount(target);
			return () => app.unmount();
		},
	},
	Svelte: {
		file: "app.svelte",
		show(component, target) {
			const app = mount(component, { target });
			return () => unmount(app);
		},
	},
	Solid: {
		file: "app.tsx",
		show: (component, target) => render(() => Reflect.apply(component, undefined, [{}]), target),
	},
};

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/guides/frameworks.md"), "utf8");
const folder = sharedFolder();

/** The program of a framework: the first block of its section. */
function programOf(name: string): string {
	const [, section] = page.split(`\n## ${name}\n`);
	return /^```(?:tsx|vue|svelte)\n(.*?)^```$/ms.exec(section!)![1]!;
}

beforeAll(() => {
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
	for (const [name, { file }] of Object.entries(frameworks)) {
		const project = join(folder, name.toLowerCase());
		mkdirSync(project);
		writeFileSync(join(project, "outline.ts"), "export const outline = globalThis.outlineOfPage;");
		writeFileSync(join(project, file), programOf(name));
	}
});

afterEach(() => {
	vi.unstubAllGlobals();
});

describe.each(Object.entries(frameworks))("the program of the page for %s", (name, { file, show }) => {
	test("shows plain names, unfolds and folds, adds a row with the focus, searches while the user types, and undoes", async () => {
		const outline = new WatchedOutline();
		const [trip] = await outline.plant(["Trip to **Oslo**", "read"]);
		await outline.plant(["ferry"], trip!);
		vi.stubGlobal("outlineOfPage", outline);
		document.body.innerHTML = "<main></main>";
		const { default: component } = await import(/* @vite-ignore */ join(folder, name.toLowerCase(), file));
		const stop = show(component, document.querySelector("main")!);
		const listed = (list: string) =>
			Array.from(document.querySelectorAll(`${list} li`), ({ textContent }) => textContent.replace(/[▸▾\s]/g, ""));
		const button = (text: string) =>
			Array.from(document.querySelectorAll("button")).find(({ textContent }) => textContent === text)!;
		const type = (words: string) => {
			const field = document.querySelector<HTMLInputElement>("[type=search]")!;
			// React compares with the value that it has set itself.
			Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, words);
			field.dispatchEvent(new InputEvent("input", { bubbles: true }));
		};
		const problem = () => document.querySelector("[role=alert]")?.textContent;
		await expect.poll(() => listed("ul")).toEqual(["TriptoOslo", "read"]);
		expect([listed("ol"), problem()]).toEqual([[], undefined]);

		button("▸").click();
		await expect.poll(() => listed("ul")).toEqual(["TriptoOslo", "ferry", "read"]);
		button("▾").click();
		await expect.poll(() => listed("ul")).toEqual(["TriptoOslo", "read"]);

		type("ferry");
		await expect.poll(() => listed("ol")).toEqual(["ferry"]);
		type('"ferry tic');
		await expect.poll(problem).toMatch(/never closed/);
		expect(listed("ol")).toEqual(["ferry"]);
		type("oslo");
		await expect.poll(() => listed("ol")).toEqual(["TriptoOslo"]);
		expect(problem()).toBeUndefined();
		type("");
		await expect.poll(() => listed("ol")).toEqual([]);

		button("Add").click();
		await expect.poll(() => listed("ul")).toEqual(["TriptoOslo", "read", "New"]);
		await expect.poll(() => document.activeElement?.textContent).toBe("New");
		button("Undo").click();
		await expect.poll(() => listed("ul")).toEqual(["TriptoOslo", "read"]);
		expect(document.querySelector("ul")!.textContent).toContain("Trip to Oslo");
		await stop();
		await expect.poll(() => [outline.open, outline.historyListeners]).toEqual([0, 0]);
	});
});

test("the compiler of Svelte warns of nothing on the page", () => {
	expect(compile(programOf("Svelte"), { filename: "app.svelte" }).warnings.map(({ message }) => message)).toEqual([]);
});
