import { liveQuery } from "outlinekit/live";
import { type Changing, useLive, useNode, useQuery, useRows } from "outlinekit/svelte";
import { type Component, mount, unmount } from "svelte";
import { get, writable } from "svelte/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { catchUnhandled } from "../support/unhandled.js";
import { drawn, offlineReplica, WatchedOutline } from "./outline.js";
import Boundary from "./svelte-boundary.svelte";
import List from "./svelte-list.svelte";
import Options from "./svelte-options.svelte";

let outline: WatchedOutline;
let component: Record<string, unknown> | undefined;
const texts = () => Array.from(document.querySelectorAll("p"), ({ textContent }) => textContent);

beforeEach(() => {
	outline = new WatchedOutline();
	document.body.innerHTML = "";
});

afterEach(async () => {
	if (component !== undefined) await unmount(component);
	component = undefined;
});

function show(shown: Component<Record<string, unknown>>, test: Record<string, unknown>): void {
	component = mount(shown, { target: document.body, context: new Map([["test", test]]) });
}

test("stores and runes show the same, follow commits and inputs, and close", async () => {
	const [a, b] = await outline.plant(["a red", "b blue"]);
	await outline.complete(b!);
	const replica = offlineReplica();
	const control = {} as { set(next: Record<string, unknown>): void; history: { undo(): Promise<unknown> } };
	show(List, { outline, replica, control });
	await expect
		.poll(texts)
		.toEqual(["a red,b blue", "a red,b blue", "a red", "a red", "none", "true false", "idle idle"]);
	await outline.plant(["c"], a!);
	control.set({
		words: "blue",
		id: b!,
		options: { expanded: [a!], hides: ({ completed }: { completed: boolean }) => completed },
	});
	await expect.poll(texts).toEqual(["a red>,-c", "a red>,-c", "b blue", "b blue", "b blue", "true false", "idle idle"]);
	await control.history.undo();
	control.set({ id: "today" });
	await outline.create({ parent: "today", name: "first" });
	await expect.poll(() => texts()[0]).toBe("a red,Calendar>");
	control.set({ options: { root: "today" } });
	await expect.poll(() => texts().slice(0, 2)).toEqual(["first", "first"]);
	expect(texts()[4]).not.toBe("none");
	await replica.sync().catch(() => {});
	await expect.poll(() => texts()[6]).toBe("offline offline");
	expect(outline.open).toBe(3);
	await unmount(component!);
	component = undefined;
	await expect.poll(() => [outline.open, outline.historyListeners]).toEqual([0, 0]);
	await replica.storage.close();
});

test("the error of any read goes to the boundary, which begins again", async () => {
	const failed = () => document.querySelector("button")?.textContent;
	await outline.plant(["a"]);
	outline.error = new Error("no disk");
	show(Boundary, { outline });
	await expect.poll(failed).toBe("failed: no disk");
	await expect.poll(() => outline.open).toBe(0);
	outline.error = undefined;
	document.querySelector("button")!.click();
	await expect.poll(texts).toEqual(["a"]);
	outline.error = new Error("broken");
	await outline.plant(["b"]);
	await expect.poll(failed).toBe("failed: broken");
});

test("a store calls its subscriber at once, is open while it has one, and takes a store as its input", async () => {
	const [a, b] = await outline.plant(["a", "b"]);
	const id = writable<string | null>(a!);
	const node = useNode(outline, id);
	expect([get(node), outline.open]).toEqual([undefined, 0]);
	const seen: unknown[] = [];
	const stops = [1, 2].map(() => node.subscribe((value) => seen.push(value?.name)));
	expect(seen).toEqual([undefined, undefined]);
	await expect.poll(() => seen.length).toBe(4);
	expect([get(node)?.name, outline.open]).toEqual(["a", 1]);
	id.set(b!);
	await expect.poll(() => seen.slice(4)).toEqual(["b", "b"]);
	stops[0]!();
	expect(outline.open).toBe(1);
	stops[1]!();
	stops[1]!();
	expect(outline.open).toBe(0);
	expect(get(node)).toBeUndefined();
	const rows = useRows(outline, { root: null });
	const drawings: string[] = [];
	const stop = rows.subscribe((value) => drawings.push(drawn(value)));
	await expect.poll(() => drawings).toEqual(["…", "a,b"]);
	stop();
});

test("with onError, the errors of rows, nodes and queries go there, and the last values stay", async () => {
	const seen: unknown[] = [];
	const onError = (error: unknown) => seen.push(error);
	const [a, b] = await outline.plant(["a", "b"]);
	await outline.setShortcut("key", a!);
	const rows = useRows(outline, () => ({ onError }));
	const node = useNode(outline, "key", { onError });
	const names = useQuery(outline, (outline) => outline.names(), undefined, { onError });
	const stops = [rows, node, names].map((store) => store.subscribe(() => {}));
	const shown = () => [drawn(rows.current), node.current?.name, names.current].join(" ");
	await expect.poll(shown).toBe("a,b a a,b");
	outline.error = new Error("broken");
	await outline.setShortcut("key", b!);
	await outline.plant(["c"]);
	await expect.poll(() => seen.length).toBeGreaterThanOrEqual(3);
	expect(new Set(seen)).toEqual(new Set([outline.error]));
	expect(shown()).toBe("a,b,c a a,b");
	for (const stop of stops) stop();
});

test("a changed input that can't be used goes to the boundary, and later inputs show", async () => {
	const failed = () => document.querySelector("button")?.textContent;
	const unhandled = catchUnhandled();
	const [a] = await outline.plant(["a"]);
	const control = {} as { set(next: Record<string, unknown>): void };
	show(Options, { outline, control });
	await expect.poll(texts).toEqual(["a"]);
	control.set({ root: a!, expanded: 5 });
	await expect.poll(failed).toBe("failed: expanded is 5. It must be an array or a set of ids.");
	control.set({ root: a! });
	document.querySelector("button")!.click();
	await expect.poll(texts).toEqual(["nothing"]);
	await outline.close();
	control.set({});
	await expect.poll(failed).toBe("failed: The outline has been closed. Make a new one.");
	expect(unhandled).toEqual([]);
});

test("an input that can't be used at first goes to the boundary, and later inputs show", async () => {
	const failed = () => document.querySelector("button")?.textContent;
	await outline.plant(["a"]);
	const control = {} as { set(next: Record<string, unknown>): void };
	show(Options, { outline, control, begin: { expanded: 5 } });
	await expect.poll(failed).toBe("failed: expanded is 5. It must be an array or a set of ids.");
	document.querySelector("button")!.click();
	await expect.poll(failed).toBe("failed: expanded is 5. It must be an array or a set of ids.");
	control.set({});
	document.querySelector("button")!.click();
	await expect.poll(texts).toEqual(["a"]);
	expect(outline.open).toBe(1);
});

test("an error without a boundary becomes an unhandled rejection", async () => {
	const unhandled = catchUnhandled();
	outline.error = new Error("no disk");
	const stop = useQuery(outline, (outline) => outline.names()).subscribe(() => {});
	await expect.poll(() => unhandled).toEqual([new Error("no disk")]);
	stop();
});

test("any live value is a store", async () => {
	const live = liveQuery(outline, () => outline.names());
	const names: Changing<string | undefined> = live;
	const seen: unknown[] = [];
	const stop = useLive(names).subscribe((value) => seen.push(value));
	await outline.plant(["a"]);
	await expect.poll(() => seen.at(-1)).toBe("a");
	expect(seen[0]).toBeUndefined();
	stop();
	await outline.plant(["b"]);
	await expect.poll(() => live.current).toBe("a,b");
	expect(seen.at(-1)).toBe("a");
	live.close();
});
