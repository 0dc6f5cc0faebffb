import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useNode } from "outlinekit/react";
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

/** The blocks of code in the section of a framework. The first one is its program. */
function blocksOf(name: string): string[] {
	const [, section] = page.split(`\n## ${name}\n`);
	return Array.from(section!.split("\n## ")[0]!.matchAll(/^```(?:tsx|vue|svelte)\n(.*?)^```$/gms), ([, code]) => code!);
}

/** Makes a project with a program of the page and an outline of its own. */
function write(name: string, file: string, code: string): void {
	const project = join(folder, name);
	mkdirSync(project);
	writeFileSync(join(project, "outline.ts"), "export const outline = globalThis.outlineOfPage;");
	writeFileSync(join(project, file), code);
}

beforeAll(() => {
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
	for (const [name, { file }] of Object.entries(frameworks)) write(name.toLowerCase(), file, blocksOf(name)[0]!);
	const field = blocksOf("React").find((code) => code.includes("function Field"))!;
	for (const name of ["field", "refused"]) write(name, "field.tsx", field);
	write("suspense", "page.tsx", blocksOf("React").find((code) => code.includes("<Suspense"))!);
});

/** Gives a field a text, as a user does. */
function typeInto(selector: string, text: string): void {
	const field = document.querySelector<HTMLInputElement>(selector)!;
	// React compares with the value that it has set itself.
	Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, text);
	field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

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
		const type = (words: string) => typeInto("[type=search]", words);
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
		// In a browser, the read may have failed before the last listener of the field runs.
		type('"ferry tic');
		await expect.poll(problem).toMatch(/never closed/);
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

test("the text field of the page for React shows what is typed until it is stored, and then what another device changes", async () => {
	const outline = new WatchedOutline();
	const [id] = await outline.plant(["a"]);
	const update = outline.update.bind(outline);
	const turns: (() => void)[] = [];
	vi.spyOn(outline, "update").mockImplementation(async (...args) => {
		await new Promise<void>((resolve) => turns.push(resolve));
		return update(...args);
	});
	vi.stubGlobal("outlineOfPage", outline);
	document.body.innerHTML = "<main></main>";
	const { Field } = await import(/* @vite-ignore */ join(folder, "field", "field.tsx"));
	const App = () => {
		const node = useNode(outline, id!);
		return node ? createElement(Field, { node }) : null;
	};
	const root = createRoot(document.querySelector("main")!);
	root.render(createElement(App));
	const shown = () => document.querySelector("input")?.value;
	await expect.poll(shown).toBe("a");
	document.querySelector("input")!.focus();
	typeInto("input", "ab");
	typeInto("input", "abc");
	turns[0]!();
	await expect.poll(() => outline.names()).toBe("ab");
	expect(shown()).toBe("abc");
	turns[1]!();
	await expect.poll(() => outline.names()).toBe("abc");
	await update(id!, { name: "abc and d" });
	await expect.poll(shown).toBe("abc and d");
	root.unmount();
});

test("the text field of the page for React keeps a text that wasn't stored, says why, and stores it with the next key", async () => {
	const outline = new WatchedOutline();
	const [id] = await outline.plant(["a"]);
	const update = vi.spyOn(outline, "update").mockRejectedValue(new Error("There is no room left."));
	vi.stubGlobal("outlineOfPage", outline);
	document.body.innerHTML = "<main></main>";
	const { Field } = await import(/* @vite-ignore */ join(folder, "refused", "field.tsx"));
	const App = () => {
		const node = useNode(outline, id!);
		return node ? createElement(Field, { node }) : null;
	};
	const root = createRoot(document.querySelector("main")!);
	root.render(createElement(App));
	const shown = () => [document.querySelector("input")?.value, document.querySelector("p")?.textContent];
	await expect.poll(shown).toEqual(["a", undefined]);
	typeInto("input", "ab");
	await expect.poll(shown).toEqual(["ab", "Not stored: There is no room left."]);
	expect(await outline.names()).toBe("a");
	update.mockRestore();
	typeInto("input", "abc");
	await expect.poll(() => outline.names()).toBe("abc");
	await expect.poll(shown).toEqual(["abc", undefined]);
	await outline.update(id!, { name: "of another device" });
	await expect.poll(shown).toEqual(["of another device", undefined]);
	root.unmount();
});

test("the program with Suspense on the page shows that it loads, the list, and the hits of a search", async () => {
	const outline = new WatchedOutline();
	await outline.plant(["Trip to **Oslo**", "read"]);
	vi.stubGlobal("outlineOfPage", outline);
	document.body.innerHTML = "<main></main>";
	const { Page } = await import(/* @vite-ignore */ join(folder, "suspense", "page.tsx"));
	const root = createRoot(document.querySelector("main")!);
	root.render(createElement(Page));
	const shown = () => Array.from(document.querySelectorAll("main p, main li"), ({ textContent }) => textContent);
	await expect.poll(shown).toEqual(["Loading…"]);
	await expect.poll(shown).toEqual(["Trip to Oslo", "read"]);
	typeInto("[type=search]", "oslo");
	await expect.poll(shown).toEqual(["Trip to Oslo"]);
	typeInto("[type=search]", "");
	await expect.poll(shown).toEqual(["Trip to Oslo", "read"]);
	root.unmount();
});

test("the component on the page about tests is found in its outline, before and after a change", async () => {
	const recipe = readFileSync(join(root, "docs/recipes/testing.md"), "utf8");
	const [, component, steps] = /```tsx\n(.*?)^test\(".*?", (async .*?)\);\n```/ms.exec(recipe)!;
	write("testing", "list.tsx", `${component}export const steps = ${steps};`);
	document.body.innerHTML = "";
	const { steps: run } = await import(/* @vite-ignore */ join(folder, "testing", "list.tsx"));
	await run();
	expect(document.body.textContent).toBe("");
});

test("the compiler of Svelte warns of nothing on the page", () => {
	expect(compile(blocksOf("Svelte")[0]!, { filename: "app.svelte" }).warnings.map(({ message }) => message)).toEqual(
		[],
	);
});
