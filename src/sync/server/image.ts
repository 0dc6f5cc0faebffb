import { ask, type Operation, type RunOperation } from "../../engine/protocol.js";
import { OutlineError, quoted } from "../../errors.js";
import { fieldNames, fieldsOf } from "../../fields.js";
import { calendarKey, randomId } from "../../id.js";
import { Pace, paced, type Steps, sorted } from "../../pace.js";
import { type Key, type NodeRecord, shortcutGroup, systemGroup } from "../../storage.js";
import type { ImageLine } from "../image/block.js";
import { blocksFrom, type OrderedNodes } from "../image/encode.js";
import { protocolVersion } from "../protocol.js";
import { identityIn, identityKey, identityQuery } from "./documents.js";
import { openConflicts } from "./feed.js";
import type { SyncHost } from "./host.js";

/** The input of {@link Outline.syncImage}: where to continue an image that broke off. */
export interface SyncImageInput {
	/** The number of nodes that have arrived. Default 0. */
	after?: number | undefined;
	/** The revision of the image that broke off. Default: the newest. */
	revision?: number | undefined;
}

const inputFields = fieldNames<SyncImageInput>({ after: true, revision: true });

/** The most keys and conflicts in a line, and the most groups of keys in a query. */
const mostInLine = 1000;
const groupsAtOnce = 16;

/** Checks the input. @throws `invalid_argument` */
export function imageInput(input: unknown): { readonly after: number; readonly revision: number | undefined } {
	const { after = 0, revision } = fieldsOf("syncImage", input, inputFields);
	if (!isCount(after)) throw wrong("after", after, "the number of nodes that have arrived");
	if (revision !== undefined && !isCount(revision)) throw wrong("revision", revision, "the revision of an image");
	if (after > 0 && revision === undefined) throw wrong("revision", revision, "given with after");
	return { after, revision: revision as number | undefined };
}

/**
 * Yields the lines of an image of the whole outline: its nodes, keys and open conflicts. The nodes are in memory
 * meanwhile.
 *
 * The state may be some commits newer than the revision that the head names. A device reads the changes since
 * that revision next, and has each of these commits whole then.
 *
 * @throws `invalid_argument`; `sync_reset` if an image can't be continued, because the outline has changed
 */
export async function* syncImage(host: SyncHost, input: unknown): AsyncGenerator<string, void, undefined> {
	const { after, revision } = imageInput(input);
	const { outline, revision: current } = await identified(host);
	if (revision !== undefined && revision !== current) throw changed(revision);
	const nodes = await orderedNodes(host);
	if (revision !== undefined && (await host.storage.read([])).revision !== current) throw changed(revision);
	const { records, numbers } = nodes;
	if (after > records.length) throw wrong("after", after, `at most ${records.length}`);
	yield lineOf({ protocol: protocolVersion, outline, revision: current, nodes: records.length });
	const pace = new Pace();
	for (const block of blocksFrom(nodes, after)) {
		yield lineOf(block);
		if (pace.isDue) await pace.turn();
	}
	// A key of a newer node comes with the changes.
	const keys = (await allKeys(host.read)).filter(({ nodeId }) => numbers.has(nodeId));
	for (const some of portions(keys)) yield lineOf({ keys: some });
	for (const some of portions(await openConflicts(host.read))) yield lineOf({ conflicts: some });
	yield lineOf({ end: true });
}

/** Returns the identity of the outline, and the newest revision. If there is no identity yet, draws one. */
async function identified({ read, write, storage }: SyncHost): Promise<{ outline: string; revision: number }> {
	function* stored(): Operation<string | null> {
		const [documents] = yield* ask(identityQuery);
		return identityIn(documents);
	}
	const drawn = randomId();
	let outline = await read(stored);
	outline ??= await write(function* (_, changes) {
		const earlier = yield* stored();
		if (earlier === null) changes.changeDocuments({ put: [{ key: identityKey, value: drawn }], dropped: [] });
		return earlier ?? drawn;
	});
	return { outline, revision: (await storage.read([])).revision };
}

/** Returns all nodes level by level, with the children of each node together and in order. */
async function orderedNodes({ storage }: SyncHost): Promise<OrderedNodes> {
	const pace = new Pace();
	const children = new Map<string | null, NodeRecord[]>();
	for await (const chunk of storage.scan()) {
		for (const { record } of chunk) {
			const siblings = children.get(record.parentId);
			if (siblings === undefined) children.set(record.parentId, [record]);
			else siblings.push(record);
		}
		if (pace.isDue) await pace.turn();
	}
	return paced(inOrder(children), pace);
}

function* inOrder(children: ReadonlyMap<string | null, readonly NodeRecord[]>): Steps<OrderedNodes> {
	const records: NodeRecord[] = [];
	const numbers = new Map<string, number>();
	for (let parent: string | null = null, next = 0; ; parent = records[next++]!.id) {
		const siblings = yield* sorted(children.get(parent) ?? [], byPriority);
		for (const record of siblings) numbers.set(record.id, records.push(record) - 1);
		yield;
		if (next === records.length) return { records, numbers };
	}
}

function byPriority(left: NodeRecord, right: NodeRecord): number {
	return left.priority - right.priority || (left.id < right.id ? -1 : 1);
}

/** Returns the shortcuts, the inbox, and the calendar from its root down. */
async function allKeys(read: RunOperation): Promise<Key[]> {
	const keys: Key[] = [];
	const groups: string[] = [shortcutGroup, systemGroup, calendarKey];
	const known = new Set(groups);
	for (let at = 0; at < groups.length; at += groupsAtOnce) {
		for (const { key, group, nodeId } of await read(() => keysOf(groups.slice(at, at + groupsAtOnce)))) {
			keys.push({ key, group, nodeId });
			// An entry of the calendar is a group as well, unless it is a day.
			if (group === shortcutGroup || group === systemGroup || key.length > 7 || known.has(key)) continue;
			known.add(key);
			groups.push(key);
		}
	}
	return keys;
}

function* keysOf(groups: readonly string[]): Operation<Key[]> {
	const keys: Key[] = [];
	for (const group of groups) {
		const [found] = yield* ask({ type: "keys", group });
		for (const { record } of found) keys.push(record);
	}
	return keys;
}

function* portions<T>(items: readonly T[]): Generator<readonly T[], void, undefined> {
	for (let at = 0; at < items.length; at += mostInLine) yield items.slice(at, at + mostInLine);
}

function lineOf(line: ImageLine): string {
	return `${JSON.stringify(line)}\n`;
}

function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}

function wrong(field: string, value: unknown, allowed: string): OutlineError {
	return new OutlineError("invalid_argument", `${field} is ${quoted(value)}. It must be ${allowed}.`);
}

function changed(revision: number): OutlineError {
	return new OutlineError(
		"sync_reset",
		`The outline has changed since revision ${revision}, so that image can't be continued. Load a new one.`,
	);
}
