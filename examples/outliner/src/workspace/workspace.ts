import { Outline, type OutlineNode } from "outlinekit";
import { createIndexedDbStorage, type IndexedDbStorage } from "outlinekit/indexeddb";
import { type LiveRows, liveRows, type Row, type Rows } from "outlinekit/live";
import { Filter } from "../filter/filter.js";
import { codeOf } from "../text/error-code.js";
import { Cell } from "./cell.js";
import { type Connection, connect, type ServerAddress } from "./connection.js";
import type { Dialog } from "./dialog.js";
import { faultMessage } from "./faults.js";
import type { Focus } from "./focus.js";
import { historyOptions } from "./history-options.js";
import type { Message } from "./message.js";
import { addressOf, pageAddress, queryIn, shortIdIn } from "./place.js";
import { Preferences } from "./preferences.js";
import { Saves, type TextField } from "./saves.js";
import { nearestBefore, remaining, type Selection, selectedRows } from "./selection.js";
import { soon } from "./soon.js";
import { WayBack } from "./way-back.js";

/** The key of the node whose children are visible, as a row. */
export const titleKey = "title";

/** The delay of the search after a commit while a query shows, in milliseconds. */
const searchDelay = 300;

/** The state of a tab: an outline, the visible node, and the place of the caret. */
export class Workspace {
	readonly storage: IndexedDbStorage;
	/** The connection with a server; `null` if the outline is on this device only. */
	readonly connection: Connection | null;
	readonly outline: Outline;
	readonly preferences = new Preferences();
	readonly saves: Saves;
	/** Whether a backup is due. */
	readonly backupIsDue = new Cell(false);
	readonly rows = new Cell<Rows>({ root: null, rows: [] });
	readonly focus = new Cell<Focus | null>(null);
	readonly selection = new Cell<Selection | null>(null);
	readonly wayBack = new WayBack();
	/** The query whose hits alone show; null if all nodes do. */
	readonly filter = new Cell<Filter | null>(null);
	readonly dialog = new Cell<Dialog | null>(null);
	readonly message = new Cell<Message | null>(null);
	/** The place of the caret in a row that was moved elsewhere, while the page goes there. */
	followed: { readonly node: OutlineNode; readonly field: TextField; readonly caret: number | "end" } | null = null;
	/** Called when the visible node is deleted. The node shows until the page goes elsewhere. */
	onRootDeleted = (): void => {};
	#live: LiveRows | undefined;
	/** The node that shows next, or already. */
	#next: LiveRows | undefined;
	/** The keys of the rows to which the caret returns: to the first that shows. */
	#back: readonly string[] = [];
	/** The filter of the rows that show. */
	#shownFilter: Filter | null = null;
	/** The query or the place that the user has asked for last, as a number. */
	#asked = 0;
	/** Resolves when no earlier query is looked for any more. */
	#filtering: Promise<unknown> = Promise.resolve();

	constructor(name: string, server: ServerAddress | null) {
		// Data in the system's cache survives the browser. Waiting for the disk at each keystroke would be
		// noticeable.
		this.storage = createIndexedDbStorage(name, { durability: "relaxed" });
		this.connection = server && connect(this.storage, server);
		const storage = this.connection?.replica.storage ?? this.storage;
		this.outline = new Outline({ storage, appUrl: pageAddress(), history: historyOptions });
		this.saves = new Saves(this.outline);
		let place = "";
		this.focus.subscribe(() => {
			const { key, field } = this.focus.current ?? {};
			if (`${field} ${key}` !== place) this.saves.leave();
			place = `${field} ${key}`;
		});
		this.outline.subscribe(({ source, changes, keys }) => {
			const { current } = this.filter;
			// A node that comes with a key, such as the inbox, isn't written among the hits.
			if (current !== null) this.#searchAgain();
			if (current === null || source !== "local" || keys.length > 0) return;
			const made = changes.flatMap(({ id, before }) => (before === undefined ? [id] : []));
			if (made.length === 0) return;
			this.filter.set(current.with(made));
			this.#shownFilter = this.filter.current;
			this.#live?.hide(this.#hides);
		});
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
		this.#asked += 1;
		this.filter.set(null);
		await this.#show(id);
		if (focus !== undefined) this.focus.set(focus);
	}

	/** The node whose children are visible; null for the top level. */
	get root(): OutlineNode | null {
		return this.rows.current.root ?? null;
	}

	/** The row with a key. */
	row(key: string): Row | undefined {
		return this.#live?.row(key);
	}

	/** The row that shows a node, the first if there are several. */
	rowOf(id: string): Row | undefined {
		return this.rows.current.rows.find(({ node }) => node.id === id);
	}

	/** The node with the caret. */
	get focusedNode(): OutlineNode | null {
		const { current } = this.focus;
		if (current === null) return null;
		return current.key === titleKey ? this.root : (this.row(current.key)?.node ?? null);
	}

	/** The rows for a command: the selected ones, or the one with the caret. */
	get chosenRows(): readonly Row[] {
		const { current } = this.selection;
		if (current !== null) return selectedRows(this.rows.current.rows, current);
		const row = this.focus.current === null ? undefined : this.row(this.focus.current.key);
		return row === undefined ? [] : [row];
	}

	/** Takes the caret out of the rows, until `resume`. */
	leaveRows(): void {
		this.#back = this.#places;
		this.focus.set(null);
		this.selection.set(null);
	}

	/** Returns the caret to its last place, or if that doesn't show, before it. Returns whether there is a place. */
	resume(): boolean {
		const { current } = this.focus;
		const back = this.#back.find((key) => this.row(key) !== undefined);
		const key = current?.key ?? back ?? (this.root === null ? this.rows.current.rows[0]?.key : titleKey);
		if (key === undefined) return false;
		this.focus.set({ key, field: current?.field ?? "name", caret: "end" });
		return true;
	}

	/** Shows the hits of a query alone, in their places; with `null` shows all nodes again. */
	filterBy(query: string | null): Promise<void> {
		const { current } = this.filter;
		const id = this.root?.id ?? null;
		const address = addressOf(id, query);
		if (current === null) history.pushState(null, "", address);
		else history.replaceState(null, "", address);
		this.filter.set(query === null ? null : (current ?? Filter.none).asking(query));
		const asked = ++this.#asked;
		const filter = async () => {
			// Of the letters that a person types during a search, only the last one counts.
			if (this.#asked !== asked) return;
			await this.#find(id);
			if (this.#asked === asked && !this.filter.current?.showsLike(this.#shownFilter)) await this.#show(id);
		};
		const done = this.#filtering.then(filter);
		this.#filtering = done.catch(() => {});
		return done;
	}

	/** Shows or hides the children of nodes. */
	async expand(ids: readonly string[], expanded = true): Promise<void> {
		// While a filter shows, the nodes above its hits are unfolded for the time being.
		if (this.filter.current?.above === undefined) this.preferences.expand(ids, expanded);
		await this.#live?.expand(ids, expanded);
	}

	/** Finds out whether some rows, which are on the screen, have children. */
	look(rows: readonly Row[]): void {
		this.wayBack.look(rows);
		void this.#live?.look(rows).catch((error) => this.tell(error));
	}

	/** Shows completed nodes, or leaves them out. */
	hideCompleted(hidesCompleted: boolean): void {
		this.preferences.choose({ hidesCompleted });
		this.#live?.hide(this.#hides);
	}

	/** Tells a person what went wrong. @param typed - the text that wasn't stored because of it */
	tell(error: unknown, typed = ""): void {
		const message = faultMessage(error, this);
		const unsaved = typed.trim() === "" ? "" : ` What you have typed since isn’t saved: “${typed.trim()}”.`;
		this.message.set({ ...message, text: message.text + unsaved });
	}

	readonly #hides = ({ id, completed }: OutlineNode) =>
		(completed && this.preferences.choices.current.hidesCompleted) || this.filter.current?.shows(id) === false;

	/**
	 * Finds the hits of the query that shows, unless another one shows by then. Returns whether they differ.
	 *
	 * @param kept - returns the ids of nodes that show on, even if they are no hits
	 */
	async #find(within: string | null, kept: () => Iterable<string> = () => []): Promise<boolean> {
		const asked = this.filter.current;
		const found = await asked?.found(this.outline, within);
		if (found === undefined || found === asked || this.filter.current !== asked) return false;
		this.filter.set(found.with(kept()));
		return true;
	}

	/** Searches after commits. A row that shows stays, even if it is no hit any more: it may have the caret. */
	readonly #searchAgain = soon(
		async () => {
			const unfolded = this.filter.current?.above;
			const shown = () => this.rows.current.rows.map(({ node }) => node.id);
			if (!(await this.#find(this.root?.id ?? null, shown))) return;
			await this.#live?.expand([...(this.filter.current?.above ?? [])].filter((id) => !unfolded?.has(id)));
			this.#live?.hide(this.#hides);
		},
		searchDelay,
		(error) => this.tell(error),
	);

	async #follow(): Promise<void> {
		const shortId = shortIdIn(location.hash);
		const from = this.root?.id;
		try {
			const id = shortId === null ? null : (await this.outline.get(shortId)).id;
			const query = queryIn(location.hash);
			this.#asked += 1;
			this.filter.set(query === null ? null : Filter.none.asking(query));
			await this.#find(id);
			await this.#show(id);
			if (query === null) this.#settle(from);
		} catch (error) {
			if (codeOf(error) !== "not_found") throw error;
			history.replaceState(null, "", addressOf(null));
			await this.#show(null);
			this.#settle(undefined);
			this.message.set({ text: "This node doesn't exist any more. This is the top level.", isError: false });
		}
	}

	/** Puts the caret into the node that the user comes from, or where it was, or at the beginning. */
	#settle(from: string | undefined): void {
		const row = from === undefined ? undefined : this.rowOf(from);
		if (row !== undefined) this.#back = [row.key];
		else if (this.#back.length === 0) this.#back = this.wayBack.to(this.root?.id ?? null);
		if (matchMedia("(pointer: fine)").matches) this.resume();
		// With the caret, a keyboard would come up on the screen.
		else this.wayBack.sight.set(this.#back[0] ?? null);
	}

	async #show(root: string | null): Promise<void> {
		const expanded = this.filter.current?.above ?? this.preferences.expanded;
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
		// A user who goes on before it shows wants to see only the later place.
		if (this.#next !== live) return;
		const left = this.root?.id ?? null;
		if (root !== left) this.wayBack.leave(left, this.selection.current?.head ?? this.focus.current?.key);
		this.#back = root === left ? this.#places : [];
		this.#live?.close();
		this.#live = live;
		this.#shownFilter = this.filter.current;
		if (root !== null) this.preferences.visit(root);
		this.focus.set(null);
		this.selection.set(null);
		const changed = () => (live.current.root === undefined ? this.onRootDeleted() : this.#changed(live.current));
		live.subscribe(changed);
		changed();
	}

	#changed(rows: Rows): void {
		const before = this.rows.current.rows;
		const selection = this.selection.current;
		const left = selection && remaining(before, rows.rows, selection);
		const places = this.#places;
		this.rows.set(rows);
		this.selection.set(left);
		if (places.length === 0 || places.some((key) => key === titleKey || this.row(key) !== undefined)) return;
		this.#back = [places[0]!, ...nearestBefore(before, rows.rows, places.at(-1)!)];
		if (left === null) this.focus.set(null);
	}

	/** The key of the row with the caret, or the keys of those to which it returns. */
	get #places(): readonly string[] {
		const key = this.selection.current?.head ?? this.focus.current?.key;
		return key === undefined ? this.#back : [key];
	}
}
