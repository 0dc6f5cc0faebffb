import { liveQuery, type Rows } from "outlinekit/live";
import {
	type RowsOptions,
	useHistory,
	useLive,
	useNode,
	useQuery,
	useRows,
	useSuspenseNode,
	useSuspenseQuery,
	useSuspenseRows,
	useSyncStatus,
} from "outlinekit/react";
import { Activity, Component, type ReactNode, StrictMode, Suspense, startTransition, useState } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { drawn, offlineReplica, WatchedOutline } from "./outline.js";

let outline: WatchedOutline;
let root: Root;
let errors: unknown[];
const text = () => document.body.textContent;

beforeEach(() => {
	outline = new WatchedOutline();
	errors = [];
	document.body.innerHTML = "";
	root = createRoot(document.body, { onCaughtError: (error) => errors.push(error) });
});

afterEach(() => root.unmount());

class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
	override state: { error: Error | null } = { error: null };
	static getDerivedStateFromError(error: Error) {
		return { error };
	}
	override render() {
		const { error } = this.state;
		if (error === null) return this.props.children;
		return <button type="button" onClick={() => this.setState({ error: null })}>{`failed: ${error.message}`}</button>;
	}
}

function render(content: ReactNode, into = root): void {
	into.render(
		<StrictMode>
			<Boundary>
				<Suspense fallback="waiting">{content}</Suspense>
			</Boundary>
		</StrictMode>,
	);
}

const tryAgain = () => document.querySelector("button")!.click();

function List({ options }: { options?: RowsOptions }) {
	return drawn(useRows(outline, options));
}

function NodeName({ of }: { of: string | null }) {
	const node = useNode(outline, of);
	return node === undefined ? "…" : node === null ? "none" : node.name;
}

describe("useRows", () => {
	test("shows the rows, follows each commit, and closes what it has opened", async () => {
		const [a] = await outline.plant(["a", "b"]);
		render(<List />);
		expect(text()).toBe("");
		await expect.poll(text).toBe("a,b");
		await outline.create({ parent: a!, name: "c" });
		await expect.poll(text).toBe("a>,b");
		expect(outline.open).toBe(1);
		root.unmount();
		expect(outline.open).toBe(0);
	});

	test("closes what isn't ready yet", async () => {
		const release = outline.hold();
		render(<List />);
		await expect.poll(() => outline.open).toBe(1);
		root.unmount();
		expect(outline.open).toBe(0);
		release();
	});

	test("follows its options, and keeps the old rows until there are new ones", async () => {
		const [a, b] = await outline.plant(["a", "b"]);
		const [c] = await outline.plant(["c"], a!);
		await outline.plant(["d"], c!);
		await outline.complete(b!);
		const seen: string[] = [];
		function Seen({ options }: { options: RowsOptions }) {
			const now = drawn(useRows(outline, options));
			seen.push(now);
			return now;
		}
		render(<Seen options={{}} />);
		await expect.poll(text).toBe("a>,b");
		render(<Seen options={{ expanded: [a!, c!] }} />);
		await expect.poll(text).toBe("a>,-c>,--d,b");
		render(<Seen options={{ expanded: [a!], hides: ({ completed }) => completed }} />);
		await expect.poll(text).toBe("a>,-c>");
		seen.length = 0;
		const release = outline.hold();
		render(<Seen options={{ root: a! }} />);
		await expect.poll(() => seen.length).toBeGreaterThan(0);
		release();
		await expect.poll(text).toBe("c>");
		expect(seen).not.toContain("…");
		render(<Seen options={{ root: a!, look: false }} />);
		await expect.poll(text).toBe("c");
		expect(outline.open).toBe(1);
	});

	test("shows today as soon as the day exists", async () => {
		render(<List options={{ root: "today" }} />);
		await expect.poll(text).toBe("nothing");
		await outline.create({ parent: "today", name: "first" });
		await expect.poll(text).toBe("first");
	});

	test("refuses ids of another type, also when they change", async () => {
		await outline.plant(["a"]);
		render(<List options={{ expanded: "abc" as never }} />);
		await expect.poll(text).toBe('failed: expanded is "abc". It must be an array or a set of ids.');
		render(<List options={{ expanded: [] }} />);
		tryAgain();
		await expect.poll(text).toBe("a");
		render(<List options={{ expanded: [{ id: "a" }] as never }} />);
		await expect.poll(text).toBe("failed: expanded has an object. It must have ids, such as node.id.");
	});

	test("gives the error of any read to the error boundary, and begins again", async () => {
		await outline.plant(["a"]);
		outline.error = new Error("no disk");
		render(<List />);
		await expect.poll(text).toBe("failed: no disk");
		await expect.poll(() => outline.open).toBe(0);
		outline.error = undefined;
		tryAgain();
		await expect.poll(text).toBe("a");
		outline.error = new Error("broken");
		// Whether the new node has children takes a read.
		await outline.plant(["b"]);
		await expect.poll(text).toBe("failed: broken");
		await expect.poll(() => outline.open).toBe(0);
		expect(errors).toHaveLength(2);
	});
});

describe("useQuery", () => {
	test("says what is wrong if the read or the dependencies are something else", async () => {
		function Hits({ args }: { args: readonly unknown[] }) {
			return String(Reflect.apply(useQuery, undefined, [outline, ...args]));
		}
		render(<Hits args={[outline.names()]} />);
		await expect.poll(text).toBe("failed: read is a promise, which must be awaited first. It must be a function.");
		render(<Hits args={[() => outline.names(), { onError() {} }]} />);
		tryAgain();
		await expect.poll(text).toBe("failed: deps must be an array. The options follow it.");
	});

	test("reads again after a commit and when a dependency changes", async () => {
		await outline.plant(["red boat", "blue car"]);
		function Hits({ words }: { words: string }) {
			const hits = useQuery(outline, (outline) => outline.search(words), [words]);
			return (
				hits
					?.map(({ node }) => node.name)
					.sort()
					.join() ?? "…"
			);
		}
		render(<Hits words="red" />);
		await expect.poll(text).toBe("red boat");
		render(<Hits words="blue" />);
		await expect.poll(text).toBe("blue car");
		await outline.plant(["blue sea"]);
		await expect.poll(text).toBe("blue car,blue sea");
		expect(outline.open).toBe(1);
		render(<Hits words={'"unclosed'} />);
		await expect.poll(text).toMatch(/^failed: .*quote/);
		await expect.poll(() => outline.open).toBe(0);
	});
});

test("useNode shows a node until it is deleted, and the node of another reference", async () => {
	const [a, b] = await outline.plant(["a", "b"]);
	render(<NodeName of={a!} />);
	await expect.poll(text).toBe("a");
	await outline.update(a!, { name: "A" });
	await expect.poll(text).toBe("A");
	await outline.delete(a!);
	await expect.poll(text).toBe("none");
	render(<NodeName of={b!} />);
	await expect.poll(text).toBe("b");
	render(<NodeName of={null} />);
	await expect.poll(text).toBe("none");
	render(<NodeName of="today" />);
	await outline.ensure("today");
	await expect.poll(text).toMatch(/\d/);
	expect(outline.open).toBe(1);
});

test("with onError, the errors of rows, nodes and queries go there, and the last values stay", async () => {
	const seen: unknown[] = [];
	const onError = (error: unknown) => seen.push(error);
	function Shown() {
		const rows = useRows(outline, { onError });
		const node = useNode(outline, "key", { onError });
		const names = useQuery(outline, (outline) => outline.names(), [], { onError });
		return `${drawn(rows)} ${node?.name} ${names}`;
	}
	const [a, b] = await outline.plant(["a", "b"]);
	await outline.setShortcut("key", a!);
	render(<Shown />);
	await expect.poll(text).toBe("a,b a a,b");
	outline.error = new Error("broken");
	await outline.setShortcut("key", b!);
	await outline.plant(["c"]);
	await expect.poll(() => seen.length).toBeGreaterThanOrEqual(3);
	expect(new Set(seen)).toEqual(new Set([outline.error]));
	expect(text()).toBe("a,b,c a a,b");
	expect(errors).toEqual([]);
});

test("useHistory knows whether there is a step, without a commit too", async () => {
	function History() {
		const { canUndo, canRedo, undo, redo } = useHistory(outline);
		return (
			<>
				<button type="button" disabled={!canUndo} onClick={undo} />
				<button type="button" disabled={!canRedo} onClick={redo} />
			</>
		);
	}
	const buttons = () => [...document.querySelectorAll("button")];
	const enabled = () => buttons().map(({ disabled }) => !disabled);
	render(<History />);
	await expect.poll(enabled).toEqual([false, false]);
	await outline.plant(["a"]);
	await expect.poll(enabled).toEqual([true, false]);
	buttons()[0]!.click();
	await expect.poll(enabled).toEqual([false, true]);
	buttons()[1]!.click();
	await expect.poll(enabled).toEqual([true, false]);
	await outline.clearHistory();
	await expect.poll(enabled).toEqual([false, false]);
	root.unmount();
	expect(outline.historyListeners).toBe(0);
});

test("useSyncStatus follows a replica, and useLive any live value", async () => {
	const replica = offlineReplica();
	const names = liveQuery(outline, () => outline.names());
	function Status() {
		const { phase } = useSyncStatus(replica);
		return `${phase} ${useLive(names)}`;
	}
	render(<Status />);
	await expect.poll(text).toBe("idle ");
	await outline.plant(["a"]);
	await expect.poll(text).toMatch(/ a$/);
	await replica.sync().catch(() => {});
	await expect.poll(text).toBe("offline a");
	names.close();
	await replica.storage.close();
});

describe("with Suspense", () => {
	function SuspenseNames({ name = "names" }: { name?: string }) {
		return `[${useSuspenseQuery(outline, (outline) => outline.names(), [name])}]`;
	}

	beforeEach(() => {
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		return () => void vi.useRealTimers();
	});

	/** Lets all time pass that React may take to mount a component. */
	const later = () => vi.advanceTimersByTimeAsync(10_000);
	const poll = (value: () => unknown) => {
		const until = performance.now() + 5000;
		return {
			async toBe(expected: unknown) {
				while (value() !== expected && performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
				expect(value()).toBe(expected);
			},
		};
	};

	test("components with one key share one read, suspend until it is ready, and close it", async () => {
		await outline.plant(["a"]);
		const release = outline.hold();
		render([<SuspenseNames key={1} />, <SuspenseNames key={2} />]);
		await poll(text).toBe("waiting");
		release();
		await poll(text).toBe("[a][a]");
		await outline.plant(["b"]);
		await poll(text).toBe("[a,b][a,b]");
		expect([outline.made, outline.open]).toEqual([1, 1]);
		await later();
		expect(outline.open).toBe(1);
		render("nothing");
		await poll(text).toBe("nothing");
		await later();
		expect(outline.open).toBe(0);
	});

	test("keys of other values don't share a read, also if they are sets, maps, undefined or numbers beyond JSON", async () => {
		const keys = [new Set(["a"]), new Set(["b"]), new Map([["a", 1]]), undefined, null, "undefined", Number.NaN, 1n, 1];
		const Place = ({ place }: { place: number }) =>
			useSuspenseQuery(outline, async () => `[${place}]`, ["place", keys[place]]);
		render(keys.map((_, place) => <Place key={place} place={place} />));
		await poll(text).toBe(keys.map((_, place) => `[${place}]`).join(""));
		expect(outline.made).toBe(keys.length);
	});

	test("what never mounts is closed, whether it is ready or fails", async () => {
		for (const error of [undefined, new Error("no disk")]) {
			outline.error = error;
			const release = outline.hold();
			render(<SuspenseNames name={String(error)} />);
			await poll(() => outline.open).toBe(1);
			render("nothing");
			release();
			await poll(text).toBe("nothing");
			await later();
			expect(outline.open).toBe(0);
		}
	});

	test("the first error goes to the error boundary, a later one too, and both begin again", async () => {
		await outline.plant(["a"]);
		outline.error = new Error("no disk");
		render(<SuspenseNames />);
		await poll(text).toBe("failed: no disk");
		outline.error = undefined;
		await later();
		tryAgain();
		await poll(text).toBe("[a]");
		outline.error = new Error("broken");
		await outline.plant(["b"]);
		await poll(text).toBe("failed: broken");
		outline.error = undefined;
		await later();
		tryAgain();
		await poll(text).toBe("[a,b]");
		await later();
		expect(outline.open).toBe(1);
	});

	test("in a transition, the old result stays, and no rendering mixes two states", async () => {
		await outline.plant(["red", "blue"]);
		let choose = (_: string) => {};
		const seen: string[] = [];
		function Found({ words }: { words: string }) {
			const hits = useSuspenseQuery(outline, (outline) => outline.search(words), ["search", words]);
			return hits.map(({ node }) => node.name).join();
		}
		function Search() {
			const [words, setWords] = useState("red");
			choose = setWords;
			return (
				<>
					<i>{words}</i>{" "}
					<b>
						<Found words={words} />
					</b>{" "}
					<b>
						<Found words={words} />
					</b>
				</>
			);
		}
		const observer = new MutationObserver(() => seen.push(text()!));
		observer.observe(document.body, { childList: true, subtree: true, characterData: true });
		render(<Search />);
		await poll(text).toBe("red red red");
		const release = outline.hold();
		startTransition(() => choose("blue"));
		await outline.plant(["red too"]);
		await new Promise((resolve) => setImmediate(resolve));
		expect(text()).toBe("red red red");
		release();
		await poll(text).toBe("blue blue blue");
		await later();
		observer.disconnect();
		for (const state of seen)
			expect(state).toMatch(/^(waiting|red red red|red red,red too red,red too|blue blue blue)?$/);
		expect(outline.open).toBe(1);
	});

	test("rows and nodes suspend too, and rows follow their options", async () => {
		const [a] = await outline.plant(["a", "b"]);
		await outline.plant(["c"], a!);
		function Page({ expanded }: { expanded: string[] }) {
			const node = useSuspenseNode(outline, a!);
			return `${node?.name}: ${drawn(useSuspenseRows(outline, { expanded }))}`;
		}
		render(<Page expanded={[]} />);
		await poll(text).toBe("a: a>,b");
		render(<Page expanded={[a!]} />);
		await poll(text).toBe("a: a>,-c,b");
		await outline.delete(a!);
		await poll(text).toBe("undefined: b");
		expect(outline.open).toBe(2);
	});

	test("a hidden activity closes its value, and opens it again when it is shown", async () => {
		await outline.plant(["a"]);
		const page = (mode: "visible" | "hidden") => (
			<Activity mode={mode}>
				<p>
					<SuspenseNames />
				</p>
			</Activity>
		);
		render(page("visible"));
		await poll(text).toBe("[a]");
		render(page("hidden"));
		await poll(() => document.querySelector("p")!.style.display).toBe("none");
		await later();
		expect(outline.open).toBe(0);
		await outline.plant(["b"]);
		render(page("visible"));
		await poll(text).toBe("[a,b]");
		expect(outline.open).toBe(1);
	});
});

test("all components show the same state after a commit, also within a transition", async () => {
	await outline.plant(["a"]);
	let grow = (_: number) => {};
	const torn: string[] = [];
	function Slow({ of }: { of: number }) {
		const end = performance.now() + 2;
		while (performance.now() < end);
		return <i data-of={of}>{useQuery(outline, (outline) => outline.names()) ?? "…"}</i>;
	}
	function Many() {
		const [count, setCount] = useState(3);
		grow = setCount;
		return Array.from({ length: count }, (_, index) => <Slow key={index} of={count} />);
	}
	const check = () => {
		const shown = new Set(
			Array.from(document.querySelectorAll("i"), (each) => `${each.dataset.of} ${each.textContent}`),
		);
		shown.delete("30 …");
		if (shown.size > 1) torn.push([...shown].join(" | "));
	};
	const observer = new MutationObserver(check);
	observer.observe(document.body, { childList: true, subtree: true, characterData: true });
	render(<Many />);
	await expect.poll(text).toBe("aaa");
	startTransition(() => grow(30));
	await outline.plant(["b"]);
	await expect.poll(text).toBe("a,b".repeat(30));
	await outline.plant(["c"]);
	await expect.poll(text).toBe("a,b,c".repeat(30));
	observer.disconnect();
	expect(torn).toEqual([]);
});

test("a server renders the hooks without reading, and the browser continues from there", async () => {
	await outline.plant(["a"]);
	function Page() {
		const rows: Rows | undefined = useRows(outline);
		const { canUndo } = useHistory(outline);
		// React doesn't change an attribute that the server's page has.
		return <fieldset disabled={!canUndo}>{drawn(rows)}</fieldset>;
	}
	const html = renderToString(<Page />);
	expect(html).toBe('<fieldset disabled="">…</fieldset>');
	expect([outline.made, outline.historyListeners]).toEqual([0, 0]);
	root.unmount();
	const place = document.createElement("div");
	place.innerHTML = html;
	const recovered: unknown[] = [];
	const hydrated = hydrateRoot(place, <Page />, { onRecoverableError: (error) => recovered.push(error) });
	await expect.poll(() => place.innerHTML).toBe("<fieldset>a</fieldset>");
	expect(recovered).toEqual([]);
	hydrated.unmount();
	expect([outline.open, outline.historyListeners]).toEqual([0, 0]);
});
