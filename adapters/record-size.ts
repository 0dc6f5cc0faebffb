import { OutlineError, quoted } from "../src/errors.js";
import type { Batch } from "../src/storage.js";

/**
 * The most bytes of one record's texts as JSON in UTF-8: of a node, its name, note and properties; of a
 * document and of a key, all of it. Every storage here can read such a record back. The browser's IndexedDB, which stores some
 * texts with two bytes for each character, has a limit of 133 million bytes. A string of V8 has a limit of
 * 537 million characters.
 */
export const longestRecord = 64_000_000;

/** The most bytes of one character, a UTF-16 code unit, in JSON: `\u0001`. */
const mostBytes = 6;

/**
 * Checks the size of the records that a batch writes. @throws `too_large` if one has more bytes, because it
 * couldn't be read again
 */
export function assertRecordsFit({ nodes, keys, documents }: Batch, longest = longestRecord): void {
	const surely = longest / mostBytes;
	assertNodesFit(nodes, longest, surely);
	for (const { after } of keys) {
		if (after === null || after.key.length + after.group.length <= surely) continue;
		assertFits("A key and its group", [after.key, after.group], longest, "Choose a shorter key");
	}
	for (const { key, value } of documents?.put ?? []) {
		if (key.length + value.length <= surely) continue;
		const advice = "Ask for less in one request, or give it no idempotency key";
		assertFits(`The document ${quoted(key)}`, [key, value], longest, advice);
	}
}

/** @param surely - so many characters fit in any case */
function assertNodesFit(nodes: Batch["nodes"], longest: number, surely: number): void {
	// Written out, because it is done for every node that is written.
	for (const { after } of nodes) {
		if (after === null || after.name.length + (after.note?.length ?? 0) + (after.properties?.length ?? 0) <= surely) {
			continue;
		}
		const texts = [after.name, after.note ?? "", after.properties ?? ""];
		const advice = "Split them over several nodes";
		assertFits(`The name, note and properties of the node ${quoted(after.id)}`, texts, longest, advice);
	}
}

/** More bytes than a row of JSON has besides its texts: the names of its columns, ids and numbers. */
const rowSize = 400;

/** Checks the size of a batch as rows of JSON. @throws `too_large` if it has more bytes */
export function assertCommitFits({ nodes, keys, documents }: Batch, longest: number): void {
	const put = documents?.put ?? [];
	const dropped = documents?.dropped ?? [];
	const rows = rowSize * (nodes.length + keys.length + put.length + dropped.length);
	const bytesBy = (sizeOf: (text: string) => number) => {
		let bytes = rows;
		for (const { after } of nodes) {
			if (after !== null) bytes += sizeOf(after.name) + sizeOf(after.note ?? "") + sizeOf(after.properties ?? "");
		}
		for (const { before, after } of keys) bytes += sizeOf((after ?? before)!.key) + sizeOf((after ?? before)!.group);
		for (const { key, value } of put) bytes += sizeOf(key) + sizeOf(value);
		for (const key of dropped) bytes += sizeOf(key);
		return bytes;
	};
	if (bytesBy(({ length }) => mostBytes * length) <= longest) return;
	const bytes = bytesBy(bytesAsJson);
	if (bytes <= longest) return;
	throw new OutlineError(
		"too_large",
		`The commit would take ${bytes.toLocaleString("en")} bytes on the way to the database, which gets ${longest.toLocaleString("en")} at once. Nothing was written. Write it in several commits, or in shorter texts.`,
	);
}

function assertFits(what: string, texts: readonly string[], longest: number, advice: string): void {
	const bytes = texts.reduce((sum, text) => sum + bytesAsJson(text), 0);
	if (bytes <= longest) return;
	const limit = `which can keep ${longest.toLocaleString("en")} in one record`;
	throw new OutlineError(
		"too_large",
		`${what} would take ${bytes.toLocaleString("en")} bytes in this storage, ${limit}. ${advice}. Nothing was written.`,
	);
}

/**
 * The bytes of a text in UTF-8 with the escapes of JSON, without its quotes. It must have no lone surrogates.
 */
function bytesAsJson(text: string): number {
	let bytes = 0;
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		if (unit < 0x20) bytes += unit >= 8 && unit <= 13 && unit !== 11 ? 2 : 6;
		else if (unit === 0x22 || unit === 0x5c) bytes += 2;
		else if (unit < 0x80) bytes += 1;
		// Each half of a surrogate pair takes two of its four bytes.
		else if (unit < 0x800 || (unit & 0xf800) === 0xd800) bytes += 2;
		else bytes += 3;
	}
	return bytes;
}
