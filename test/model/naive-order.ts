import type { OutlineNode } from "../../src/node.js";
import type { Batch } from "../../src/storage.js";
import type { Delta, DeltaFields, NodeDelta } from "../../src/sync/delta.js";

/** A value that the model can't tell, because texts were merged or the entry doesn't say what it saw. */
const unknown: unique symbol = Symbol("unknown");

/** A node of the model: fields of content by name, a property as `properties.<key>`, and its parent. */
type NaiveFields = Map<string, unknown>;

/**
 * The rules of sync once more, as plainly as possible: the accepted entries of all devices in the order of the
 * server, one after the other, on plain maps. It knows what is the case as long as deletions stay out of it:
 *
 * - A node that no entry deletes is there.
 * - Of two changes of a field the later counts, and a second completion changes nothing.
 * - The later of two moves counts, unless a conflict is told.
 * - Siblings that no entry places keep their order.
 * - A shortcut belongs to the node that got it last. Its deletion counts if it still has the node that was seen.
 */
export class NaiveOrder {
	readonly #nodes = new Map<string, NaiveFields>();
	readonly #shortcuts = new Map<string, string | null | typeof unknown>();
	/** The nodes of which nothing is known: some entry deletes them, or makes them for a deletion or a day. */
	readonly #unsure = new Set<string>();

	/** The nodes that entries have placed since the last comparison, and the children of each parent at that time. */
	readonly #placed = new Set<string>();
	#lines = new Map<string | null, string[]>();

	/** Forgets everything, and begins with the nodes and shortcuts of an outline. */
	begin(nodes: readonly OutlineNode[], keys: readonly string[]): void {
		this.#nodes.clear();
		this.#shortcuts.clear();
		this.#unsure.clear();
		for (const node of nodes) this.#nodes.set(node.id, fieldsOfNode(node));
		this.#placed.clear();
		this.#lines = linesOf(nodes);
		for (const [key, id] of keys.map((each) => each.split(" ") as [string, string])) this.#shortcuts.set(key, id);
	}

	/** Follows an entry of a device that didn't know all entries before it. */
	accept({ nodes, keys = [], known = {} }: Pick<Delta, "nodes" | "keys" | "known">): void {
		// A device may have made the inbox or a day itself, where the server has another node.
		for (const [id, { key }] of Object.entries(known)) {
			if (key !== undefined && !this.#nodes.has(id)) this.#unsure.add(id);
		}
		// A promotion isn't done if its deletion isn't.
		const deletes = nodes.some(({ after }) => after === null);
		for (const node of nodes) this.#change(node, deletes);
		for (const { key, group, before, after } of keys) {
			// A day or the inbox may be another node at the server.
			if (group !== "shortcut" && after !== null) this.#unsure.add(after);
			// A shortcut that somebody else has moved stays.
			const isGiven = after !== null || this.#shortcuts.get(key) === before;
			if (group !== "shortcut" || !isGiven) continue;
			// If a deletion isn't done, the shortcut stays with its node.
			const goesAlong = after === null && nodes.some((node) => node.id === before && node.after === null);
			const isThere = after === null ? !goesAlong : this.#nodes.has(after) && !this.#unsure.has(after);
			this.#shortcuts.set(key, isThere ? after : unknown);
		}
	}

	/** Follows a commit of a writer that knew everything. */
	write({ nodes, keys, hints }: Batch): void {
		for (const { before, after } of nodes) {
			const isPlaced = before?.parentId !== after?.parentId || before?.priority !== after?.priority;
			if (after !== null && isPlaced && !hints?.aside.has(after.id)) this.#placed.add(after.id);
			if (after === null || this.#unsure.has(after.id)) this.#unsure.add((before ?? after)!.id);
			else this.#nodes.set(after.id, fieldsOfDelta(after));
		}
		for (const { before, after } of keys) {
			if ((before ?? after)!.group === "shortcut") this.#shortcuts.set((before ?? after)!.key, after?.nodeId ?? null);
		}
	}

	/**
	 * Returns where an outline differs from the model.
	 *
	 * @param told - the nodes of which a conflict has been told
	 */
	differences(nodes: readonly OutlineNode[], keys: readonly string[], told: ReadonlySet<string>): string[] {
		const there = new Map(nodes.map((node) => [node.id, node]));
		const faults: string[] = [];
		for (const [id, expected] of this.#nodes) {
			if (this.#unsure.has(id)) continue;
			const node = there.get(id);
			if (node === undefined) {
				faults.push(`${id} is gone, and no entry deletes it`);
				continue;
			}
			const found = fieldsOfNode(node);
			for (const field of new Set([...expected.keys(), ...found.keys()])) {
				const value = expected.get(field) ?? null;
				// A mirror shows the content of its origin.
				if (value === unknown || (isMirror(node) && field !== "parentId")) continue;
				if (field === "parentId" && (told.has(id) || this.#unsure.has(String(value)))) continue;
				// A device may have detached a mirror that a restored server still has: its text then goes to the origin.
				if (field === "name" && told.has(id)) continue;
				if ((found.get(field) ?? null) !== value) {
					faults.push(`${field} of ${id} is ${found.get(field)}, and the last entry says ${String(value)}`);
				}
			}
		}
		const set = new Map(keys.map((each) => each.split(" ") as [string, string]));
		for (const [key, id] of this.#shortcuts) {
			if (id === unknown || (id !== null && (this.#unsure.has(id) || !there.has(id)))) continue;
			if ((set.get(key) ?? null) !== id) faults.push(`${key} is ${set.get(key)}, and the last entry says ${id}`);
		}
		faults.push(...this.#disorder(nodes));
		return faults;
	}

	/** Returns where siblings that no entry has placed have changed their order. */
	#disorder(nodes: readonly OutlineNode[]): string[] {
		const faults: string[] = [];
		const lines = linesOf(nodes);
		for (const [parentId, line] of lines) {
			const former = this.#lines.get(parentId) ?? [];
			const isKept = (id: string) => !this.#placed.has(id) && !this.#unsure.has(id);
			const now = line.filter((id) => isKept(id) && former.includes(id)).join(" ");
			const then = former.filter((id) => isKept(id) && line.includes(id)).join(" ");
			if (now !== then) faults.push(`the order below ${parentId} is ${now}, and no entry changes it from ${then}`);
		}
		this.#placed.clear();
		this.#lines = lines;
		return faults;
	}

	#change({ id, before, after, aside, copyOf }: NodeDelta, deletes: boolean): void {
		if (after?.parentId !== undefined || (after?.priority !== undefined && !aside)) this.#placed.add(id);
		if (after === null || copyOf !== undefined || this.#unsure.has(id)) {
			this.#unsure.add(id);
			return;
		}
		const fields = this.#nodes.get(id);
		if (before === null) {
			if (fields === undefined) this.#nodes.set(id, fieldsOfDelta(after));
			// The same day of two devices, or an entry of a copied device.
			else for (const field of fields.keys()) fields.set(field, unknown);
			return;
		}
		// A mirror that is detached, or the other way round.
		if (fields === undefined || "originId" in after) {
			this.#unsure.add(id);
			return;
		}
		const [old, now] = [fieldsOfDelta(before), fieldsOfDelta(after)];
		for (const field of changedFields(before, after, old, now)) {
			const [stored, from, to] = [fields.get(field) ?? null, old.get(field) ?? null, now.get(field) ?? null];
			const isText = field === "name" || field === "note";
			const isMerged = isText && stored !== from && stored !== to;
			if (isMerged || (field === "parentId" && deletes)) fields.set(field, unknown);
			else fields.set(field, to);
		}
	}
}

/** The fields that a change of a node touches. */
function changedFields(before: DeltaFields, after: DeltaFields, old: NaiveFields, now: NaiveFields): string[] {
	const named = ["name", "note", "layoutMode", "parentId"].filter((field) => field in after);
	if ("completedAt" in after) named.push("completed");
	const properties = [...new Set([...old.keys(), ...now.keys()])].filter((field) => field.startsWith("properties."));
	if (!("properties" in before)) return [...named, ...properties];
	return [...named, ...properties.filter((field) => old.get(field) !== now.get(field))];
}

function fieldsOfDelta({ completedAt, properties, ...fields }: DeltaFields): NaiveFields {
	const { name, note, layoutMode, parentId } = fields;
	return new Map<string, unknown>([
		["name", name],
		["note", note ?? null],
		["layoutMode", layoutMode ?? "bullets"],
		["parentId", parentId ?? null],
		["completed", completedAt != null],
		...propertiesOf(properties == null ? {} : JSON.parse(properties)),
	]);
}

function fieldsOfNode({ name, note, layoutMode, parentId, completed, properties }: OutlineNode): NaiveFields {
	return new Map<string, unknown>([
		["name", name],
		["note", note],
		["layoutMode", layoutMode],
		["parentId", parentId],
		["completed", completed],
		...propertiesOf(properties),
	]);
}

function propertiesOf(properties: object): [string, unknown][] {
	return Object.entries(properties).map(([key, value]) => [`properties.${key}`, JSON.stringify(value)]);
}

/** The children of each parent, in their order. */
function linesOf(nodes: readonly OutlineNode[]): Map<string | null, string[]> {
	const lines = new Map<string | null, string[]>();
	for (const { id, parentId } of nodes.toSorted((left, right) => left.priority - right.priority)) {
		lines.set(parentId, [...(lines.get(parentId) ?? []), id]);
	}
	return lines;
}

function isMirror({ mirror }: OutlineNode): boolean {
	return mirror?.originId !== undefined;
}
