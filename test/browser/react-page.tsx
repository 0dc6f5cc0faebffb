import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { App } from "../../examples/react/app.js";
import { Boundary } from "../../examples/react/boundary.js";

type Reading = "works" | "fails" | "waits";

/** The numbers of subscriptions to the outline: all so far, and the current ones. */
const subscriptions = { made: 0, open: 0 };

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
}

const outline = new CountingOutline({ storage: createMemoryStorage(), timeZone: "UTC", limits: { name: 1000 } });
let root: Root;

/** Creates nodes from lines; indented lines become children of the last line without an indent. */
export async function plant(text: string): Promise<void> {
	let parent: string | null = null;
	for (const line of text.split("\n")) {
		const name = line.trim();
		const node = await outline.create({ name, parent: name === line ? null : parent, position: "bottom" });
		if (name === line) parent = node.id;
	}
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

export function showApp(): void {
	render(<App outline={outline} />);
}

export function unmount(): void {
	root.unmount();
}

function render(content: React.ReactNode): void {
	root ??= createRoot(document.body.appendChild(document.createElement("div")));
	root.render(
		<StrictMode>
			<Boundary>{content}</Boundary>
		</StrictMode>,
	);
}
