import { OutlineError } from "../../src/errors.js";
import { Pace } from "../../src/pace.js";
import { batchOf, type Delta } from "../resident/delta.js";
import type { IndexPart, RecordIndex } from "../resident/index/record-index.js";
import { isCount, isDelta, isPart } from "../resident/validity.js";
import type { FileHandle } from "./file-system.js";
import { type CommitLine, type Header, headerContent } from "./format.js";
import { crcLength } from "./line.js";
import { contentOfLine, contentsWithin, type Line, readLines } from "./line-reader.js";
import { isTextBlock, TextBlock } from "./text-block.js";

/** The number of changes that are applied at once. */
const sliceSize = 5_000;

/** How much of a file counts. */
export interface LoadedFile {
	/** The bytes up to the last line that is whole. What comes behind them is a torn write. */
	readonly size: number;
	/** The bytes of the header and the snapshot. */
	readonly snapshotSize: number;
	/** The bytes that are proven to be durable: those before the last flush, or before the line that says so on closing. */
	readonly provenSize: number;
}

/**
 * Reads a file into an index. Nothing is written.
 *
 * @throws `storage_unavailable` for a newer format; `storage_corrupt` for a file that isn't ours, a damaged snapshot, a damaged
 * line of the journal that is proven to have been durable, and a line whose checksum is right although it can't be one. A last
 * line that never became durable is no damage.
 */
export async function loadFile(handle: FileHandle, path: string, index: RecordIndex): Promise<LoadedFile> {
	const loading = new Loading(path, index, Number((await handle.stat()).size));
	try {
		await loading.read(readLines(handle));
	} catch (error) {
		// Whatever else reading throws, the content has made it do so.
		throw error instanceof OutlineError || isOfSystem(error) ? error : loading.unreadable(error);
	}
	return loading;
}

/** The reading of a file, up to a place. */
class Loading implements LoadedFile {
	size = 0;
	snapshotSize = 0;
	provenSize = 0;
	readonly #path: string;
	readonly #index: RecordIndex;
	readonly #fileSize: number;

	constructor(path: string, index: RecordIndex, fileSize: number) {
		this.#path = path;
		this.#index = index;
		this.#fileSize = fileSize;
	}

	async read(lines: AsyncGenerator<Line, void, undefined>): Promise<void> {
		let snapshot: SnapshotReader | undefined;
		for await (const line of lines) {
			if (snapshot === undefined) snapshot = await this.#beginSnapshot(line);
			else if (!snapshot.complete) {
				if (!line.whole) throw damaged(this.#path, this.size);
				await snapshot.read(line);
			} else if (!(await this.#readJournal(line))) {
				if (await goesOn(line, lines, this.#index.revision)) throw damaged(this.#path, this.size);
				return;
			}
			this.size += line.bytes.length + 1;
			if (snapshot.complete && this.snapshotSize === 0) {
				this.#index.settle();
				this.snapshotSize = this.size;
				this.provenSize = this.size;
			}
		}
		if (!snapshot?.complete) throw damaged(this.#path, this.size);
	}

	/** The error for a line whose content can't be what was written. */
	unreadable(cause: unknown): OutlineError {
		const reason = cause instanceof Error ? cause.message : cause;
		const remedy =
			this.snapshotSize === 0
				? "restore it from a copy."
				: "restore it from a copy, or cut a copy of it off at that byte: all that was committed before is there.";
		return new OutlineError(
			"storage_corrupt",
			`${this.#path} has a line at byte ${this.size} that can't be read although its checksum is right (${reason}). ` +
				`The file was left as it is; ${remedy}`,
			{ cause },
		);
	}

	async #beginSnapshot(line: Line): Promise<SnapshotReader> {
		const content = line.whole ? await contentOfLine(line) : undefined;
		return new SnapshotReader(headerContent(line.bytes, content, this.#fileSize, this.#path), this.#index, this.#path);
	}

	/** Returns false for a line that doesn't go on from here: a torn write, or an old piece of the file behind its end. */
	async #readJournal(line: Line): Promise<boolean> {
		if (!line.whole) return false;
		const content = await contentOfLine(line);
		if (isSynced(content)) {
			if (content.synced !== this.#index.revision) return false;
			this.provenSize = this.size;
			return true;
		}
		if (!isCommit(content)) throw this.unreadable("it is neither a commit nor the line that closing writes");
		if (content.revision <= this.#index.revision) return false;
		if (content.flush === content.revision) this.provenSize = this.size;
		if (!(await apply(content, this.#index))) throw damaged(this.#path, this.size);
		return true;
	}
}

/** Puts the lines of a snapshot into an index. */
class SnapshotReader {
	readonly #index: RecordIndex;
	readonly #path: string;
	readonly #header: Header;
	/** How much has been read. */
	readonly #read = { nodes: 0, keys: 0, deleted: 0, receipts: 0 };
	/** What the blocks without nodes begin with: it stands in no other block. */
	readonly #beginnings = new Set<string>();

	constructor(header: Header, index: RecordIndex, path: string) {
		this.#index = index;
		this.#path = path;
		this.#header = header;
		index.revision = header.revision;
		index.reserve(header.nodes);
	}

	/** Whether all of the snapshot has been read. */
	get complete(): boolean {
		return kinds.every((kind) => this.#read[kind] === this.#header[kind]);
	}

	/** @throws `storage_corrupt` for a line that is none of a snapshot, or stands there twice or in another place */
	async read(line: Line): Promise<void> {
		const corrupt = () => damaged(this.#path, line.at);
		if (isTextBlock(line.bytes, crcLength)) {
			const block = new TextBlock(line.bytes, crcLength, this.#read.nodes, this.#header.nodes, corrupt);
			this.#count("nodes", block.count, corrupt);
			this.#index.loadPacked(block);
			return;
		}
		// A commit, which may have the same lists, has more members.
		const { crc32: _, ...part } = (await contentOfLine(line)) as { crc32: string } & Omit<IndexPart, "nodes">;
		const kind = kinds.find((each) => each !== "nodes" && each in part);
		if (kind === undefined || Object.keys(part).length > 1 || !isPart(part)) throw corrupt();
		const beginning = `${kind} ${beginningOf(part)}`;
		if (this.#beginnings.has(beginning)) throw corrupt();
		this.#beginnings.add(beginning);
		this.#count(kind, (part as Required<IndexPart>)[kind].length, corrupt);
		this.#index.load(part);
	}

	#count(kind: (typeof kinds)[number], count: number, corrupt: () => OutlineError): void {
		this.#read[kind] += count;
		if (this.#read[kind] > this.#header[kind]) throw corrupt();
	}
}

/** What a snapshot holds. */
const kinds = ["nodes", "keys", "deleted", "receipts"] as const;

/** The name of the first entry of some. */
function beginningOf({ keys, deleted, receipts }: IndexPart): string | undefined {
	return keys?.[0]?.key ?? deleted?.[0]?.id ?? receipts?.[0]?.key;
}

/** Applies a commit. Returns false if it doesn't fit there. */
function apply(commit: CommitLine, index: RecordIndex): boolean | Promise<boolean> {
	const { nodes = [], deleted = [] } = commit;
	return nodes.length + deleted.length > sliceSize ? applyInSlices(commit, index) : applyDelta(commit, index);
}

/** Applies some of the changes at a time. The index isn't used before it has all of them. */
async function applyInSlices(commit: CommitLine, index: RecordIndex): Promise<boolean> {
	if (commit.revision !== index.revision + 1) return false;
	const pace = new Pace();
	for (const slice of slicesOf(commit)) {
		index.revision = commit.revision - 1;
		if (!applyDelta(slice, index)) return false;
		if (pace.isDue) await pace.turn();
	}
	return true;
}

function applyDelta(delta: Delta, index: RecordIndex): boolean {
	const batch = isDelta(delta) ? batchOf(delta, index) : null;
	if (batch !== null) index.apply(batch);
	return batch !== null;
}

function* slicesOf({ flush: _, nodes = [], deleted = [], ...others }: CommitLine): Generator<Delta, void, undefined> {
	const { revision } = others;
	for (let at = 0; at < nodes.length; at += sliceSize) yield { revision, nodes: nodes.slice(at, at + sliceSize) };
	for (let at = 0; at < deleted.length; at += sliceSize) yield { revision, deleted: deleted.slice(at, at + sliceSize) };
	yield others;
}

/**
 * Whether the lines from one on that doesn't fit prove that there was a commit in its place: a later one that was written
 * when it was durable, or, where all lines up to there are whole, so that none was torn, the very next commit.
 */
async function goesOn(first: Line, rest: AsyncIterable<Line>, revision: number): Promise<boolean> {
	const next = revision + 1;
	let allWhole = true;
	const proves = async (line: Line) => {
		allWhole &&= line.whole;
		for await (const content of contentsWithin(line)) {
			if (isSynced(content) && content.synced >= next) return true;
			if (isCommit(content) && (content.flush > next || (allWhole && content.revision === next))) return true;
		}
		return false;
	};
	if (await proves(first)) return true;
	for await (const line of rest) if (await proves(line)) return true;
	return false;
}

function isSynced(content: unknown): content is { readonly synced: number } {
	return isCount((content as { synced?: unknown }).synced);
}

/** Whether a line is a commit, as far as that is seen without going through its lists. */
function isCommit(content: unknown): content is CommitLine {
	const { revision, flush, nodes = [], deleted = [] } = content as Partial<CommitLine>;
	return isCount(revision) && isCount(flush) && flush <= revision && Array.isArray(nodes) && Array.isArray(deleted);
}

function isOfSystem(error: unknown): boolean {
	return error instanceof Error && ("syscall" in error || "errno" in error);
}

function damaged(path: string, at: number): OutlineError {
	return new OutlineError(
		"storage_corrupt",
		`${path} is damaged at byte ${at}, before commits that were acknowledged. The file was left as it is; restore it from a copy.`,
	);
}
