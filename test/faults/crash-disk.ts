import { Random } from "../conformance/random.js";

/** A change of a file that the disk may not have yet. */
export type FileChange =
	| { readonly type: "write"; readonly offset: number; readonly bytes: Uint8Array }
	| { readonly type: "truncate"; readonly length: number };

/** A change of a directory that the disk may not have yet. A rename within a directory is one change. */
export interface EntryChange {
	readonly removed?: string;
	readonly added?: { readonly name: string; readonly entry: Entry };
}

/** A file without its names. The arrays are replaced, never changed. */
export interface DiskFile {
	readonly type: "file";
	/** The content as processes see it. */
	cached: Uint8Array;
	/** The content that certainly survives a power cut. */
	durable: Uint8Array;
	/** The changes from `durable` to `cached`, unless a sync has failed. */
	unsynced: readonly FileChange[];
}

/** A directory, as {@link DiskFile}. */
export interface DiskDirectory {
	readonly type: "directory";
	cached: ReadonlyMap<string, Entry>;
	durable: ReadonlyMap<string, Entry>;
	unsynced: readonly EntryChange[];
}

export type Entry = DiskFile | DiskDirectory;

/** A disk after a power cut: everything on it is durable. */
export interface CrashState {
	/** The fate of the changes that weren't durable. */
	readonly description: string;
	readonly root: DiskDirectory;
}

/** The limit for the number of states, and the random source to choose them if there are more. */
export interface CrashStateOptions {
	/** Default 200. */
	readonly limit?: number;
	readonly random: Random;
}

interface Outcome<T> {
	readonly description: string;
	readonly content: T;
}

const pageSizes = [512, 4096] as const;

/**
 * The content where a file had grown by bytes that the disk doesn't have: zeros, random bytes, or older
 * bytes, here of the same file.
 */
const fillings = ["zeroed", "garbage", "stale"] as const;

/** As {@link fillings}; `absent` if the file hasn't even grown. */
const tails = ["absent", ...fillings] as const;

type Filling = (typeof fillings)[number];
type Tail = (typeof tails)[number];

export function diskFile(content: Uint8Array): DiskFile {
	return { type: "file", cached: content, durable: content, unsynced: [] };
}

export function diskDirectory(content: ReadonlyMap<string, Entry> = new Map()): DiskDirectory {
	return { type: "directory", cached: content, durable: content, unsynced: [] };
}

export function changeFile(file: DiskFile, change: FileChange): void {
	file.cached = withChange(file.cached, change);
	file.unsynced = [...file.unsynced, change];
}

export function changeDirectory(directory: DiskDirectory, change: EntryChange): void {
	directory.cached = withEntryChange(directory.cached, change);
	directory.unsynced = [...directory.unsynced, change];
}

/** Returns the bytes after a change. Bytes between the former end and a write beyond it are zero. */
export function withChange(content: Uint8Array, change: FileChange): Uint8Array {
	if (change.type === "truncate") return resized(content, change.length);
	const result = resized(content, Math.max(content.length, change.offset + change.bytes.length));
	result.set(change.bytes, change.offset);
	return result;
}

export function withEntryChange(content: ReadonlyMap<string, Entry>, change: EntryChange): ReadonlyMap<string, Entry> {
	const result = new Map(content);
	if (change.removed !== undefined) result.delete(change.removed);
	if (change.added !== undefined) result.set(change.added.name, change.added.entry);
	return result;
}

/** Returns the first `size` bytes of a stream of changes. A truncation counts as one byte. */
export function streamPrefix(changes: readonly FileChange[], size: number): FileChange[] {
	const prefix: FileChange[] = [];
	let left = size;
	for (const change of changes) {
		if (left <= 0) break;
		const cut = change.type === "write" && change.bytes.length > left;
		prefix.push(cut ? { ...change, bytes: change.bytes.subarray(0, left) } : change);
		left -= streamSize([change]);
	}
	return prefix;
}

export function streamSize(changes: readonly FileChange[]): number {
	return changes.reduce((size, change) => size + (change.type === "write" ? change.bytes.length : 1), 0);
}

/**
 * Yields the disks that a power cut may leave. For each file they include:
 *
 * - every prefix of the unsynced byte stream, with the file's growth beyond it absent, zeroed or garbage
 * - the writes without the truncations before them
 * - any of the pages written, in no order
 *
 * For each directory they include every prefix of its unsynced changes.
 *
 * Yields all combinations if they are within the limit. Otherwise yields the ones in which all changes or
 * none have arrived, and random ones. The states don't change when the disk changes later.
 */
export function crashStates(root: DiskDirectory, { limit = 200, random }: CrashStateOptions): Iterable<CrashState> {
	const entries = reachable(root).map((entry) => ({ entry, durable: entry.durable, image: { ...entry } }));
	const dirty = entries.filter(({ entry }) => entry.unsynced.length > 0);
	const total = dirty.reduce((product, { image }) => product * outcomeCount(image), 1);
	const state = (choices: readonly Outcome<Uint8Array | ReadonlyMap<string, Entry>>[]): CrashState => {
		const contents = new Map(entries.map(({ entry, durable }) => [entry, durable]));
		for (const [index, choice] of choices.entries()) contents.set(dirty[index]!.entry, choice.content);
		return {
			description: choices.map(({ description }) => description).join("; ") || "nothing was unsynced",
			root: rebuilt(root, contents, new Map()) as DiskDirectory,
		};
	};
	return (function* () {
		if (total <= limit) {
			for (const choices of product(dirty.map(({ image }) => [...everyOutcome(image, random)]))) yield state(choices);
			return;
		}
		let left = limit;
		for (const choices of product(dirty.map(({ image }) => extremeOutcomes(image)))) {
			if (left-- <= 0) return;
			yield state(choices);
		}
		while (left-- > 0) yield state(dirty.map(({ image }) => randomOutcome(image, random)));
	})();
}

function outcomeCount(entry: Entry): number {
	if (entry.type === "directory") return entry.unsynced.length + 1;
	const subsets = pageSizes.reduce((sum, size) => sum + 2 ** pages(entry.unsynced, size).length, 0);
	return (streamSize(entry.unsynced) + 1) * (tails.length + 1) + subsets * fillings.length;
}

function* everyOutcome(entry: Entry, random: Random): Generator<Outcome<Uint8Array | ReadonlyMap<string, Entry>>> {
	if (entry.type === "directory") {
		for (let count = 0; count <= entry.unsynced.length; count++) yield directoryOutcome(entry, count);
		return;
	}
	for (let size = 0; size <= streamSize(entry.unsynced); size++) {
		for (const tail of tails) yield prefixOutcome(entry, size, tail, random);
		yield untruncatedOutcome(entry, size);
	}
	for (const pageSize of pageSizes) {
		const count = pages(entry.unsynced, pageSize).length;
		for (let subset = 0; subset < 2 ** count; subset++) {
			for (const filling of fillings) {
				yield pageOutcome(entry, pageSize, (page) => ((subset >> page) & 1) === 1, filling, random);
			}
		}
	}
}

function extremeOutcomes(entry: Entry): Outcome<Uint8Array | ReadonlyMap<string, Entry>>[] {
	if (entry.type === "directory") return [directoryOutcome(entry, 0), directoryOutcome(entry, entry.unsynced.length)];
	const none = new Random(0);
	return [prefixOutcome(entry, 0, "absent", none), prefixOutcome(entry, streamSize(entry.unsynced), "absent", none)];
}

function randomOutcome(entry: Entry, random: Random): Outcome<Uint8Array | ReadonlyMap<string, Entry>> {
	if (entry.type === "directory") return directoryOutcome(entry, random.below(entry.unsynced.length + 1));
	const size = random.below(streamSize(entry.unsynced) + 1);
	const kind = random.pick([...tails, "untruncated", "pages", "pages"] as const);
	if (kind === "untruncated") return untruncatedOutcome(entry, size);
	if (kind !== "pages") return prefixOutcome(entry, size, kind, random);
	const filling = random.pick(fillings);
	return pageOutcome(entry, random.pick(pageSizes), () => random.happens(0.5), filling, random);
}

function directoryOutcome(directory: DiskDirectory, count: number): Outcome<ReadonlyMap<string, Entry>> {
	return {
		description: `${count} of ${directory.unsynced.length} directory changes`,
		content: directory.unsynced.slice(0, count).reduce(withEntryChange, directory.durable),
	};
}

function prefixOutcome(file: DiskFile, size: number, tail: Tail, random: Random): Outcome<Uint8Array> {
	const written = streamPrefix(file.unsynced, size).reduce(withChange, file.durable);
	return {
		description: `${size} of ${streamSize(file.unsynced)} bytes, the rest ${tail}`,
		content: tail === "absent" ? written : grown(written, file, tail, random),
	};
}

/**
 * A disk writes the data of a file and its length separately. So a truncation may be lost although later
 * writes aren't.
 */
function untruncatedOutcome(file: DiskFile, size: number): Outcome<Uint8Array> {
	const writes = streamPrefix(file.unsynced, size).filter((change) => change.type === "write");
	return {
		description: `${size} of ${streamSize(file.unsynced)} bytes, no truncation`,
		content: writes.reduce(withChange, file.durable),
	};
}

function pageOutcome(
	file: DiskFile,
	pageSize: number,
	arrived: (page: number) => boolean,
	filling: Filling,
	random: Random,
): Outcome<Uint8Array> {
	const pieces = pages(file.unsynced, pageSize);
	const chosen = pieces.map((_, page) => arrived(page));
	const base = grown(file.durable, file, filling, random);
	return {
		description: `pages ${chosen.map(Number).join("")} of ${pageSize} bytes, the rest ${filling}`,
		content: pieces.filter((_, page) => chosen[page]).reduce(withChange, base),
	};
}

/** The written bytes by page of the file. */
function pages(changes: readonly FileChange[], pageSize: number): FileChange[] {
	return changes.flatMap((change) => {
		if (change.type === "truncate") return [];
		const pieces: FileChange[] = [];
		for (let start = 0; start < change.bytes.length; ) {
			const end = Math.min(change.bytes.length, start + pageSize - ((change.offset + start) % pageSize));
			pieces.push({ type: "write", offset: change.offset + start, bytes: change.bytes.subarray(start, end) });
			start = end;
		}
		return pieces;
	});
}

/** Returns the content with the length that the file should have. */
function grown(content: Uint8Array, file: DiskFile, filling: Filling, random: Random): Uint8Array {
	const whole = file.unsynced.reduce(withChange, file.durable);
	if (whole.length <= content.length) return content;
	const result = resized(content, whole.length);
	const distance = pageSizes[0] * (1 + random.below(whole.length / pageSizes[0]));
	for (let index = content.length; index < whole.length; index++) {
		if (filling === "garbage") result[index] = random.below(256);
		else if (filling === "stale") result[index] = whole[index - distance] ?? 0;
	}
	return result;
}

function resized(content: Uint8Array, length: number): Uint8Array {
	const result = new Uint8Array(length);
	result.set(content.subarray(0, Math.min(content.length, length)));
	return result;
}

/** Returns everything that may be reachable after a crash, by durable changes or not. */
function reachable(root: DiskDirectory): Entry[] {
	const seen = new Set<Entry>([root]);
	for (const entry of seen) {
		if (entry.type === "file") continue;
		for (const child of entry.durable.values()) seen.add(child);
		for (const { added } of entry.unsynced) if (added !== undefined) seen.add(added.entry);
	}
	return [...seen];
}

/** Returns a copy with these contents. A file with two names stays one file. */
function rebuilt(
	entry: Entry,
	contents: ReadonlyMap<Entry, Uint8Array | ReadonlyMap<string, Entry>>,
	copies: Map<Entry, Entry>,
): Entry {
	const existing = copies.get(entry);
	if (existing !== undefined) return existing;
	const content = contents.get(entry) ?? entry.durable;
	const copy =
		content instanceof Uint8Array
			? diskFile(content)
			: diskDirectory(new Map([...content].map(([name, child]) => [name, rebuilt(child, contents, copies)])));
	copies.set(entry, copy);
	return copy;
}

function* product<T>(choices: readonly (readonly T[])[]): Generator<T[]> {
	const [first, ...rest] = choices;
	if (first === undefined) {
		yield [];
		return;
	}
	for (const choice of first) for (const others of product(rest)) yield [choice, ...others];
}
