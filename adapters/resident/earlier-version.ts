import { type Receipt, receiptDocuments, receiptIn, receiptQuery } from "../../src/operations/receipt-document.js";
import type { DocumentChanges } from "../../src/storage.js";
import type { IndexPart, RecordIndex } from "./index/record-index.js";

/*
 * Version 1 of the files and of the databases in browsers had receipts in place of documents, and keys without a
 * revision. Both are converted when they are read.
 */

/** The lists of receipts that a commit of version 1 may have. */
export interface ReceiptLists {
	readonly receipts?: readonly Receipt[];
	readonly droppedReceipts?: readonly string[];
}

/** The revision of keys of version 1: the first commit's, so that a feed from the beginning has them. */
const firstRevision = 1;

/** Returns the changes of documents that a commit of version 1 means for an index, if any. */
export function documentChanges(
	{ receipts, droppedReceipts }: ReceiptLists,
	index: RecordIndex,
): DocumentChanges | undefined {
	if (receipts === undefined && droppedReceipts === undefined) return undefined;
	const put = (receipts ?? []).flatMap(receiptDocuments);
	const kept = new Set(put.map(({ key }) => key));
	const dropped = (droppedReceipts ?? []).flatMap((key) => {
		const receipt = receiptIn(index.answer([receiptQuery(key)])[0], key);
		return receipt === null ? [] : receiptDocuments(receipt).map((document) => document.key);
	});
	return { put, dropped: dropped.filter((key) => !kept.has(key)) };
}

/** Returns the content of a snapshot's block of any version in the present form. */
export function presentPart(part: IndexPart & Pick<ReceiptLists, "receipts">): IndexPart {
	const { receipts, keys, ...others } = part;
	return {
		...others,
		...(keys !== undefined && {
			keys: keys.map((record) => ({ ...record, revision: record.revision ?? firstRevision })),
		}),
		...(receipts !== undefined && { documents: receipts.flatMap(receiptDocuments) }),
	};
}
