import type { Call } from "../../engine/call.js";
import type { Settings } from "../../engine/settings.js";
import { isTime } from "../../engine/unix-time.js";
import { OutlineError, quoted } from "../../errors.js";
import type { Fields } from "../../fields.js";
import { isId } from "../../id.js";
import { isLayoutMode } from "../../layout-mode.js";
import { plainName, readFragment, readNote } from "../../operations/name.js";
import type { Steps } from "../../pace.js";
import { assertPropertiesFit, changedProperties, propertiesArgument } from "../../properties.js";
import { groupOf } from "../../reference/key-group.js";
import { isPriority } from "../../verify/record-rules.js";
import type { Delta, DeltaFields, KeyDelta, KnownNode, Mutable, NodeDelta } from "../delta.js";

/** The most characters of the properties that a device names as those before a change, if the host allows no more. */
const longestClaim = 65_536;

/**
 * The most seconds by which a completion may be after now. If the server set its time back, the device couldn't undo it,
 * because the node would have changed since. Other times tell what was edited after its creation, so none is ahead.
 */
const mostAhead = 86_400;

/** The form of a conflict's id. */
const conflictId = /^\d{16}-\d{1,9}$/;

/**
 * Returns the delta of an entry with every field checked, because the server doesn't trust the device. Its fields
 * must have the exact form in which a storage keeps them. Times after now become now, except of completions. The places,
 * origins and keys that it names are looked up when it is settled. Ignores unknown fields.
 *
 * @throws `invalid_argument`, which refuses the whole entry
 */
export function* admitted(entry: Fields, call: Call): Steps<Admission> {
	const { at, nodes, keys, known, closed, joins } = entry;
	if (!isTime(at)) throw refusal("at", at, "Unix seconds");
	const admittedNodes: NodeDelta[] = [];
	const refused: RefusedNode[] = [];
	const ids = new Set<string>();
	for (const node of listIn("nodes", nodes)) {
		const given = objectIn("A node", node);
		const delta = yield* joins === true ? nodeDeltaOrRefusal(given, call) : nodeDelta(given, call);
		if ("error" in delta) {
			refused.push(delta);
			continue;
		}
		if (ids.has(delta.id)) throw refusal("A node", delta.id, "in the entry once");
		ids.add(delta.id);
		admittedNodes.push(delta);
		yield;
	}
	const delta: Delta = {
		at: Math.min(at, call.seconds),
		nodes: admittedNodes,
		...(keys !== undefined && { keys: yield* keyDeltas(keys) }),
		...(known !== undefined && { known: yield* knownNodes(known) }),
		...(closed !== undefined && { closed: yield* closedIds(closed) }),
	};
	return { delta, refused };
}

/** An entry with every field checked. */
interface Admission {
	readonly delta: Delta;
	/** The nodes that aren't in the delta, of an entry that joins an outline. */
	readonly refused: readonly RefusedNode[];
}

interface RefusedNode {
	readonly id: string;
	readonly error: OutlineError;
}

function* nodeDeltaOrRefusal(node: Fields, call: Call): Steps<NodeDelta | RefusedNode> {
	const id = idIn("id", node.id);
	try {
		return yield* nodeDelta(node, call);
	} catch (error) {
		if (error instanceof OutlineError) return { id, error };
		throw error;
	}
}

function* nodeDelta(node: Fields, call: Call): Steps<NodeDelta> {
	const id = idIn("id", node.id);
	const before = node.before === null ? null : yield* fields(objectIn("before", node.before), "claim", call);
	const after = node.after === null ? null : yield* fields(objectIn("after", node.after), "exact", call);
	if (before === null && after === null) throw refusal("A node", id, "there before or after the commit");
	if (before === null || after === null) assertWhole((before ?? after)!);
	if (after?.originId === id) throw refusal("originId", id, "the id of another node");
	const { above, below, copyOf, rest } = node;
	const others: DeltaFields[] = [];
	for (const other of node.others === undefined ? [] : listIn("others", node.others)) {
		yield;
		others.push(yield* fields(objectIn("others", other), "mended", call));
	}
	return {
		id,
		before,
		after,
		...(rest !== undefined && { rest: yield* fields(objectIn("rest", rest), "mended", call) }),
		...(above !== undefined && { above: maybeId("above", above) }),
		...(below !== undefined && { below: maybeId("below", below) }),
		...(node.aside === true && { aside: true }),
		...(copyOf !== undefined && { copyOf: idIn("copyOf", copyOf) }),
		...(others.length > 0 && { others }),
	};
}

/** Checks that a new or deleted node has the fields that every node has. */
function assertWhole({ parentId, priority, name, createdAt }: DeltaFields): void {
	if (parentId !== undefined && priority !== undefined && name !== undefined && createdAt !== undefined) return;
	throw refusal("A new or deleted node", undefined, "given with parentId, priority, name and createdAt");
}

/**
 * The use of some fields. `exact`: the server may store them as they are. `claim`: it compares them, and stores none.
 * `mended`: it may store them, but they are old. So it makes a name valid by its present rules, and leaves out a text
 * that is too long by its limits.
 */
type Use = "exact" | "mended" | "claim";

function* fields(given: Fields, use: Use, call: Call): Steps<DeltaFields> {
	const found: Mutable<DeltaFields> = {};
	const { settings } = call;
	const { parentId, priority, name, note, layoutMode, properties, originId } = withoutLong(given, use, settings);
	if (parentId !== undefined) found.parentId = maybeId("parentId", parentId);
	if (priority !== undefined) {
		if (!isPriority(priority)) throw refusal("priority", priority, "an integer from -3·2^50 to 3·2^50");
		found.priority = priority;
	}
	if (name !== undefined) found.name = use === "claim" ? textIn("name", name) : yield* nameIn(name, use, settings);
	if (note !== undefined) found.note = use === "claim" ? maybeText("note", note) : yield* noteIn(note, settings);
	if (layoutMode !== undefined) {
		if (!isLayoutMode(layoutMode)) throw refusal("layoutMode", layoutMode, "a layout mode");
		found.layoutMode = layoutMode;
	}
	const { properties: allowed } = settings.limits;
	const limit = use === "claim" ? Math.max(allowed, longestClaim) : allowed;
	// Without the text before, the change of the properties is settled as one whose base isn't known.
	const isDropped = use === "claim" && typeof properties === "string" && properties.length > limit;
	if (properties !== undefined && !isDropped) {
		found.properties = properties === null ? null : propertiesIn(properties, limit);
	}
	for (const field of ["createdAt", "modifiedAt", "completedAt"] as const) {
		const time = given[field];
		if (time === undefined) continue;
		if (time === null && field === "completedAt") found.completedAt = null;
		else if (!isTime(time)) throw refusal(field, time, "whole Unix seconds, in the years 1 to 9999");
		else if (field === "completedAt" && time <= call.seconds + mostAhead) found.completedAt = time;
		else found[field] = Math.min(time, call.seconds);
	}
	// A fast clock of the device must not hide that the node was edited after its creation.
	if (found.createdAt !== undefined && found.createdAt === found.modifiedAt && given.createdAt !== given.modifiedAt) {
		found.createdAt -= 1;
	}
	if (originId !== undefined) found.originId = maybeId("originId", originId);
	return found;
}

/** Returns fields without the old texts that are longer than the host allows now. */
function withoutLong(given: Fields, use: Use, { limits }: Settings): Fields {
	if (use !== "mended") return given;
	const left: Record<string, unknown> = { ...given };
	for (const field of ["name", "note", "properties"] as const) {
		const text = left[field];
		if (typeof text === "string" && text.length > limits[field]) delete left[field];
	}
	return left;
}

function* nameIn(name: unknown, use: Use, settings: Settings): Steps<string> {
	if (name === plainName(name, settings, "html")) return name as string;
	const canonical = yield* readFragment(name, settings);
	if (canonical === name || use === "mended") return canonical;
	throw refusal("name", name, "a canonical fragment, as this server writes it");
}

function* noteIn(note: unknown, settings: Settings): Steps<string | null> {
	const stored = yield* readNote(note, settings);
	if (stored === note) return stored;
	throw refusal("note", note, "a text without NUL, CR and lone surrogates");
}

function propertiesIn(text: unknown, limit: number): string {
	const allowed = "the JSON text of an object, as a storage keeps it";
	if (typeof text !== "string") throw refusal("properties", text, allowed);
	// A long text would take too long to parse.
	assertPropertiesFit(text.length, limit);
	let values: unknown;
	try {
		values = JSON.parse(text);
	} catch {
		throw refusal("properties", text, allowed);
	}
	if (changedProperties(null, propertiesArgument(values)!, limit) !== text) {
		throw refusal("properties", text, allowed);
	}
	return text;
}

function* keyDeltas(keys: unknown): Steps<KeyDelta[]> {
	const found = new Map<string, KeyDelta>();
	for (const each of listIn("keys", keys)) {
		yield;
		const { key, group, before, after } = objectIn("A key", each);
		const right = typeof key === "string" ? groupOf(key) : null;
		if (typeof key !== "string" || right === null) throw refusal("A key", key, "one that the outline can have");
		if (group !== right) throw refusal(`The group of ${quoted(key)}`, group, right);
		if (found.has(key)) throw refusal("keys", keys, "a list without repetition");
		found.set(key, { key, group, before: maybeId("before", before), after: maybeId("after", after) });
	}
	return [...found.values()];
}

function* knownNodes(known: unknown): Steps<Record<string, KnownNode>> {
	const found: Record<string, KnownNode> = {};
	for (const [id, node] of Object.entries(objectIn("known", known))) {
		yield;
		const { parentId, key } = objectIn("A known node", node);
		if (key !== undefined && (typeof key !== "string" || groupOf(key) === null)) {
			throw refusal("A key", key, "one that the outline can have");
		}
		found[idIn("A known node", id)] = { parentId: maybeId("parentId", parentId), ...(key !== undefined && { key }) };
	}
	return found;
}

function* closedIds(closed: unknown): Steps<string[]> {
	const found: string[] = [];
	for (const id of listIn("closed", closed)) {
		yield;
		if (typeof id !== "string" || !conflictId.test(id)) throw refusal("closed", id, "the id of a conflict");
		found.push(id);
	}
	return found;
}

/** Returns a value as an array. @throws `invalid_argument` */
function listIn(name: string, value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return value;
	throw refusal(name, value, "an array");
}

function objectIn(name: string, value: unknown): Fields {
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
	throw refusal(name, value, "an object");
}

function idIn(name: string, value: unknown): string {
	if (typeof value === "string" && isId(value) && value === value.toLowerCase()) return value;
	throw refusal(name, value, "an id in lower case");
}

function maybeId(name: string, value: unknown): string | null {
	return value === null ? null : idIn(name, value);
}

function textIn(name: string, value: unknown): string {
	if (typeof value === "string") return value;
	throw refusal(name, value, "a text");
}

function maybeText(name: string, value: unknown): string | null {
	return value === null ? null : textIn(name, value);
}

function refusal(name: string, value: unknown, allowed: string): OutlineError {
	const given = value === undefined ? "is missing" : `is ${quoted(value)}`;
	return new OutlineError("invalid_argument", `${name} ${given} and must be ${allowed}.`);
}
