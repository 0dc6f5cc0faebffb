import { Cell } from "./cell.js";

export type Theme = "system" | "light" | "dark";

/** The user's choices on this device. */
export interface Choices {
	readonly theme: Theme;
	readonly hidesCompleted: boolean;
	/** Whether the sidebar shows beside the text, where there is room; null as long as the user hasn't chosen. */
	readonly sidebar: boolean | null;
	/** Whether the outliner has asked the user to keep the outline for ever. */
	readonly askedToPersist: boolean;
}

const choicesKey = "outline-preferences";
const expandedKey = "outline-expanded";
const recentKey = "outline-recent";
/** The most places that are remembered. */
const mostRecent = 20;
const defaults: Choices = { theme: "system", hidesCompleted: false, sidebar: null, askedToPersist: false };
/**
 * The delay before the unfolded nodes are stored, in milliseconds. For many nodes, that takes a while, so it waits for a
 * pause.
 */
const delay = 1000;

/** The state that this device stores besides the outline. Losing it loses no text. */
export class Preferences {
	readonly choices = new Cell<Choices>({ ...defaults, ...(stored(choicesKey) as Partial<Choices> | undefined) });
	/** The ids of the nodes that the user has gone into, the last one first. */
	readonly recent = new Cell<readonly string[]>(storedList(recentKey));
	readonly #expanded = new Set<string>(storedList(expandedKey));
	#waiting: ReturnType<typeof setTimeout> | undefined;

	constructor() {
		addEventListener("pagehide", () => this.settle());
	}

	/** The ids of the nodes whose children show. */
	get expanded(): ReadonlySet<string> {
		return this.#expanded;
	}

	/** Replaces some choices. */
	choose(change: Partial<Choices>): void {
		this.choices.set({ ...this.choices.current, ...change });
		keep(choicesKey, this.choices.current);
	}

	/** Remembers that the user has gone into a node. */
	visit(id: string): void {
		if (this.recent.current[0] === id) return;
		this.recent.set([id, ...this.recent.current.filter((other) => other !== id)].slice(0, mostRecent));
		keep(recentKey, this.recent.current);
	}

	/** Remembers whether the children of nodes show. */
	expand(ids: Iterable<string>, expanded: boolean): void {
		for (const id of ids) {
			if (expanded) this.#expanded.add(id);
			else this.#expanded.delete(id);
		}
		clearTimeout(this.#waiting);
		this.#waiting = setTimeout(() => this.settle(), delay);
	}

	/** Stores the unfolded nodes at once, for a page that opens now. */
	settle(): void {
		if (this.#waiting === undefined) return;
		clearTimeout(this.#waiting);
		this.#waiting = undefined;
		keep(expandedKey, [...this.#expanded]);
	}
}

function stored(key: string): unknown {
	try {
		return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined;
	} catch {
		return undefined;
	}
}

function storedList(key: string): string[] {
	const value = stored(key);
	return Array.isArray(value) ? value : [];
}

function keep(key: string, value: unknown): void {
	try {
		localStorage.setItem(key, JSON.stringify(value));
	} catch {
		// Without room for it, or in a window that keeps nothing, it holds as long as the page is open.
	}
}
