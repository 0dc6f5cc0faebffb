import { invalidArgument, OutlineError, quoted } from "../../errors.js";
import type { Fields } from "../../fields.js";
import { isId } from "../../id.js";
import { Pace } from "../../pace.js";
import { Digest } from "../digest.js";
import { shortPush, withPhrases } from "../phrases.js";
import { mostChanges, type PushHeader, protocolVersion } from "../protocol.js";
import { isCount } from "../record-fields.js";
import { markForm } from "./history-mark.js";

/** The most characters of a line. A longer one is refused without parsing it, which would take too long. */
const longestLine = 8_388_608;

/**
 * The most values of a line of more than `checkedLine` characters, and how deep they may be nested. An entry needs a
 * few levels. A replica divides an entry into lines of fewer values. Others would take too long to parse, above all if
 * each has another name.
 */
const mostValues = 60_000;
const deepest = 64;
const checkedLine = 262_144;

/** The digest of an entry, or "" for none. */
const digestForm = /^(?:[0-9a-f]{16})?$/;

/** The beginning of a line, up to the number of its entry. */
const beginning = /^\s*\{\s*"seq"\s*:\s*(\d{1,16})\s*[,}]/;

/** The beginning of a line that another line of its entry follows. */
const hasMore = /^\s*\{\s*"seq"\s*:\s*\d{1,16}\s*,\s*"more"\s*:\s*true\s*[,}]/;

/** An entry of a push, with nothing checked but its number. */
export interface PushedEntry {
	readonly seq: number;
	/** The digest of the device's journal up to this entry. */
	readonly digest: string;
	/** The number of characters of its lines. */
	readonly length: number;
	/** The fields of its delta; `null` if one of its lines is too long. */
	readonly fields: Fields | null;
}

/** Reads the lines of a push: its header, then its entries one by one. */
export class PushLines {
	readonly #lines: AsyncIterator<string> | Iterator<string>;
	readonly #pace = new Pace();
	/** The number of characters of the lines up to here. */
	#length = 0;

	/**
	 * @param lines - one line each, with or without its line end
	 * @throws `invalid_argument`
	 */
	constructor(lines: AsyncIterable<string> | Iterable<string>) {
		this.#lines = iteratorOf(lines);
	}

	/**
	 * Reads the header.
	 *
	 * @throws `invalid_argument`; `sync_upgrade` for another version of the protocol
	 */
	async header(): Promise<PushHeader> {
		const line = await this.#next();
		if (line === undefined) throw invalid("The push is empty. It begins with a header.");
		if (!isParsable(line)) throw invalid("The header of the push is too long.");
		return headerIn(fieldsIn(line));
	}

	/**
	 * Reads the entries that follow the header.
	 *
	 * @throws `invalid_argument` for a line that is no entry, and for numbers that don't ascend
	 */
	async *entries({ last, digest }: PushHeader): AsyncGenerator<PushedEntry, void, undefined> {
		let before = { seq: last, digest };
		let digestOfLines = new Digest(digest);
		let parts: Fields[] = [];
		let length = 0;
		for (let line = await this.#next(); line !== undefined; line = await this.#next()) {
			if (this.#pace.isDue) await this.#pace.turn();
			const part = isParsable(line) ? fieldsIn(line) : tooLong(line);
			const { seq, more } = part;
			if (!isCount(seq) || seq <= before.seq || (parts.length > 0 && seq !== parts[0]!.seq)) {
				throw invalid(`An entry has the number ${quoted(seq)}. It must be an integer above ${before.seq}, and ascend.`);
			}
			digestOfLines.addLine(line);
			parts.push(part);
			length += line.length;
			if (more === true) continue;
			before = { seq, digest: String(digestOfLines) };
			yield { ...before, length, fields: joined(parts) };
			digestOfLines = new Digest(before.digest);
			parts = [];
			length = 0;
		}
		if (parts.length > 0) throw invalid("The push ends within an entry. Send it again, whole.");
	}

	/** Ends the reading. */
	async end(): Promise<void> {
		await this.#lines.return?.();
	}

	/** Returns the next line that isn't blank, without its line end, and with its phrases. */
	async #next(): Promise<string | undefined> {
		for (;;) {
			const { done, value } = await this.#lines.next();
			if (done) return undefined;
			if (typeof value !== "string") throw invalidArgument("A line of the push", value, "a text");
			const line = withoutEnd(withoutEnd(value, "\n"), "\r");
			if (line === "") continue;
			this.#length += line.length;
			return this.#length <= shortPush ? withPhrases(line) : line;
		}
	}
}

function iteratorOf(lines: AsyncIterable<string> | Iterable<string>): AsyncIterator<string> | Iterator<string> {
	if (typeof lines === "object" && lines !== null) {
		if (Symbol.asyncIterator in lines) return lines[Symbol.asyncIterator]();
		if (Symbol.iterator in lines) return lines[Symbol.iterator]();
	}
	throw invalid(`The push is ${quoted(lines)}. Give an iterable or async iterable of its lines.`);
}

function withoutEnd(text: string, end: string): string {
	return text.endsWith(end) ? text.slice(0, -1) : text;
}

function headerIn(header: Fields): PushHeader {
	const { protocol, outline, device, since, mark, last, digest, limit } = header;
	if (protocol !== protocolVersion) {
		throw new OutlineError(
			"sync_upgrade",
			`The push has the protocol ${quoted(protocol)}, and the server speaks ${protocolVersion}. Update the older of the two.`,
		);
	}
	if (outline !== null && typeof outline !== "string") throw wrong("outline", outline, "the id of an outline, or null");
	if (typeof device !== "string" || !isId(device) || device !== device.toLowerCase()) {
		throw wrong("device", device, "a UUID in lower case");
	}
	if (!isCount(since)) throw wrong("since", since, "a revision, or 0");
	if (mark !== undefined && (typeof mark !== "string" || !markForm.test(mark))) {
		throw wrong("mark", mark, "the mark of an answer or an image");
	}
	if (!isCount(last)) throw wrong("last", last, "the number of an entry, or 0");
	if (typeof digest !== "string" || !digestForm.test(digest) || (digest === "") !== (last === 0)) {
		throw wrong("digest", digest, 'the digest of the entry `last`, or "" if that is 0');
	}
	if (!isCount(limit)) throw wrong("limit", limit, "an integer from 0");
	const place = { outline, device, since, ...(mark !== undefined && { mark }) };
	return { protocol, ...place, last, digest, limit: Math.min(limit, mostChanges) };
}

function fieldsIn(line: string): Fields {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch (cause) {
		throw new OutlineError("invalid_argument", `A line of the push isn't JSON: ${quoted(line)}.`, { cause });
	}
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
	throw invalidArgument("A line of the push", value, "a JSON object");
}

/** Whether a line can be parsed without holding up other work. */
function isParsable(line: string): boolean {
	if (line.length > longestLine) return false;
	if (line.length <= checkedLine) return true;
	let values = 0;
	let depth = 0;
	for (let at = 0; at < line.length; at++) {
		const sign = line[at]!;
		if (sign === '"') at = endOfText(line, at);
		else if (sign === "}" || sign === "]") depth--;
		else if (sign === ",") values++;
		else if (sign === "{" || sign === "[") {
			values++;
			depth++;
		}
		if (values > mostValues || depth > deepest) return false;
	}
	return true;
}

/** Returns the place of the quotation mark that ends a text of JSON. */
function endOfText(line: string, start: number): number {
	for (let at = start + 1; at < line.length; at++) {
		const sign = line[at];
		if (sign === '"') return at;
		if (sign === "\\") at++;
	}
	return line.length;
}

/** Returns the number of an entry whose line is too long to be parsed. */
function tooLong(line: string): Fields {
	const seq = beginning.exec(line)?.[1];
	const more = hasMore.test(line);
	return { seq: Number(seq), more, isTooLong: true };
}

/** Joins the lines of an entry: lists and objects one after the other, and other fields from the last line. */
function joined(parts: readonly Fields[]): Fields | null {
	if (parts.some(({ isTooLong }) => isTooLong === true)) return null;
	if (parts.length === 1) return parts[0]!;
	const whole: Record<string, unknown> = {};
	for (const field of ["nodes", "keys", "closed"]) {
		const lists = parts.flatMap((part) => (part[field] === undefined ? [] : [part[field]]));
		if (lists.length > 0) whole[field] = lists.every(Array.isArray) ? lists.flat(1) : lists;
	}
	const known = parts.flatMap((part) => (part.known === undefined ? [] : [part.known]));
	if (known.length > 0) whole.known = Object.assign({}, ...known);
	whole.at = parts.findLast(({ at }) => at !== undefined)?.at;
	whole.joins = parts.at(-1)!.joins;
	return whole;
}

function wrong(field: string, value: unknown, allowed: string): OutlineError {
	return invalid(`${field} is ${quoted(value)} in the header of the push. It must be ${allowed}.`);
}

function invalid(message: string): OutlineError {
	return new OutlineError("invalid_argument", message);
}
