import { Pace } from "../../pace.js";
import { Digest } from "../digest.js";
import { afterEntry } from "./exchange-documents.js";
import type { LocalStorage } from "./exchange-host.js";
import { entryPrefix, firstDocuments, limitAfter } from "./journal.js";
import { lineOf } from "./read-line.js";

/** The most entries and about the most characters of one request. A single entry may have more. */
const entriesAtOnce = 1000;
export const lengthAtOnce = 1_048_576;

/** A part of the journal, as one request sends it. */
export interface Portion {
	readonly lines: string[];
	/** The numbers of its entries with their digests. */
	readonly digests: readonly (readonly [seq: number, digest: string])[];
	/** Whether the journal has more entries after it. */
	readonly more: boolean;
}

/** Reads the entries after a number that one request sends. */
export async function nextPortion(
	local: LocalStorage,
	from: number,
	digest: string,
	room = lengthAtOnce,
): Promise<Portion> {
	const lines: string[] = [];
	const digests: [number, string][] = [];
	let entry: Digest | undefined;
	let length = 0;
	for await (const { documents } of journalPages(local, afterEntry(from))) {
		for (const document of documents) {
			if (entry === undefined && (digests.length >= entriesAtOnce || length >= room))
				return { lines, digests, more: true };
			const line = lineOf(document);
			const text = JSON.stringify(line);
			entry ??= new Digest(digest);
			entry.addLine(text);
			lines.push(text);
			length += text.length;
			if (line.more) continue;
			digest = String(entry);
			digests.push([line.seq, digest]);
			entry = undefined;
		}
	}
	return { lines, digests, more: false };
}

/** Reads the documents of the entries after a key, page by page. Only durable ones: the device may not lose them later. */
export async function* journalPages(local: LocalStorage, after: string) {
	const pace = new Pace();
	for (let limit = firstDocuments; ; ) {
		const { revision, results } = await local.read([{ type: "documents", prefix: entryPrefix, after, limit }]);
		const [documents] = results;
		yield { documents, revision };
		if (documents.length < limit) return;
		after = documents.at(-1)!.key;
		limit = limitAfter(documents);
		if (pace.isDue) await pace.turn();
	}
}
