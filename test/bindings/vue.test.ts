import { liveQuery } from "outlinekit/live";
import { type RowsOptions, useHistory, useLive, useNode, useQuery, useRows, useSyncStatus } from "outlinekit/vue";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type App, createApp, createSSRApp, defineComponent, h, nextTick, onErrorCaptured, ref, shallowRef } from "vue";
import { renderToString } from "vue/server-renderer";
import { drawn, offlineReplica, WatchedOutline } from "./outline.js";

let outline: WatchedOutline;
let app: App | undefined;
let errors: unknown[];
const text = () => document.body.textContent;

beforeEach(() => {
	outline = new WatchedOutline();
	errors = [];
	document.body.innerHTML = "";
});

afterEach(() => app?.unmount());

/** Shows a component. Errors go to the component above it. */
function show(setup: () => () => unknown): void {
	const child = defineComponent({ setup: () => setup() as () => string });
	const parent = defineComponent({
		setup() {
			onErrorCaptured((error) => {
				errors.push(error);
				return false;
			});
			return () => h(child);
		},
	});
	app = createApp(parent);
	app.mount(document.body);
}

function unmount(): void {
	app!.unmount();
	app = undefined;
}

test("rows show, follow each commit and their options, and close", async () => {
	const [a, b] = await outline.plant(["a", "b"]);
	await outline.complete(b!);
	const options = ref<RowsOptions>({});
	const seen: string[] = [];
	show(() => {
		const rows = useRows(outline, options);
		return () => {
			seen.push(drawn(rows.value));
			return seen.at(-1);
		};
	});
	expect(text()).toBe("…");
	await expect.poll(text).toBe("a,b");
	await outline.plant(["c"], a!);
	await expect.poll(text).toBe("a>,b");
	options.value = { expanded: [a!], hides: ({ completed }) => completed };
	await expect.poll(text).toBe("a>,-c");
	options.value.expanded = [];
	await expect.poll(text).toBe("a>");
	seen.length = 0;
	const release = outline.hold();
	options.value = { root: a! };
	await nextTick();
	await outline.plant(["d"]);
	release();
	await expect.poll(text).toBe("c");
	expect(seen).not.toContain("…");
	options.value = { root: "today" };
	await expect.poll(text).toBe("nothing");
	await outline.create({ parent: "today", name: "first" });
	await expect.poll(text).toBe("first");
	expect(outline.open).toBe(1);
	unmount();
	expect(outline.open).toBe(0);
});

test("what isn't ready yet is closed", async () => {
	const release = outline.hold();
	show(() => {
		const rows = useRows(outline);
		return () => drawn(rows.value);
	});
	expect(outline.open).toBe(1);
	unmount();
	expect(outline.open).toBe(0);
	release();
});

test("options that can't be used don't keep later ones from showing", async () => {
	const [a] = await outline.plant(["a"]);
	await outline.plant(["b"], a!);
	const options = shallowRef<RowsOptions>({});
	show(() => {
		const rows = useRows(outline, options);
		return () => drawn(rows.value);
	});
	await expect.poll(text).toBe("a>");
	options.value = { root: a!, expanded: 5 as unknown as string[] };
	await expect.poll(() => errors.length).toBe(1);
	options.value = { root: a! };
	await expect.poll(text).toBe("b");
	expect(outline.open).toBe(1);
});

test("a query reads again after a commit, and when a ref changes that it uses", async () => {
	await outline.plant(["red boat", "blue car"]);
	const words = ref("red");
	show(() => {
		const hits = useQuery(outline, (outline) => outline.search(words.value));
		return () =>
			hits.value
				?.map(({ node }) => node.name)
				.sort()
				.join();
	});
	await expect.poll(text).toBe("red boat");
	words.value = "blue";
	await expect.poll(text).toBe("blue car");
	await outline.plant(["blue sea"]);
	await expect.poll(text).toBe("blue car,blue sea");
	expect(outline.open).toBe(1);
});

test("a node shows until it is deleted, and the node of another reference follows", async () => {
	const [a, b] = await outline.plant(["a", "b"]);
	const id = ref<string | null>(a!);
	show(() => {
		const node = useNode(outline, id);
		return () => (node.value === undefined ? "…" : (node.value?.name ?? "none"));
	});
	await expect.poll(text).toBe("a");
	await outline.delete(a!);
	await expect.poll(text).toBe("none");
	id.value = b!;
	await expect.poll(text).toBe("b");
	id.value = null;
	await expect.poll(text).toBe("none");
});

test("the error of any read goes to the handlers of errors, and a later read shows", async () => {
	await outline.plant(["a"]);
	outline.error = new Error("no disk");
	show(() => {
		const names = useQuery(outline, (outline) => outline.names());
		return () => names.value ?? "…";
	});
	await expect.poll(() => errors).toEqual([new Error("no disk")]);
	expect(text()).toBe("…");
	outline.error = undefined;
	await outline.plant(["b"]);
	await expect.poll(text).toBe("a,b");
	outline.error = new Error("broken");
	await outline.plant(["c"]);
	await expect.poll(() => errors).toEqual([new Error("no disk"), new Error("broken")]);
	expect(text()).toBe("a,b");
});

test("with onError, the errors of rows, nodes and queries go there, and the last values stay", async () => {
	const seen: unknown[] = [];
	const onError = (error: unknown) => seen.push(error);
	const [a, b] = await outline.plant(["a", "b"]);
	await outline.setShortcut("key", a!);
	show(() => {
		const rows = useRows(outline, { onError });
		const node = useNode(outline, "key", { onError });
		const names = useQuery(outline, (outline) => outline.names(), { onError });
		return () => `${drawn(rows.value)} ${node.value?.name} ${names.value}`;
	});
	await expect.poll(text).toBe("a,b a a,b");
	outline.error = new Error("broken");
	await outline.setShortcut("key", b!);
	await outline.plant(["c"]);
	await expect.poll(() => seen.length).toBeGreaterThanOrEqual(3);
	expect(new Set(seen)).toEqual(new Set([outline.error]));
	expect(text()).toBe("a,b,c a a,b");
	expect(errors).toEqual([]);
});

test("the history, the status of a replica and any live value show", async () => {
	const replica = offlineReplica();
	const names = liveQuery(outline, () => outline.names());
	let undo = () => Promise.resolve<unknown>(null);
	show(() => {
		const history = useHistory(outline);
		({ undo } = history);
		const [status, live] = [useSyncStatus(replica), useLive(names)];
		return () => `${history.canUndo.value} ${history.canRedo.value} ${status.value.phase} ${live.value}`;
	});
	await expect.poll(text).toBe("false false idle ");
	await outline.plant(["a"]);
	await expect.poll(text).toBe("true false idle a");
	await undo();
	await expect.poll(text).toBe("false true idle ");
	await outline.clearHistory();
	await replica.sync().catch(() => {});
	await expect.poll(text).toBe("false false offline ");
	unmount();
	expect(outline.historyListeners).toBe(0);
	names.close();
	await replica.storage.close();
});

test("a server renders without reading, and the browser continues from there", async () => {
	await outline.plant(["a"]);
	const shown = shallowRef<unknown>();
	const page = defineComponent({
		setup() {
			const [rows, history] = [useRows(outline), useHistory(outline)];
			shown.value = useNode(outline, "today").value;
			return () => h("p", `${drawn(rows.value)} ${history.canUndo.value}`);
		},
	});
	const html = await renderToString(createSSRApp(page));
	expect(html).toBe("<p>… false</p>");
	expect([outline.made, outline.historyListeners]).toEqual([0, 0]);
	document.body.innerHTML = html;
	const warn = vi.spyOn(console, "warn");
	app = createSSRApp(page);
	app.mount(document.body);
	await expect.poll(text).toBe("a true");
	expect(warn).not.toHaveBeenCalled();
	unmount();
	expect([outline.open, outline.historyListeners]).toEqual([0, 0]);
});
