import { type RunOperation, revisionOfAnswers } from "../../engine/protocol.js";
import { invalidArgument, OutlineError } from "../../errors.js";
import { fieldNames, fieldsOf } from "../../fields.js";
import { randomId } from "../../id.js";
import { Pace, paced, type Steps, sorted } from "../../pace.js";
import { byPlace } from "../../siblings.js";
import type { Key, NodeRecord } from "../../storage.js";
import type { ImageLine } from "../image/block.js";
import { blocksFrom, type OrderedNodes } from "../image/encode.js";
import { protocolVersion } from "../protocol.js";
import { isCount } from "../record-fields.js";
import { openConflicts, pageSince } from "./feed.js";
import { completeHistory, storedHistory, unlessFull, wireMark } from "./history-mark.js";
import type { SyncHost } from "./host.js";

/** The input of {@link Outline.syncImage}: where to continue an image that broke off. */
export interface SyncImageInput {
	/** The number of nodes that have arrived. Default 0. */
	after?: number | undefined;
	/** The revision of the image that broke off. Default: the newest. */
	revision?: number | undefined;
}

const inputFields = fieldNames<SyncImageInput>({ after: true, revision: true });

/** The most keys and conflicts in a line. */
const mostInLine = 1000;

/** The number of changes in one query, and of nodes in a step. */
const changesAtOnce = 4096;
const nodesInStep = 1024;

/** Checks the input. @throws `invalid_argument` */
function imageInput(input: unknown): { readonly after: number; readonly revision: number | undefined } {
	const { after = 0, revision } = fieldsOf("syncImage", input, inputFields);
	if (!isCount(after)) throw invalidArgument("after", after, "the number of nodes that have arrived");
	if (revision !== undefined && !isCount(revision))
		throw invalidArgument("revision", revision, "the revision of an image");
	if (after > 0 && revision === undefined) throw invalidArgument("revision", revision, "given with after");
	return { after, revision: revision as number | undefined };
}

/**
 * Yields the lines of an image of the whole outline at one revision: its nodes, keys and open conflicts. The
 * nodes are in memory meanwhile.
 *
 * @throws `invalid_argument`; `sync_reset` if an image can't be continued, because the outline has changed
 */
export async function* syncImage(host: SyncHost, input: unknown): AsyncGenerator<string, void, undefined> {
	const { after, revision: wanted } = imageInput(input);
	const history = await historyOf(host, wanted !== undefined);
	const { outline } = history;
	const { revision, nodes, keys } = await wholeOutline(host.read);
	// If a commit has come meanwhile, only a later mark shows that a server was restored to the state
	// before it.
	const isLater = revision > history.mark.revision && wanted === undefined;
	const { mark: newest } = isLater ? await historyOf(host, false).catch(() => history) : history;
	const mark = wireMark(newest);
	// A server that was restored from a copy may be at that revision again, with fewer nodes.
	if (wanted !== undefined && (wanted !== revision || after > nodes.records.length)) throw changed(wanted);
	const counted = { revision, nodes: nodes.records.length, ...(mark !== undefined && { mark }) };
	yield lineOf({ protocol: protocolVersion, outline, ...counted });
	const pace = new Pace();
	for (const block of blocksFrom(nodes, after)) {
		yield lineOf(block);
		if (pace.isDue) await pace.turn();
	}
	for (const some of portions(keys)) yield lineOf({ keys: some });
	for (const some of portions(await openConflicts(host.read))) yield lineOf({ conflicts: some });
	yield lineOf({ end: true });
}

/**
 * Returns the identity of the outline and the mark of its history. Writes what is missing, unless the image
 * continues: a commit would end it.
 */
async function historyOf({ read, write }: SyncHost, continues: boolean) {
	const drawn = randomId();
	const { outline, mark, isMarked } = await read(storedHistory);
	if (outline !== null && (isMarked || continues)) return { outline, mark };
	const complete = write(function* (_, changes) {
		const history = yield* storedHistory();
		return completeHistory(changes, history, (yield* revisionOfAnswers()) + 1, drawn);
	});
	return outline === null ? complete : complete.catch((error) => unlessFull(error, { outline, mark }));
}

/** An outline at one revision. */
interface WholeOutline {
	readonly revision: number;
	readonly nodes: OrderedNodes;
	readonly keys: readonly Key[];
}

/**
 * Reads the whole outline from the feed of changes, because no query lists all keys. Unlike a scan, it also ends
 * at a known revision.
 */
async function wholeOutline(read: RunOperation): Promise<WholeOutline> {
	const pace = new Pace();
	let nodes = new Map<string, NodeRecord>();
	let keys = new Map<string, Key>();
	let since = 0;
	let horizon = 0;
	for (;;) {
		const { changed, newest } = await read(() => pageSince(since, changesAtOnce));
		if (since > 0 && changed.horizon !== horizon) {
			// Deletions of nodes that were read may be gone.
			nodes = new Map();
			keys = new Map();
			since = 0;
			continue;
		}
		for (const node of changed.nodes) nodes.set(node.id, node);
		for (const { id } of changed.deleted) nodes.delete(id);
		for (const { key, group, nodeId } of changed.keys) keys.set(key, { key, group, nodeId });
		for (const { key } of changed.droppedKeys) keys.delete(key);
		({ horizon, revision: since } = changed);
		if (pace.isDue) await pace.turn();
		if (newest === since) break;
	}
	const ordered = await paced(inOrder(nodes.values()), pace);
	// In a damaged outline, this leaves out a node without its parent, with its keys.
	const led = [...keys.values()].filter(({ nodeId }) => ordered.numbers.has(nodeId));
	return { revision: since, nodes: ordered, keys: led };
}

/** Returns nodes level by level, with the children of each node together and in order. */
function* inOrder(nodes: Iterable<NodeRecord>): Steps<OrderedNodes> {
	const children = new Map<string | null, NodeRecord[]>();
	for (const node of nodes) {
		const siblings = children.get(node.parentId);
		if (siblings === undefined) children.set(node.parentId, [node]);
		else if (siblings.push(node) % nodesInStep === 0) yield;
	}
	const records: NodeRecord[] = [];
	const numbers = new Map<string, number>();
	for (let parent: string | null = null, next = 0; ; parent = records[next++]!.id) {
		const siblings: readonly NodeRecord[] = yield* sorted(children.get(parent) ?? [], byPlace);
		for (const record of siblings) {
			numbers.set(record.id, records.push(record) - 1);
			if (records.length % nodesInStep === 0) yield;
		}
		if (next % nodesInStep === 0) yield;
		if (next === records.length) return { records, numbers };
	}
}

function* portions<T>(items: readonly T[]): Generator<readonly T[], void, undefined> {
	for (let at = 0; at < items.length; at += mostInLine) yield items.slice(at, at + mostInLine);
}

function lineOf(line: ImageLine): string {
	return `${JSON.stringify(line)}\n`;
}

function changed(revision: number): OutlineError {
	return new OutlineError(
		"sync_reset",
		`The outline has changed since revision ${revision}, so that image can't be continued. Load a new one.`,
	);
}
