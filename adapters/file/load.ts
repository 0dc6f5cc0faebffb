import { OutlineError } from "../../src/errors.js";
import { Pace } from "../../src/pace.js";
import { batchOf, type Delta } from "../resident/delta.js";
import { presentPart, type ReceiptLists } from "../resident/earlier-version.js";
import type { IndexPart, RecordIndex } from "../resident/index/record-index.js";
import { isCount, isDelta, isPart } from "../resident/validity.js";
import { DocumentBlock, isDocumentBlock } from "./document-block.js";
import type { FileHandle } from "./file-system.js";
import { type CommitLine, type Header, headerContent } from "./format.js";
import { crcLength } from "./line.js";
import { contentOfLine, contentsWithin, type Line, readLines } from "./line-reader.js";
import { isTextBlock, TextBlock } from "./text-block.js";

/** The number of changes to apply in one step. */
const sliceSize = 5_000;

/** The sizes of the parts of a file. */
export interface LoadedFile {
	/** The bytes up to the end of the last whole line. Bytes after them are a torn write. */
	readonly size: number;
	/** The bytes of the header and the snapshot. */
	readonly snapshotSize: number;
	/**
	 * The bytes that are proven durable: all before the last flush, or before the line that closing writes.
	 */
	readonly provenSize: number;
	/** The version of the format. */
	readonly version: number;
}

/**
 * Reads a file into an index. Writes nothing.
 *
 * A last line that never became durable is no damage.
 *
 * @throws `storage_unavailable` for a newer format; `storage_corrupt` for a file that holds no outline, a
 * damaged snapshot, a damaged line of the journal that is proven to have been durable, and a line whose
 * checksum is right although its content can't be valid
 */
export async function loadFile(handle: FileHandle, path: string, index: RecordIndex): Promise<LoadedFile> {
	const size = Number((await handle.stat()).size);
	const loading = new Loading(path, index, size);
	try {
		await loading.read(readLines(handle, size));
	} catch (error) {
		// Other errors come from the content of the file.
		throw error instanceof OutlineError || isOfSystem(error as object) ? error : loading.unreadable(error);
	}
	return loading;
}

/** The state of reading a file. */
class Loading implements LoadedFile {
	size = 0;
	snapshotSize = 0;
	provenSize = 0;
	version = 0;
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
				this.#index.finishLoading();
				this.snapshotSize = this.size;
				this.provenSize = this.size;
			}
		}
		if (!snapshot?.complete) throw damaged(this.#path, this.size);
	}

	/** Returns the error for a line whose content can't be what was written. */
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
		const header = headerContent(line.bytes, content, this.#fileSize, this.#path);
		this.version = header.version;
		return new SnapshotReader(header, this.#index, this.#path);
	}

	/**
	 * Returns false for a line that doesn't continue the journal: a torn write, or an old piece of the file
	 * after its end.
	 */
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

/** Reads the lines of a snapshot into an index. */
class SnapshotReader {
	readonly #index: RecordIndex;
	readonly #path: string;
	readonly #header: Header;
	/** The numbers of entries read. */
	readonly #read = { nodes: 0, keys: 0, deleted: 0, droppedKeys: 0, documents: 0, receipts: 0 };
	/** The first entry of each block without nodes. No two blocks begin with the same entry. */
	readonly #beginnings = new Set<string>();

	constructor(header: Header, index: RecordIndex, path: string) {
		this.#index = index;
		this.#path = path;
		this.#header = header;
		index.revision = header.revision;
		index.horizon = header.horizon;
		index.reserve(header.nodes);
	}

	/** Whether the whole snapshot has been read. */
	get complete(): boolean {
		return kinds.every((kind) => this.#read[kind] === (this.#header[kind] ?? 0));
	}

	/**
	 * Reads a line. @throws `storage_corrupt` if the line isn't part of the snapshot, or is repeated or out
	 * of place
	 */
	async read(line: Line): Promise<void> {
		const corrupt = () => damaged(this.#path, line.at);
		if (isTextBlock(line.bytes, crcLength)) {
			const block = new TextBlock(line.bytes, crcLength, this.#read.nodes, this.#header.nodes, corrupt);
			this.#count("nodes", block.count, corrupt);
			this.#index.loadPacked(block);
			return;
		}
		if (isDocumentBlock(line.bytes)) {
			const block = new DocumentBlock(line.bytes, corrupt);
			this.#begin("documents", block.first, block.count, corrupt);
			this.#index.loadPackedDocuments(block);
			return;
		}
		// A commit may have the same lists, but has more members.
		const { crc32: _, ...content } = (await contentOfLine(line)) as { crc32: string } & SnapshotPart;
		const kind = kinds.find((each) => each !== "nodes" && each in content);
		if (kind === undefined || Object.keys(content).length > 1 || !isPart(content)) throw corrupt();
		this.#begin(kind, beginningOf(content), content[kind as keyof SnapshotPart]!.length, corrupt);
		this.#index.load(presentPart(content));
	}

	/** Counts the entries of a block without nodes. */
	#begin(kind: Kind, first: string | undefined, count: number, corrupt: () => OutlineError): void {
		const beginning = `${kind} ${first}`;
		if (this.#beginnings.has(beginning)) throw corrupt();
		this.#beginnings.add(beginning);
		this.#count(kind, count, corrupt);
	}

	#count(kind: Kind, count: number, corrupt: () => OutlineError): void {
		this.#read[kind] += count;
		if (this.#read[kind] > (this.#header[kind] ?? 0)) throw corrupt();
	}
}

/** The kinds of entries in a snapshot. */
const kinds = ["nodes", "keys", "deleted", "droppedKeys", "documents", "receipts"] as const;

type Kind = (typeof kinds)[number];

/** A line of a snapshot without nodes. Version 1 had receipts. */
type SnapshotPart = Omit<IndexPart, "nodes"> & Pick<ReceiptLists, "receipts">;

/** Returns the key or id of the first entry. */
function beginningOf({ keys, deleted, droppedKeys, documents, receipts }: SnapshotPart): string | undefined {
	return (keys ?? droppedKeys ?? documents ?? receipts)?.[0]?.key ?? deleted?.[0]?.id;
}

/** Applies a commit. Returns false if it doesn't continue the journal. */
function apply(commit: CommitLine, index: RecordIndex): boolean | Promise<boolean> {
	const { nodes = [], deleted = [] } = commit;
	return nodes.length + deleted.length > sliceSize ? applyInSlices(commit, index) : applyDelta(commit, index);
}

/** Applies the changes in steps. The index isn't used before it has all of them. */
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
 * Whether the lines, from the first one that doesn't continue the journal, prove that a durable commit was
 * there. A later commit proves it if it was written in a later flush. So does the very next commit if all
 * lines before it are whole, because then none was torn.
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

/** Whether a line is a commit, judged without reading its lists. */
function isCommit(content: unknown): content is CommitLine {
	const { revision, flush, nodes = [], deleted = [] } = content as Partial<CommitLine>;
	return isCount(revision) && isCount(flush) && flush <= revision && Array.isArray(nodes) && Array.isArray(deleted);
}

function isOfSystem(error: object): boolean {
	return "syscall" in error || "errno" in error;
}

function damaged(path: string, at: number): OutlineError {
	return new OutlineError(
		"storage_corrupt",
		`${path} is damaged at byte ${at}, before commits that were acknowledged. The file was left as it is; restore it from a copy.`,
	);
}
