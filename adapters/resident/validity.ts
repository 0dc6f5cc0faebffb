import type { Receipt } from "../../src/operations/receipt-document.js";
import type { Document, Key, KeyRecord, KeyTombstone, NodeRecord, Tombstone } from "../../src/storage.js";
import type { Delta, Field } from "./delta.js";
import type { ReceiptLists } from "./earlier-version.js";
import type { IndexPart } from "./index/record-index.js";

/*
 * Checks of values that come from a file or a database. Without them, a storage would fail later with an
 * error of the engine, in the middle of other work.
 */

/** Whether a value is a revision or a number of entries. */
export function isCount(value: unknown): value is number {
	return isInteger(value) && value >= 0;
}

/** Whether a value is a valid delta of any version. */
export function isDelta(value: unknown): value is Delta & ReceiptLists {
	const delta = (value ?? {}) as Partial<Delta & ReceiptLists>;
	const { nodes = [], deleted = [], keys = [], droppedKeys = [], documents = [], droppedDocuments = [] } = delta;
	const { receipts = [], droppedReceipts = [] } = delta;
	return (
		isCount(delta.revision) &&
		isListOf(nodes, isNodeChange) &&
		isListOf(deleted, isString) &&
		isListOf(keys, isKeyOfDelta) &&
		isListOf(droppedKeys, isString) &&
		isListOf(documents, isDocument) &&
		isListOf(droppedDocuments, isString) &&
		isListOf(receipts, isReceipt) &&
		isListOf(droppedReceipts, isString) &&
		(delta.horizon === undefined || isCount(delta.horizon))
	);
}

/** Whether a part of an index, of any version, is valid, and not empty. */
export function isPart(part: IndexPart & ReceiptLists): boolean {
	const { nodes = [], keys = [], deleted = [], droppedKeys = [], documents = [], receipts = [] } = part;
	const right =
		isListOf(nodes, isNode) &&
		isListOf(keys, isKey) &&
		isListOf(deleted, isTombstone) &&
		isListOf(droppedKeys, isKeyTombstone) &&
		isListOf(documents, isDocument) &&
		isListOf(receipts, isReceipt);
	return right && [nodes, keys, deleted, droppedKeys, documents, receipts].some(({ length }) => length > 0);
}

/** Whether a value is the record of a node. Written out, because it is called for every node that is read. */
export function isNode(value: unknown): value is NodeRecord {
	if (!isObject(value)) return false;
	const { id, parentId, priority, name, note, layoutMode, properties, createdAt, modifiedAt, completedAt, originId } =
		value;
	return (
		typeof id === "string" &&
		(parentId === null || typeof parentId === "string") &&
		Number.isSafeInteger(priority) &&
		typeof name === "string" &&
		(note === null || typeof note === "string") &&
		typeof layoutMode === "string" &&
		(properties === null || typeof properties === "string") &&
		Number.isSafeInteger(createdAt) &&
		Number.isSafeInteger(modifiedAt) &&
		(completedAt === null || Number.isSafeInteger(completedAt)) &&
		(originId === null || typeof originId === "string") &&
		isCount(value.revision)
	);
}

const isString = (value: unknown): value is string => typeof value === "string";
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const orNull = (check: (value: unknown) => boolean) => (value: unknown) => value === null || check(value);

const rightFor: { readonly [F in Field]: (value: unknown) => boolean } = {
	parentId: orNull(isString),
	priority: isInteger,
	name: isString,
	note: orNull(isString),
	layoutMode: isString,
	properties: orNull(isString),
	createdAt: isInteger,
	modifiedAt: isInteger,
	completedAt: orNull(isInteger),
	originId: orNull(isString),
};

function isNodeChange(value: unknown): value is { readonly id: string } {
	if (!isObject(value) || !isString(value.id)) return false;
	for (const name in value) {
		const isRight = rightFor[name as Field] as ((value: unknown) => boolean) | undefined;
		if (isRight !== undefined && value[name] !== undefined && !isRight(value[name])) return false;
	}
	return true;
}

function isKeyOfDelta(record: unknown): record is Key {
	return isObject(record) && isString(record.key) && isString(record.group) && isString(record.nodeId);
}

function isKey(record: unknown): record is Key {
	if (!isKeyOfDelta(record)) return false;
	// In version 1, keys had no revision.
	const { revision = 0 } = record as Partial<KeyRecord>;
	return isCount(revision);
}

function isDocument(document: unknown): document is Document {
	return isObject(document) && isString(document.key) && isString(document.value);
}

function isReceipt(receipt: unknown): receipt is Receipt {
	if (!isObject(receipt)) return false;
	const { key, request, createdAt, result } = receipt;
	return isString(key) && isString(request) && isInteger(createdAt) && isString(result);
}

function isKeyTombstone(tombstone: unknown): tombstone is KeyTombstone {
	return isObject(tombstone) && isString(tombstone.key) && isCount(tombstone.revision);
}

function isTombstone(tombstone: unknown): tombstone is Tombstone {
	return isObject(tombstone) && isString(tombstone.id) && isCount(tombstone.revision);
}

function isListOf<T>(value: unknown, check: (entry: unknown) => entry is T): value is T[] {
	return Array.isArray(value) && value.every(check);
}
