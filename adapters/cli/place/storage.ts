import { existsSync, type Stats, statSync } from "node:fs";
import { mkdir, realpath, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { OutlineError, type StorageAdapter } from "outlinekit";
import { exitCodes, Failure } from "../failure.ts";
import type { Output } from "../output.ts";
import { openPostgres, openSqlite } from "./drivers.ts";
import { type OutlinePlace, outlineNameOf, type ServerPlace } from "./place.ts";

/** An open storage. */
export interface OpenStorage {
	readonly storage: StorageAdapter;
	/**
	 * Deletes the file if this process has created it and it has no commits. Call it before the storage closes.
	 */
	discardEmpty(): Promise<void>;
	/** Closes the connection of a database. The outline closes the storage. */
	end(): Promise<void>;
}

/** The wishes of a command. */
export interface OpenOptions {
	/** Whether the command may create the outline. */
	readonly creates: boolean;
	/** The seconds to wait for another process. */
	readonly wait: number;
	readonly output: Output;
	readonly signal: AbortSignal;
}

/** Opens the storage of a local place. @throws Failure, OutlineError */
export async function openStorage(
	place: Exclude<OutlinePlace, ServerPlace>,
	options: OpenOptions,
): Promise<OpenStorage> {
	if (place.kind !== "postgres" && !options.creates && isAbsent(place.path)) {
		if (!(place.kind === "file" && place.isDefault)) {
			throw noOutline(place);
		}
	}
	if (place.kind === "file") return openFile(place, options);
	if (place.kind === "sqlite") {
		const [{ createSqliteStorage }, database] = await Promise.all([
			import("outlinekit/sqlite"),
			openSqlite(place.path),
		]);
		const storage = createSqliteStorage(database, { outline: place.outline, busyTimeout: options.wait * 1000 });
		return { storage, discardEmpty: nothing, end: async () => void database.close() };
	}
	const { output } = options;
	const { createPostgresStorage } = await import("outlinekit/postgres");
	const pool = await openPostgres(place.url, ({ message }) => output.note(`A connection broke: ${message}`));
	const storage = createPostgresStorage(pool, { outline: place.outline });
	return { storage, discardEmpty: nothing, end: () => pool.end() };
}

/** Whether there is certainly no file at a path. A folder that may not be searched tells nothing. */
function isAbsent(path: string): boolean {
	try {
		statSync(path);
		return false;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return code === "ENOENT" || code === "ENOTDIR";
	}
}

async function nothing(): Promise<void> {}

/** Returns the error of a place without an outline. */
export function noOutline(place: OutlinePlace): Failure {
	const [name, hint] =
		"outline" in place
			? [outlineNameOf(place), "Give its name with --outline"]
			: [`at ${outlineNameOf(place)}`, "Give another place"];
	return new Failure("not_found", `There is no outline ${name} yet. ${hint}, or add something.`, exitCodes.missing);
}

/** Opens a file, and waits while another process has it. */
async function openFile(
	{ path, isDefault }: Extract<OutlinePlace, { kind: "file" }>,
	{ wait, signal, output }: OpenOptions,
): Promise<OpenStorage> {
	// Only for this folder: a misspelled path must not create folders.
	if (isDefault) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	const { createFileStorage } = await import("outlinekit/file");
	const existed = existsSync(path);
	const deadline = performance.now() + wait * 1000;
	for (let isFirst = true; ; isFirst = false) {
		const storage = createFileStorage(path);
		try {
			await storage.read([]);
			const created = existed ? undefined : await stat(path);
			return { storage, discardEmpty: async () => created && discardEmpty(storage, path, created), end: nothing };
		} catch (error) {
			await storage.close();
			if (!isLocked(error)) throw error;
			if (performance.now() >= deadline) throw inUse(error);
			if (isFirst) output.note(`Waiting up to ${wait} s: ${error.message}`);
			await pause(100, undefined, { signal });
		}
	}
}

/** Deletes a new file without commits, unless another program has replaced it. The storage must be open. */
async function discardEmpty(storage: StorageAdapter, path: string, created: Stats): Promise<void> {
	try {
		if ((await storage.read([])).revision > 0) return;
		const location = await realpath(path);
		const { ino, size } = await stat(location);
		if (ino === created.ino && size === created.size) await unlink(location);
	} catch {
		// An empty file does no harm, and the error of the command is more important.
	}
}

function isLocked(error: unknown): error is OutlineError {
	return error instanceof OutlineError && error.code === "storage_unavailable" && / is open in /.test(error.message);
}

function inUse({ code, message }: OutlineError): Failure {
	return new Failure(
		code,
		`${message} Or wait longer with --wait. If that process is outlinekit serve, give its link with --server.`,
	);
}
