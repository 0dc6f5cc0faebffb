import { liveQuery } from "outlinekit/live";
import { type RowsOptions, useHistory, useLive, useNode, useQuery, useRows, useSyncStatus } from "outlinekit/solid";
import { createComponent, createMemo, createSignal, ErrorBoundary, type JSX } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drawn, offlineReplica, WatchedOutline } from "./outline.js";

let outline: WatchedOutline;
let dispose: () => void;
let tryAgain: () => void;
const text = () => document.body.textContent;

beforeEach(() => {
	outline = new WatchedOutline();
	document.body.innerHTML = "";
});

afterEach(() => dispose());

/** A text that changes, as the compiler makes it from `<>{text()}</>`. */
function textOf(text: () => string | undefined): JSX.Element {
	return createMemo(text) as unknown as JSX.Element;
}

/** Shows a component. Its errors show in its place. */
function show(component: () => JSX.Element): void {
	const fallback = (error: Error, reset: () => void) => {
		tryAgain = reset;
		return `failed: ${error.message}`;
	};
	const children = {
		fallback,
		get children() {
			return createComponent(component, {});
		},
	};
	dispose = render(() => createComponent(ErrorBoundary, children), document.body);
}

test("rows show, follow each commit and their options, and close", async () => {
	const [a, b] = await outline.plant(["a", "b"]);
	await outline.complete(b!);
	const [options, set] = createSignal<RowsOptions>({});
	const seen: string[] = [];
	show(() => {
		const rows = useRows(outline, options);
		return textOf(() => {
			seen.push(drawn(rows()));
			return seen.at(-1);
		});
	});
	expect(text()).toBe("…");
	await expect.poll(text).toBe("a,b");
	await outline.plant(["c"], a!);
	await expect.poll(text).toBe("a>,b");
	set({ expanded: [a!], hides: ({ completed }) => completed });
	await expect.poll(text).toBe("a>,-c");
	seen.length = 0;
	const release = outline.hold();
	set({ root: a! });
	await outline.plant(["d"]);
	release();
	await expect.poll(text).toBe("c");
	expect(seen).not.toContain("…");
	set({ root: "today" });
	await expect.poll(text).toBe("nothing");
	await outline.create({ parent: "today", name: "first" });
	await expect.poll(text).toBe("first");
	expect(outline.open).toBe(1);
	dispose();
	expect(outline.open).toBe(0);
});

test("what isn't ready yet is closed", async () => {
	const release = outline.hold();
	show(() => {
		const rows = useRows(outline);
		return textOf(() => drawn(rows()));
	});
	expect(outline.open).toBe(1);
	dispose();
	expect(outline.open).toBe(0);
	release();
});

test("a query reads again after a commit, and when a signal changes that it uses", async () => {
	await outline.plant(["red boat", "blue car"]);
	const [words, setWords] = createSignal("red");
	show(() => {
		const hits = useQuery(outline, (outline) => outline.search(words()));
		return (() =>
			hits()
				?.map(({ node }) => node.name)
				.sort()
				.join()) as unknown as JSX.Element;
	});
	await expect.poll(text).toBe("red boat");
	setWords("blue");
	await expect.poll(text).toBe("blue car");
	await outline.plant(["blue sea"]);
	await expect.poll(text).toBe("blue car,blue sea");
	expect(outline.open).toBe(1);
});

test("a node shows until it is deleted, and the node of another reference follows", async () => {
	const [a, b] = await outline.plant(["a", "b"]);
	const [id, setId] = createSignal<string | null>(a!);
	show(() => {
		const node = useNode(outline, id);
		return textOf(() => (node() === undefined ? "…" : (node()?.name ?? "none")));
	});
	await expect.poll(text).toBe("a");
	await outline.delete(a!);
	await expect.poll(text).toBe("none");
	setId(b!);
	await expect.poll(text).toBe("b");
	setId(null);
	await expect.poll(text).toBe("none");
});

test("the error of any read goes to the error boundary, which begins again", async () => {
	await outline.plant(["a"]);
	outline.error = new Error("no disk");
	show(() => {
		const names = useQuery(outline, (outline) => outline.names());
		return textOf(() => names() ?? "…");
	});
	await expect.poll(text).toBe("failed: no disk");
	outline.error = undefined;
	tryAgain();
	await expect.poll(text).toBe("a");
	outline.error = new Error("broken");
	await outline.plant(["b"]);
	await expect.poll(text).toBe("failed: broken");
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
		return textOf(() => `${drawn(rows())} ${node()?.name} ${names()}`);
	});
	await expect.poll(text).toBe("a,b a a,b");
	outline.error = new Error("broken");
	await outline.setShortcut("key", b!);
	await outline.plant(["c"]);
	await expect.poll(() => seen.length).toBeGreaterThanOrEqual(3);
	expect(new Set(seen)).toEqual(new Set([outline.error]));
	expect(text()).toBe("a,b,c a a,b");
});

test("the history, the status of a replica and any live value show", async () => {
	const replica = offlineReplica();
	const names = liveQuery(outline, () => outline.names());
	let undo = () => Promise.resolve<unknown>(null);
	show(() => {
		const history = useHistory(outline);
		({ undo } = history);
		const [status, live] = [useSyncStatus(replica), useLive(names)];
		return textOf(() => `${history.canUndo()} ${history.canRedo()} ${status().phase} ${live()}`);
	});
	await expect.poll(text).toBe("false false idle ");
	await outline.plant(["a"]);
	await expect.poll(text).toBe("true false idle a");
	await undo();
	await expect.poll(text).toBe("false true idle ");
	await outline.clearHistory();
	await replica.sync().catch(() => {});
	await expect.poll(text).toBe("false false offline ");
	dispose();
	expect(outline.historyListeners).toBe(0);
	names.close();
	await replica.storage.close();
});

test("the history has no steps until the component is mounted, as in the page of a server", async () => {
	await outline.plant(["a"]);
	show(() => {
		const { canUndo } = useHistory(outline);
		const first = canUndo();
		return textOf(() => `${first} ${canUndo()}`);
	});
	expect(text()).toBe("false true");
});
