import { Outline } from "outlinekit";
import type { Rows } from "outlinekit/live";
import { createMemoryStorage } from "outlinekit/memory";
import { StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { App } from "../../examples/react/app.js";
import { Boundary } from "../../examples/react/boundary.js";
import { useQuery } from "../../examples/react/query.js";
import { type RowsOptions, useRows } from "../../examples/react/rows.js";

type Reading = "works" | "fails" | "waits";

/** The numbers of subscriptions to the outline: all so far, and the current ones. */
const subscriptions = { made: 0, open: 0 };
/** The values of each rendering: the names of rows and of found nodes; null before the first values. */
const renderings: { rows: string[] | null; hits: string[] | null }[] = [];

/** The promise that delays a step. */
class Gate {
	passed = Promise.resolve();
	/** Ends the waiting that was begun last. */
	settle: (reading: Reading) => void = () => {};

	/** For what comes from now on. */
	set(reading: Reading): void {
		this.passed = new Promise((resolve, reject) => {
			const settle = (reading: Reading) => {
				if (reading === "works") resolve();
				if (reading === "fails") reject(new Error("no disk"));
			};
			settle(reading);
			if (reading === "waits") this.settle = settle;
		});
		this.passed.catch(() => {});
	}
}

class CountingOutline extends Outline {
	readonly reading = new Gate();
	readonly answering = new Gate();

	override subscribe(...args: Parameters<Outline["subscribe"]>): () => void {
		const stop = super.subscribe(...args);
		const ends = new Set([stop]);
		subscriptions.made += 1;
		subscriptions.open += 1;
		return () => {
			if (ends.delete(stop)) subscriptions.open -= 1;
			stop();
		};
	}

	override async create(...args: Parameters<Outline["create"]>): ReturnType<Outline["create"]> {
		const node = await super.create(...args);
		await this.answering.passed;
		return node;
	}

	override async list(...args: Parameters<Outline["list"]>): ReturnType<Outline["list"]> {
		await this.reading.passed;
		return super.list(...args);
	}

	override async search(...args: Parameters<Outline["search"]>): ReturnType<Outline["search"]> {
		await this.reading.passed;
		return super.search(...args);
	}
}

const outline = new CountingOutline({ storage: createMemoryStorage(), timeZone: "UTC", limits: { name: 1000 } });
const ids = new Map<string, string>();
let root: Root;

/** Creates nodes from lines; indented lines become children of the last line without an indent. */
export async function plant(text: string): Promise<void> {
	let parent: string | null = null;
	for (const line of text.split("\n")) {
		const name = line.trim();
		const node = await outline.create({ name, parent: name === line ? null : parent, position: "bottom" });
		ids.set(name, node.id);
		if (name === line) parent = node.id;
	}
}

export async function complete(name: string): Promise<void> {
	await outline.complete(ids.get(name)!);
}

/** Has readings from now on work, or fail, or wait. */
export function setReading(reading: Reading): void {
	outline.reading.set(reading);
}

/** Has the readings that wait go on. */
export function goOn(reading: Reading): void {
	outline.reading.settle(reading);
}

/** Delays the answer of a create, or makes it fail. */
export function setAnswering(answering: Reading): void {
	outline.answering.set(answering);
}

/** Releases the delayed answers. */
export function answer(answering: Reading): void {
	outline.answering.settle(answering);
}

export function count(): typeof subscriptions {
	return subscriptions;
}

/** The renderings since the last call. */
export function rendered(): typeof renderings {
	return renderings.splice(0);
}

export function showApp(): void {
	render(<App outline={outline} />);
}

/** Renders what uses the hooks with these options, nodes being named. */
export function showProbe({ root, expanded, completed, words }: Probed): void {
	const options: RowsOptions = {
		root: root === undefined ? null : ids.get(root)!,
		...(expanded === undefined ? {} : { expanded: new Set(expanded.map((name) => ids.get(name)!)) }),
		...(completed === undefined ? {} : { completed }),
	};
	render(<Probe options={options} words={words ?? "a"} />);
}

export function unmount(): void {
	root.unmount();
}

interface Probed {
	readonly root?: string;
	readonly expanded?: readonly string[];
	readonly completed?: boolean;
	readonly words?: string;
}

function Probe({ options, words }: { options: RowsOptions; words: string }) {
	const rows = useRows(outline, options);
	const hits = useQuery(outline, (outline) => outline.search(words), [words]);
	renderings.push({
		rows: rows === undefined ? null : namesOf(rows),
		hits: hits === undefined ? null : hits.map(({ node }) => node.name),
	});
	return <p>{rows !== undefined && namesOf(rows).join(" ")}</p>;
}

/** As a person would write them: what has children is marked. */
function namesOf({ rows }: Rows): string[] {
	return rows.map(({ node, hasChildren }) => {
		const sign = hasChildren === undefined ? "?" : hasChildren ? ">" : "";
		return `${node.name}${sign}`;
	});
}

function render(content: React.ReactNode): void {
	root ??= createRoot(document.body.appendChild(document.createElement("div")));
	root.render(
		<StrictMode>
			<Boundary>{content}</Boundary>
		</StrictMode>,
	);
}
