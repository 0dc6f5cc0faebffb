import { expect } from "vitest";
import type { OutlineEvent } from "../../src/engine/event.js";
import { OutlineError } from "../../src/errors.js";
import type { OutlineNode } from "../../src/node.js";
import { Outline } from "../../src/outline.js";
import type { StorageAdapter } from "../../src/storage.js";
import { numberedId, scattered } from "../support/ids.js";
import { exported } from "../support/outline.js";
import { type Command, fragments, names, type Pick, propertyChanges, referenceText } from "./commands.js";
import { type NaiveNode, NaiveOutline, Refusal } from "./naive-outline.js";
import { type PlaceArguments, perform } from "./perform.js";

const appUrl = "https://outline.example";

/** Directly beside a node. */
interface Beside {
	side: "before" | "after";
	sibling: NaiveNode;
}

/** A copy of an outline that follows the feed of changes. */
class Copy {
	readonly nodes = new Map<string, OutlineNode>();
	readonly keys = new Map<string, string>();
	revision = 0;

	/** Brings the copy up to date, a few changes at a time. */
	async follow(outline: Outline): Promise<void> {
		for (let more = true; more; ) {
			const changes = await outline.changes({ since: this.revision, limit: 2 });
			for (const id of changes.deleted) this.nodes.delete(id);
			for (const node of changes.nodes) this.nodes.set(node.id, node);
			for (const { key, type, nodeId } of changes.keys) {
				expect(type).toBe(/^(inbox|calendar)$/.test(key) ? "system" : /^\d{4}/.test(key) ? "calendar" : "shortcut");
				if (nodeId === null) this.keys.delete(key);
				else this.keys.set(key, nodeId);
			}
			expect(changes.revision > this.revision || !changes.more).toBe(true);
			this.revision = changes.revision;
			more = changes.more;
		}
	}
}

/** The engine beside the model. Each command goes to both, and then the two must agree on everything. */
export class Comparison {
	readonly #open: () => StorageAdapter;
	readonly #access: (outline: Outline) => Outline;
	readonly #model = new NaiveOutline();
	/** Ids by the model's own numbers; filled in as nodes are first seen. */
	readonly #ids = new Map<number, string>();
	/** The events that came since the last comparison. */
	readonly #heard: OutlineEvent[] = [];
	/** The nodes of the outline, as events have described them. */
	readonly #told = new Map<string, OutlineNode>();
	#outline!: Outline;
	/** The nodes of the keys, as events have described them. */
	readonly #toldKeys = new Map<string, string>();
	/** A copy that follows the feed of changes, and its revision. */
	#copy = new Copy();
	#revision = 0;
	#horizon = 0;
	#seconds = 1_795_219_200; // Sat, Nov 21, 2026, 00:00 UTC
	#drawn = 0;

	/**
	 * @param open - gives the storage, again each time that the outline is reopened
	 * @param access - wraps the outline, for example by HTTP
	 */
	constructor(open: () => StorageAdapter, access: (outline: Outline) => Outline = (outline) => outline) {
		this.#open = open;
		this.#access = access;
		this.#begin();
	}

	/** Gives both a command and compares them. */
	async run(command: Command): Promise<void> {
		if (command.type === "wait") {
			this.#seconds += command.seconds;
			return;
		}
		if (command.type === "reopen") {
			await this.#outline.close();
			this.#begin();
			await this.#compare();
			return;
		}
		if (command.type === "prune") {
			await this.#prune(Math.max(0, this.#revision - command.back));
			await this.#compare();
			return;
		}
		// Read before the model changes: both sides must mean the same nodes.
		const node = "node" in command ? this.#text(command.node) : undefined;
		const parent = "parent" in command && command.parent !== undefined ? this.#text(command.parent) : undefined;
		const beside = this.#beside(command);
		const place = this.#place(command, parent, beside);
		const expected = this.#expect(command, beside);
		const actual = await perform(this.#outline, command, node!, place).then(
			(value) => ({ value }),
			(error) => {
				if (!(error instanceof OutlineError)) throw error;
				return { code: error.code };
			},
		);
		if ("code" in expected) expect(actual).toEqual({ code: expected.code });
		else if ("code" in actual) throw new Error(`refused with ${actual.code}, where the model goes on`);
		await this.#compare();
		if ("value" in actual && "node" in expected)
			await this.#compareResult(command, expected.node, actual.value, beside);
	}

	close(): Promise<void> {
		return this.#outline.close();
	}

	#begin(): void {
		const outline = new Outline({
			storage: this.#open(),
			timeZone: "UTC",
			appUrl,
			now: () => this.#seconds * 1000,
			generateId: () => numberedId(scattered(++this.#drawn)),
		});
		this.#outline = this.#access(outline);
		this.#outline.subscribe((event) => this.#heard.push(event));
	}

	/** Drops tombstones. A copy from before has to begin again, and then it has everything. */
	async #prune(before: number): Promise<void> {
		await this.#outline.prune({ before });
		this.#horizon = Math.max(this.#horizon, before - 1);
		if (this.#horizon > 1) {
			const expired = this.#outline.changes({ since: this.#horizon - 1 });
			await expect(expired).rejects.toMatchObject({ code: "changes_expired" });
		}
		await this.#outline.changes({ since: this.#horizon });
		this.#copy = new Copy();
	}

	#hear({ revision, source, changes, keys }: OutlineEvent): void {
		expect(source).toBe("local");
		expect(revision).toBe(this.#revision + 1);
		this.#revision = revision;
		for (const { key, nodeId } of keys) {
			expect(this.#toldKeys.get(key)).not.toBe(nodeId ?? undefined);
			if (nodeId === null) this.#toldKeys.delete(key);
			else this.#toldKeys.set(key, nodeId);
		}
		for (const { id, before, after } of changes) {
			expect(before).toEqual(this.#told.get(id));
			expect(before).not.toEqual(after);
			if (after === undefined) this.#told.delete(id);
			else this.#told.set(id, after);
		}
	}

	#expect(command: Command, beside: Beside | undefined): { node: NaiveNode | null } | { code: string } {
		const undo = this.#model.snapshot();
		try {
			return { node: this.#apply(command, beside) };
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			undo();
			return { code: error.code };
		}
	}

	#apply(command: Command, beside: Beside | undefined): NaiveNode | null {
		const model = this.#model;
		const place = "spot" in command && typeof command.spot === "string" ? command.spot : (beside ?? "top");
		switch (command.type) {
			case "create": {
				const parent = beside === undefined ? this.#parent(command.parent) : beside.sibling.parent;
				const blocks = names[command.name]!.blocks.map((block) => ({ ...block }));
				if (command.layoutMode !== undefined) {
					blocks[0]!.layoutMode = command.layoutMode;
					blocks[0]!.completed &&= command.layoutMode === "todo";
				}
				blocks[0]!.completed = command.completed ?? blocks[0]!.completed;
				const properties = propertyChanges[command.properties ?? 0]!;
				return model.create(parent, blocks, command.note, properties, place, this.#seconds);
			}
			case "update": {
				const node = this.#node(command.node);
				const change = {
					...(command.name !== undefined && { name: fragments[command.name]!.name }),
					...(command.note !== undefined && { note: command.note }),
					...(command.layoutMode !== undefined && { layoutMode: command.layoutMode }),
				};
				model.update(node, change, propertyChanges[command.properties ?? 0]!, this.#seconds);
				if (command.completed !== undefined) model.setCompleted(node, command.completed, this.#seconds);
				return node;
			}
			case "move": {
				const node = this.#node(command.node);
				const absent =
					command.parent === undefined || (command.parent.kind === "root" && command.parent.form === "absent");
				const parent =
					beside?.sibling.parent ?? (beside !== undefined ? null : absent ? undefined : this.#parent(command.parent!));
				return model.move(node, parent, place, this.#seconds);
			}
			case "duplicate": {
				const node = this.#node(command.node);
				const { parent: given, spot } = command;
				const absent = given === undefined || (given.kind === "root" && given.form === "absent");
				if (beside !== undefined) return model.duplicate(node, beside.sibling.parent, beside, this.#seconds);
				const end = typeof spot === "string" ? spot : undefined;
				return model.duplicate(node, absent ? undefined : this.#parent(given), end, this.#seconds);
			}
			case "mirror": {
				const node = this.#node(command.node);
				const parent = beside === undefined ? this.#node(command.parent) : beside.sibling.parent!;
				return model.mirror(node, parent, place, this.#seconds);
			}
			case "remove mirror":
				model.removeMirror(this.#node(command.node));
				return null;
			case "delete":
				model.delete(this.#node(command.node));
				return null;
			case "complete":
			case "uncomplete":
				return model.setCompleted(this.#node(command.node), command.type === "complete", this.#seconds);
			case "ensure":
				if (command.node.kind !== "key") return this.#node(command.node);
				return model.onDemand(this.#calendarKey(command.node.key), this.#seconds);
			case "get":
				return this.#node(command.node);
			case "list":
				if (command.node.kind === "key" && command.node.key === "inbox" && !model.keys.has("inbox")) return null;
				return this.#node(command.node);
			case "set shortcut":
				model.keys.set(command.key, this.#node(command.node));
				return null;
			case "delete shortcut":
				if (!model.keys.delete(command.key)) throw new Refusal("not_found");
				return null;
			case "targets":
			case "prune":
			case "wait":
			case "reopen":
				return null;
			default:
				throw new Error(`Add the command ${(command satisfies never as Command).type}.`);
		}
	}

	/** Everything that can be read must be what the model has. */
	async #compare(): Promise<void> {
		for (const event of this.#heard.splice(0)) this.#hear(event);
		const rows = await exported(this.#outline);
		const byParent = new Map<string | null, OutlineNode[]>();
		for (const row of rows) byParent.set(row.parentId, [...(byParent.get(row.parentId) ?? []), row]);
		for (const siblings of byParent.values()) {
			siblings.sort((left, right) => left.priority - right.priority);
			expect(new Set(siblings.map(({ priority }) => priority)).size).toBe(siblings.length);
			for (const { priority } of siblings) expect(Number.isSafeInteger(priority)).toBe(true);
		}
		const bind = (nodes: NaiveNode[], parentId: string | null) => {
			const siblings = byParent.get(parentId) ?? [];
			expect(siblings.map(({ name }) => name)).toEqual(nodes.map((node) => this.#model.content(node).name));
			nodes.forEach((node, place) => {
				const id = siblings[place]!.id;
				expect(this.#ids.get(node.key) ?? id).toBe(id);
				this.#ids.set(node.key, id);
				bind(node.children, id);
			});
		};
		bind(this.#model.roots, null);
		const all = this.#model.all();
		expect(rows.length).toBe(all.length);
		const rowOf = new Map(rows.map((row) => [row.id, row]));
		for (const node of all) expect(rowOf.get(this.#id(node))).toEqual(this.#view(node, rowOf));
		expect(new Set(rows.map(({ id }) => id.slice(-12))).size).toBe(rows.length);
		expect(new Map(this.#told)).toEqual(rowOf);
		await this.#copy.follow(this.#outline);
		expect(this.#copy.revision).toBe(this.#revision);
		expect(this.#copy.nodes).toEqual(rowOf);
		const keys = new Map(Array.from(this.#model.keys, ([key, node]) => [key, this.#id(node)]));
		expect(this.#toldKeys).toEqual(keys);
		expect(this.#copy.keys).toEqual(keys);
		const system = {
			inbox: "inbox",
			calendar: "calendar",
			today: this.#day(0),
			tomorrow: this.#day(1),
			next_week: this.#monday(),
		};
		const name = (key: string) => {
			const node = this.#model.keys.get(key);
			return node === undefined ? null : this.#model.content(node).name;
		};
		expect(await this.#outline.targets()).toEqual([
			...Object.entries(system).map(([key, place]) => ({ key, type: "system", name: name(place) })),
			...[...this.#model.keys.keys()]
				.filter((key) => !/^(inbox|calendar|\d{4}.*)$/.test(key))
				.sort()
				.map((key) => ({ key, type: "shortcut", name: name(key) })),
		]);
	}

	async #compareResult(
		command: Command,
		node: NaiveNode | null,
		value: unknown,
		beside: Beside | undefined,
	): Promise<void> {
		if (command.type === "list") {
			const { nodes, mirror } = value as Awaited<ReturnType<Outline["list"]>>;
			if (node === null) {
				expect(nodes).toEqual([]);
				return;
			}
			const shown = node.origin === null ? node.children : [...node.origin.children, ...node.children];
			const got = await Promise.all(shown.map((child) => this.#outline.get(this.#id(child))));
			const sorted = got.sort((left, right) => left.priority - right.priority || (left.id < right.id ? -1 : 1));
			expect(nodes).toEqual(sorted.map((child) => ({ ...child, parentId: this.#id(node) })));
			expect(mirror).toEqual(node.origin === null ? undefined : { originId: this.#id(node.origin) });
			return;
		}
		if (node === null) return;
		expect(value).toEqual(await this.#outline.get(this.#id(node)));
		if (command.type !== "move" && beside === undefined) return;
		const visible = await this.#outline.list(node.parent === null ? null : this.#id(node.parent));
		const ids = visible.nodes.map(({ id }) => id);
		if (beside !== undefined) {
			const distance = ids.indexOf(this.#id(node)) - ids.indexOf(this.#id(beside.sibling));
			expect(distance).toBe(beside.side === "after" ? 1 : -1);
		} else if ("spot" in command) expect(ids.at(command.spot === "bottom" ? -1 : 0)).toBe(this.#id(node));
	}

	#view(node: NaiveNode, rows: ReadonlyMap<string, OutlineNode>): OutlineNode {
		const content = this.#model.content(node);
		const mirrorIds = this.#model.mirrorsOf(node).map((mirror) => this.#id(mirror));
		return {
			id: this.#id(node),
			parentId: node.parent === null ? null : this.#id(node.parent),
			name: content.name,
			note: content.note,
			priority: rows.get(this.#id(node))!.priority,
			layoutMode: content.layoutMode,
			properties: content.properties,
			completed: content.completedAt !== null,
			createdAt: node.createdAt,
			modifiedAt: content.modifiedAt,
			completedAt: content.completedAt,
			...(node.origin !== null
				? { mirror: { originId: this.#id(node.origin) } }
				: mirrorIds.length > 0
					? { mirror: { mirrorIds: mirrorIds.sort() } }
					: {}),
		};
	}

	/**
	 * Returns the sibling that a command names, unless the model can't tell the place. It can't if the sibling
	 * is a child of a mirror's own: the new node goes somewhere among the origin's children.
	 */
	#beside(command: Command): Beside | undefined {
		if (!("spot" in command) || typeof command.spot !== "object") return undefined;
		const { side, index } = command.spot;
		const sibling = this.#picked(index);
		if (sibling === undefined) return undefined;
		if (command.type !== "move" && sibling.parent?.origin != null) return undefined;
		if (command.type === "mirror" && sibling.parent === null) return undefined;
		return { side, sibling };
	}

	/** The arguments that say where a node is to go. */
	#place(command: Command, parent: string | null | undefined, beside: Beside | undefined): PlaceArguments {
		if (beside === undefined) {
			return { parent, position: "spot" in command && typeof command.spot === "string" ? command.spot : undefined };
		}
		const { side, sibling } = beside;
		const position = side === "before" ? { before: this.#id(sibling) } : { after: this.#id(sibling) };
		// Said or not, it is the same parent.
		if (command.type !== "mirror" && sibling.key % 2 === 0) return { position };
		return { parent: sibling.parent && this.#id(sibling.parent), position };
	}

	#id(node: NaiveNode): string {
		return this.#ids.get(node.key)!;
	}

	/** Returns a reference for the engine. */
	#text(pick: Pick): string | null | undefined {
		return referenceText(pick, appUrl, (index) => {
			const node = this.#picked(index);
			return node && this.#id(node);
		});
	}

	#picked(index: number): NaiveNode | undefined {
		const bound = this.#model.all().filter((node) => this.#ids.has(node.key));
		return bound[index % bound.length];
	}

	#node(pick: Pick): NaiveNode {
		const node =
			pick.kind === "node"
				? this.#picked(pick.index)
				: pick.kind === "key" || pick.kind === "shortcut"
					? this.#model.keys.get(this.#calendarKey(pick.key))
					: undefined;
		if (node === undefined) throw new Refusal("not_found");
		return node;
	}

	#parent(pick: Pick): NaiveNode | string | null {
		if (pick.kind === "root") return null;
		return pick.kind === "key" ? this.#calendarKey(pick.key) : this.#node(pick);
	}

	#calendarKey(word: string): string {
		if (word === "today") return this.#day(0);
		if (word === "tomorrow") return this.#day(1);
		return word === "next_week" ? this.#monday() : word;
	}

	#day(offset: number): string {
		return new Date((this.#seconds + offset * 86_400) * 1000).toISOString().slice(0, 10);
	}

	#monday(): string {
		let offset = 1;
		while (new Date((this.#seconds + offset * 86_400) * 1000).getUTCDay() !== 1) offset += 1;
		return this.#day(offset);
	}
}
