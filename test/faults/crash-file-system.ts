import { posix } from "node:path";
import type { FileHandle, FileStat, FileSystem } from "../../adapters/file/file-system.js";
import { Random } from "../conformance/random.js";
import {
	type CrashState,
	type CrashStateOptions,
	changeDirectory,
	changeFile,
	crashStates,
	type DiskDirectory,
	diskDirectory,
	diskFile,
	type Entry,
	withEntryChange,
} from "./crash-disk.js";
import { CrashFileHandle, type OpenFlags, openFlags } from "./crash-file-handle.js";
import { systemError } from "./system-error.js";

/** One call of the file system or of an open file. */
export interface Call {
	/** Counted from 0 over all calls of one file system. */
	readonly index: number;
	readonly type: CallType;
	/** Of an open file: the path by which it was opened. */
	readonly path: string;
	/** `open`: the flags. `rename`: the new path. */
	readonly detail?: string;
	/** `read` and `write`: the position. */
	readonly offset?: number;
	/** `read`, `write` and `truncate`: the length in bytes. */
	readonly length?: number;
}

export type CallType =
	| "open"
	| "rename"
	| "unlink"
	| "read"
	| "write"
	| "truncate"
	| "datasync"
	| "sync"
	| "stat"
	| "close";

/**
 * A fault of a call. An error: the call has no effect. `short`: a read or write transfers half the bytes,
 * and a sync fails with `EIO` after half of the unsynced bytes.
 */
export type Fault = Error | "short" | undefined;

/**
 * The fate of the bytes that a failed sync of a file didn't write. Later syncs ignore them and succeed. With
 * `keeps` processes still see the bytes; with `drops` they see the content of the disk.
 */
export type FailedSync = "keeps" | "drops";

export interface CrashFileSystemOptions {
	/** Paths of existing directories; their parents exist too. Default `/data`. */
	readonly directories?: readonly string[];
	/** Default `keeps`. */
	readonly failedSync?: FailedSync;
}

/**
 * Makes a call: records it, applies its fault if any, and settles it in a later turn. `begin` takes effect at
 * once; its result takes effect in that later turn. `fail` takes effect then if the call fails.
 */
export type MakeCall = <T>(
	call: Omit<Call, "index">,
	begin: (part: "all" | "half") => () => T,
	fail?: () => void,
) => Promise<T>;

/**
 * A file system in memory for tests of power cuts, failing disks and killed processes. It promises what POSIX
 * promises, and no more: a file's data is durable once the file was synced, its name once the directory was.
 */
export class CrashFileSystem implements FileSystem {
	/** All calls so far, failed ones included. */
	readonly calls: Call[] = [];
	/** Resolves at the call that {@link CrashFileSystem.killAt} names. */
	readonly killed: Promise<void>;
	/** Called before each call that can change the disk. */
	onCall: (call: Call) => void = () => undefined;
	/** The handles that have been opened and not closed. */
	readonly openHandles = new Set<FileHandle>();
	readonly #root: DiskDirectory;
	readonly #failedSync: FailedSync;
	#fault: (call: Call) => Fault = () => undefined;
	#killIndex = Number.POSITIVE_INFINITY;
	#killEffect: "half" | undefined;
	#isKilled = false;
	#die: () => void = () => undefined;

	constructor(options: CrashFileSystemOptions = {}, root = directories(options.directories ?? ["/data"])) {
		this.#root = root;
		this.#failedSync = options.failedSync ?? "keeps";
		this.killed = new Promise((resolve) => {
			this.#die = resolve;
		});
	}

	/** Calls this function before each call, for the call's fault. */
	failOn(fault: (call: Call) => Fault): void {
		this.#fault = fault;
	}

	/**
	 * Ends the process at its call of this index: neither that call nor any later one settles. With `half`,
	 * half of that call takes effect.
	 */
	killAt(index: number, effect?: "half"): void {
		this.#killIndex = index;
		this.#killEffect = effect;
	}

	/**
	 * Ends the process. Returns the same disk and its cache for the next process. The power may still be cut.
	 */
	afterKill(options: Omit<CrashFileSystemOptions, "directories"> = {}): CrashFileSystem {
		this.#isKilled = true;
		this.#die();
		return new CrashFileSystem({ failedSync: this.#failedSync, ...options }, this.#root);
	}

	/** Returns the disks that a power cut now may leave. Without `random`, uses a fixed seed. */
	crashStates({ limit, random = new Random(1) }: Partial<CrashStateOptions> = {}): Iterable<CrashState> {
		return crashStates(this.#root, limit === undefined ? { random } : { limit, random });
	}

	/** Returns the file as processes see it; undefined if there is none. */
	content(path: string): Uint8Array | undefined {
		const entry = this.#maybeEntry(path);
		return entry?.type === "file" ? entry.cached : undefined;
	}

	/** Returns the names in a directory as processes see them, in order. */
	names(path: string): string[] {
		return [...this.#directory(path, "scandir").cached.keys()].sort();
	}

	/** Puts a file and its name onto the disk, durably. */
	put(path: string, content: Uint8Array): void {
		const { directory, name } = this.#location(path, "open");
		const added = { name, entry: diskFile(content) };
		directory.cached = withEntryChange(directory.cached, { added });
		directory.durable = withEntryChange(directory.durable, { added });
	}

	/** Moves a file as another program would, durably. Without a new path it deletes the file. */
	move(from: string, to?: string): void {
		const { directory, name } = this.#location(from, "rename");
		const entry = directory.cached.get(name)!;
		const change = (content: ReadonlyMap<string, Entry>) => {
			const removed = withEntryChange(content, { removed: name });
			return to === undefined ? removed : withEntryChange(removed, { added: { name: posix.basename(to), entry } });
		};
		directory.cached = change(directory.cached);
		directory.durable = change(directory.durable);
	}

	open(path: string, flags: string, _mode?: number): Promise<FileHandle> {
		return this.#call({ type: "open", path, detail: flags }, () => {
			const entry = this.#opened(path, openFlags(flags));
			const makeCall: MakeCall = (call, begin, fail) => this.#call(call, begin, fail);
			return () => {
				const statOf = (entry: Entry) => this.#statOf(entry);
				const handle = new CrashFileHandle(entry, path, openFlags(flags), this.#failedSync, makeCall, statOf, () => {
					this.openHandles.delete(handle);
				});
				this.openHandles.add(handle);
				return handle;
			};
		});
	}

	rename(from: string, to: string): Promise<void> {
		return this.#call({ type: "rename", path: from, detail: to }, () => {
			const source = this.#location(from, "rename");
			const target = this.#location(to, "rename");
			const entry = source.directory.cached.get(source.name);
			const replaced = target.directory.cached.get(target.name);
			if (entry === undefined) throw systemError("ENOENT", "rename", from);
			if (entry.type === "directory") throw systemError("ENOTSUP", "rename", from);
			if (replaced?.type === "directory") throw systemError("EISDIR", "rename", to);
			const added = { name: target.name, entry };
			if (source.directory !== target.directory) {
				changeDirectory(target.directory, { added });
				changeDirectory(source.directory, { removed: source.name });
			} else if (replaced !== entry) changeDirectory(source.directory, { removed: source.name, added });
			return () => undefined;
		});
	}

	unlink(path: string): Promise<void> {
		return this.#call({ type: "unlink", path }, () => {
			const { directory, name } = this.#location(path, "unlink");
			const entry = directory.cached.get(name);
			if (entry === undefined) throw systemError("ENOENT", "unlink", path);
			if (entry.type === "directory") throw systemError("EISDIR", "unlink", path);
			changeDirectory(directory, { removed: name });
			return () => undefined;
		});
	}

	/** @throws Error in a process that was killed */
	lstatSync(path: string): FileStat | undefined {
		const call = { index: this.calls.length, type: "stat", path } as const;
		this.calls.push(call);
		if (call.index === this.#killIndex) {
			this.#isKilled = true;
			this.#die();
		}
		if (this.#isKilled) throw new Error("the process was killed");
		const fault = this.#fault(call);
		if (fault instanceof Error) throw fault;
		let entry: Entry | undefined;
		try {
			entry = this.#maybeEntry(path);
		} catch {
			// A directory of the path is missing, or is a file.
		}
		return entry === undefined ? undefined : this.#statOf(entry);
	}

	#statOf(entry: Entry): FileStat {
		return {
			dev: 1n,
			ino: numberOf(entry),
			nlink: BigInt(linksTo(entry, this.#root)),
			size: BigInt(entry.type === "file" ? entry.cached.length : 4096),
			mode: 0o600n,
			// The cached bytes are replaced with each change.
			mtimeNs: numberOf(entry.cached),
			isFile: () => entry.type === "file",
		};
	}

	async #call<T>(
		call: Omit<Call, "index">,
		begin: (part: "all" | "half") => () => T,
		fail: () => void = () => undefined,
	): Promise<T> {
		const recorded = { index: this.calls.length, ...call };
		this.calls.push(recorded);
		if (!this.#isKilled && !looking.has(call.type)) this.onCall(recorded);
		if (recorded.index === this.#killIndex) {
			this.#isKilled = true;
			if (this.#killEffect === "half" && call.type === "write") begin("half");
			this.#die();
		}
		if (this.#isKilled) return never();
		const fault = this.#fault(recorded);
		let finish: () => T;
		if (fault instanceof Error) {
			finish = () => {
				fail();
				throw fault;
			};
		} else finish = begin(fault === "short" ? "half" : "all");
		await new Promise((resolve) => setImmediate(resolve));
		return this.#isKilled ? never() : finish();
	}

	#opened(path: string, flags: OpenFlags): Entry {
		const existing = this.#maybeEntry(path);
		if (existing !== undefined && flags.exclusive) throw systemError("EEXIST", "open", path);
		if (existing?.type === "directory") {
			if (flags.write) throw systemError("EISDIR", "open", path);
			return existing;
		}
		if (existing !== undefined) {
			if (flags.truncate && existing.cached.length > 0) changeFile(existing, { type: "truncate", length: 0 });
			return existing;
		}
		const { directory, name } = this.#location(path, "open");
		if (!flags.create) throw systemError("ENOENT", "open", path);
		const entry = diskFile(new Uint8Array());
		changeDirectory(directory, { added: { name, entry } });
		return entry;
	}

	#maybeEntry(path: string): Entry | undefined {
		if (posix.resolve(path) === "/") return this.#root;
		const { directory, name } = this.#location(path, "open");
		return directory.cached.get(name);
	}

	#location(path: string, call: string): { directory: DiskDirectory; name: string } {
		const { dir, base } = posix.parse(posix.resolve(path));
		return { directory: this.#directory(dir, call), name: base };
	}

	#directory(path: string, call: string): DiskDirectory {
		let directory = this.#root;
		for (const name of posix.resolve(path).split("/").filter(Boolean)) {
			const entry = directory.cached.get(name);
			if (entry === undefined) throw systemError("ENOENT", call, path);
			if (entry.type === "file") throw systemError("ENOTDIR", call, path);
			directory = entry;
		}
		return directory;
	}
}

const looking: ReadonlySet<CallType> = new Set(["read", "stat"]);

const numbers = new WeakMap<object, bigint>();
let lastNumber = 0n;

/** Returns a different number for each object. */
function numberOf(object: object): bigint {
	const known = numbers.get(object);
	if (known !== undefined) return known;
	lastNumber += 1n;
	numbers.set(object, lastNumber);
	return lastNumber;
}

/** Returns the number of names of an entry in a directory and below, as processes see it. */
function linksTo(entry: Entry, directory: DiskDirectory): number {
	let links = 0;
	for (const child of directory.cached.values()) {
		if (child === entry) links += 1;
		if (child.type === "directory") links += linksTo(entry, child);
	}
	return links;
}

/** Returns a promise that never settles, for a process that was killed. */
function never<T>(): Promise<T> {
	return new Promise(() => undefined);
}

function directories(paths: readonly string[]): DiskDirectory {
	const root = diskDirectory();
	for (const path of paths) {
		let directory = root;
		for (const name of path.split("/").filter(Boolean)) {
			const existing = directory.cached.get(name);
			const inner = existing?.type === "directory" ? existing : diskDirectory();
			directory.cached = directory.durable = withEntryChange(directory.cached, { added: { name, entry: inner } });
			directory = inner;
		}
	}
	return root;
}
