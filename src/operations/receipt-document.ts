import type { Document, DocumentChanges } from "../storage.js";

/** The record of a request with an idempotency key, so that the same request isn't carried out again. */
export interface Receipt {
	/** The idempotency key, with the scopes of the request, if any. Unique within the outline. */
	readonly key: string;
	/** A short fingerprint of the request. It differs from that of another request with the same key. */
	readonly request: string;
	/** The time of the request, in Unix seconds. */
	readonly createdAt: number;
	/** The result, in JSON. */
	readonly result: string;
}

/*
 * Two documents hold a receipt: `receipt/<key>`, with the receipt as JSON, and `receipt-age/<time>/<key>`, which
 * is empty and puts the keys in the order of their age. A key is in hexadecimal UTF-8, because the keys of
 * documents have few characters.
 */
const receipts = "receipt/";
const ages = "receipt-age/";

/** The digits of a time, so that the order of the texts is that of the times. */
const timeDigits = 16;

/** The most characters of a key in hexadecimal. */
export const longestKey = 1900;

/** The most expired receipts that one request drops. */
const expiredAtOnce = 100;

/** The query for the receipt with a key: it is the first document of the answer, if it has this key. */
export function receiptQuery(key: string) {
	return { type: "documents", prefix: receipts + hexOf(key), limit: 1 } as const;
}

/** The query for the oldest receipts. */
export const oldestReceipts = { type: "documents", prefix: ages, limit: expiredAtOnce } as const;

/** Returns the receipt with a key, from the answer to its {@link receiptQuery}. */
export function receiptIn([document]: readonly Document[], key: string): Receipt | null {
	if (document?.key !== receipts + hexOf(key)) return null;
	return { key, ...(JSON.parse(document.value) as Omit<Receipt, "key">) };
}

/** Returns the changes that add a receipt, and drop the receipts from before a time. */
export function receiptChanges(receipt: Receipt, oldest: readonly Document[], expiry: number): DocumentChanges {
	const expired = oldest.flatMap(({ key }) => {
		const [time, name] = key.slice(ages.length).split("/");
		return Number(time) < expiry ? [key, `${receipts}${name}`] : [];
	});
	return { put: receiptDocuments(receipt), dropped: expired };
}

/** Whether a key is too long for a receipt. */
export function isTooLong(key: string): boolean {
	return hexOf(key).length > longestKey;
}

/** Returns the documents that hold a receipt; none if its key is too long. */
export function receiptDocuments({ key, request, createdAt, result }: Receipt): Document[] {
	const name = hexOf(key);
	if (name.length > longestKey) return [];
	const time = String(Math.max(0, createdAt)).padStart(timeDigits, "0");
	return [
		{ key: receipts + name, value: JSON.stringify({ request, createdAt, result }) },
		{ key: `${ages}${time}/${name}`, value: "" },
	];
}

function hexOf(text: string): string {
	// `encodeURIComponent` writes the UTF-8 of most characters in hexadecimal, and ASCII letters as they are.
	return encodeURIComponent(text).replace(/%(..)|(.)/g, (_, hex: string | undefined, letter: string) =>
		hex === undefined ? letter.charCodeAt(0).toString(16) : hex.toLowerCase(),
	);
}
