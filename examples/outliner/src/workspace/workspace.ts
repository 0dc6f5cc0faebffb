import { Outline, type OutlineNode } from "outlinekit";
import { createIndexedDbStorage, type IndexedDbStorage } from "outlinekit/indexeddb";
import { type LiveRows, liveRows, type Row, type Rows } from "outlinekit/live";
import type { CaretPlace } from "../text/caret.js";
import { faultMessage } from "../trust/faults.js";
import { Cell } from "./cell.js";
import { addressOf, pageAddress, shortIdIn } from "./place.js";
import { Preferences } from "./preferences.js";
import { Saves, type TextField } from "./saves.js";
import { nearestBefore, remaining, type Selection, selectedRows } from "./selection.js";

/** The key of the node whose children are shown, as a row. */
export const titleKey = "title";

/** The field that somebody writes in. */
export interface Focus {
	/** Of a row, or `titleKey`. */
	readonly key: string;
	readonly field: TextField;
	/** Where the caret is to go; left out, it is there already. */
	readonly caret?: CaretPlace | undefined;
}

/** What is open over the outline. */
export type Dialog =
	| { readonly type: "search" | "palette" | "calendar" | "shortcuts" | "keys" }
	/** Files are exported and imported: those given at once. */
	| { readonly type: "files"; readonly files?: readonly File[] }
	/** A node is chosen, of which a mirror is put in the place of a row. */
	| { readonly type: "mirror"; readonly key: string }
	/** The places where a node is shown, of which it is one. */
	| { readonly type: "places"; readonly id: string };

/** Something that a person is told, until they have seen it. */
export interface Message {
	readonly text: string;
	readonly isError: boolean;
	readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/** What one tab has open: an outline, the place in it, and where in it somebody is at work. */
export class Workspace {
	readonly storage: IndexedDbStorage;
	readonly outline: Outline;
	readonly preferences = new Preferences();
	readonly saves: Saves;
	readonly rows = new Cell<Rows>({ root: null, rows: [] });
	readonly focus = new Cell<Focus | null>(null);
	readonly selection = new Cell<Selection | null>(null);
	readonly dialog = new Cell<Dialog | null>(null);
	readonly message = new Cell<Message | null>(null);
	/** The ids of blank lines in whose place files were imported, and of the first nodes of these. */
	readonly replaced = new Set<string>();
	#live: LiveRows | undefined;
	/** What is to show next, or shows already. */
	#next: LiveRows | undefined;
	/** The key of the row before the one that somebody was at work in, which is gone. */
	#near: string | undefined;

	constructor(name: string) {
		// What the system has outlives the browser. To wait for the disk at each keystroke would be felt.
		this.storage = createIndexedDbStorage(name, { durability: "relaxed" });
		// What somebody types without a pause is undone at once.
		this.outline = new Outline({
			storage: this.storage,
			appUrl: pageAddress(),
			history: { groupWithin: 1000, steps: 1000 },
		});
		this.saves = new Saves(this.outline);
	}

	/** Opens the place that the address names, and from then on each that it comes to name. */
	async open(): Promise<void> {
		addEventListener("hashchange", () => void this.#follow().catch((error) => this.tell(error)));
		await this.#follow();
	}

	/** Goes to a node, or to the top level, and puts the caret there. */
	async zoom(id: string | null, focus?: Focus): Promise<void> {
		const address = addressOf(id);
		if (location.hash !== address) history.pushState(null, "", address);
		await this.#show(id);
		if (focus !== undefined) this.focus.set(focus);
	}

	/** The node whose children are shown; null for the top level. */
	get root(): OutlineNode | null {
		return this.rows.current.root ?? null;
	}

	/** The row with a key. */
	row(key: string): Row | undefined {
		return this.rows.current.rows.find((row) => row.key === key);
	}

	/** The row that is shown for a node, the first if there are several. */
	rowOf(id: string): Row | undefined {
		return this.rows.current.rows.find(({ node }) => node.id === id);
	}

	/** The node that somebody writes in. */
	get focusedNode(): OutlineNode | null {
		const { current } = this.focus;
		if (current === null) return null;
		return current.key === titleKey ? this.root : (this.row(current.key)?.node ?? null);
	}

	/** The rows that a command is for: those that are selected, or the one that somebody writes in. */
	get chosenRows(): readonly Row[] {
		const { current } = this.selection;
		if (current !== null) return selectedRows(this.rows.current.rows, current);
		const row = this.focus.current === null ? undefined : this.row(this.focus.current.key);
		return row === undefined ? [] : [row];
	}

	/** Puts the caret back where somebody wrote last; if that is gone, into the row before it. Returns whether there is a place. */
	resume(): boolean {
		const { current } = this.focus;
		const near = this.#near === undefined ? undefined : this.row(this.#near);
		const key = current?.key ?? near?.key ?? (this.root === null ? this.rows.current.rows[0]?.key : titleKey);
		if (key === undefined) return false;
		this.focus.set({ key, field: current?.field ?? "name", caret: "end" });
		return true;
	}

	/** Shows or hides the children of nodes. */
	async expand(ids: readonly string[], expanded = true): Promise<void> {
		this.preferences.expand(ids, expanded);
		await this.#live?.expand(ids, expanded);
	}

	/** Finds out whether some rows, which are on the screen, have children. */
	look(rows: readonly Row[]): void {
		void this.#live?.look(rows).catch((error) => this.tell(error));
	}

	/** Shows completed nodes, or leaves them out. */
	hideCompleted(hidesCompleted: boolean): void {
		this.preferences.choose({ hidesCompleted });
		this.#live?.hide(this.#hides);
	}

	/** Tells a person what went wrong. */
	tell(error: unknown): void {
		this.message.set(faultMessage(error, this));
	}

	readonly #hides = ({ completed }: OutlineNode) => completed && this.preferences.choices.current.hidesCompleted;

	async #follow(): Promise<void> {
		const shortId = shortIdIn(location.hash);
		const from = this.root?.id;
		try {
			await this.#show(shortId === null ? null : (await this.outline.get(shortId)).id);
			this.#settle(from);
		} catch (error) {
			if ((error as { code?: unknown }).code !== "not_found") throw error;
			history.replaceState(null, "", addressOf(null));
			await this.#show(null);
			this.message.set({ text: "There is no such node any more. This is the top level.", isError: false });
		}
	}

	/** Puts the caret where somebody will go on: in the node that they come from, or at the beginning. */
	#settle(from: string | undefined): void {
		// Elsewhere a keyboard would come up on the screen.
		if (!matchMedia("(pointer: fine)").matches) return;
		const row = (from === undefined ? undefined : this.rowOf(from)) ?? this.rows.current.rows[0];
		const key = this.root !== null && row?.node.id !== from ? titleKey : row?.key;
		if (key !== undefined) this.focus.set({ key, field: "name", caret: "end" });
	}

	async #show(root: string | null): Promise<void> {
		const { expanded } = this.preferences;
		const onError = (error: unknown) => this.tell(error);
		const live = liveRows(this.outline, { root, expanded, hides: this.#hides, onError });
		if (this.#next !== this.#live) this.#next?.close();
		this.#next = live;
		try {
			await live.ready;
		} catch (error) {
			live.close();
			throw error;
		}
		// Somebody who goes on before it shows wants to see the later place alone.
		if (this.#next !== live) return;
		this.#live?.close();
		this.#live = live;
		this.#near = undefined;
		this.focus.set(null);
		this.selection.set(null);
		live.subscribe(() => this.#changed(live.current));
		this.#changed(live.current);
	}

	#changed(rows: Rows): void {
		if (rows.root === undefined) {
			// Somebody has deleted the node that is shown.
			void this.zoom(null);
			return;
		}
		const before = this.rows.current.rows;
		const selection = this.selection.current;
		const left = selection && remaining(before, rows.rows, selection);
		const at = selection?.head ?? this.focus.current?.key ?? this.#near;
		this.rows.set(rows);
		this.selection.set(left);
		if (at === undefined || at === titleKey || this.row(at) !== undefined) return;
		this.#near = nearestBefore(before, rows.rows, at);
		if (left === null) this.focus.set(null);
	}
}
