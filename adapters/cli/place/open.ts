import { Outline, OutlineError, type OutlineOptions, type StorageAdapter } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { createHttpRemote, createReplica, type Remote, type Replica } from "outlinekit/sync";
import { Failure } from "../failure.ts";
import type { Options } from "../options.ts";
import type { Output } from "../output.ts";
import { localPlaceOf, nameOf, type OutlinePlace, outlineNameOf, placeOf, type ServerPlace } from "./place.ts";
import { serverFetch } from "./server-fetch.ts";
import { noOutline, openStorage } from "./storage.ts";

/** An outline that a command works on. */
export interface OpenOutline {
	readonly outline: Outline;
	readonly place: OutlinePlace;
	/** Of a local copy of a server's outline. It stays offline. */
	readonly replica?: Replica | undefined;
	/** Makes the changes last: sends them to the server, if the outline is on one. */
	push(): Promise<void>;
	close(): Promise<void>;
}

/** The command that opens an outline. */
interface Opener {
	readonly options: Options;
	readonly output: Output;
	/** Aborted by Ctrl+C and SIGTERM. */
	readonly signal: AbortSignal;
}

/** The needs of a command. */
export interface Needs {
	/** Whether the command creates the outline if there is none. */
	readonly creates?: boolean;
	/** Whether the command runs until the user stops it. */
	readonly stays?: boolean;
}

/** Opens the outline of a command. */
export async function openOutline(command: Opener, { creates = false, stays = false }: Needs): Promise<OpenOutline> {
	const { options } = command;
	const place = placeOf(options);
	// A command that stays sends its last changes after it was stopped.
	if (place.kind === "server") return openRemote(place, options, stays, stays ? undefined : command.signal);
	const { storage, discardEmpty, end } = await openStorage(place, { ...openingOf(command), creates });
	try {
		let isNew = (await storage.read([])).revision === 0;
		if (isNew && !creates && !(place.kind === "file" && place.isDefault)) throw noOutline(place);
		// The copy of a server's outline keeps a journal of its changes for the next sync.
		const replica = (await isReplica(storage))
			? createReplica({ local: storage, remote: absent, auto: false })
			: undefined;
		const outline = new Outline({
			...settingsOf(options),
			storage: replica?.storage ?? storage,
			// So that another run of the program can undo.
			history: { keep: true },
			onWrite({ error }) {
				// A misspelled name begins a new outline too, so the user should know.
				if (isNew && error === undefined) command.output.note(`A new outline: ${outlineNameOf(place)}`);
				isNew = false;
			},
		});
		const close = async () => {
			await discardEmpty();
			await outline.close().finally(end);
		};
		return { outline, place, replica, push: async () => {}, close };
	} catch (error) {
		await discardEmpty();
		await storage.close().finally(end);
		throw error;
	}
}

/** A local outline as a copy of a server's outline. */
export interface OpenReplica {
	readonly replica: Replica;
	readonly name: string;
	close(): Promise<void>;
}

/** Opens a local outline to synchronize it with a server. */
export async function openReplica(command: Opener, server: ServerPlace): Promise<OpenReplica> {
	const place = localPlaceOf(command.options);
	const { storage, end } = await openStorage(place, { ...openingOf(command), creates: true });
	const replica = createReplica({ local: storage, remote: remoteOf(server, command.signal), auto: false });
	return { replica, name: nameOf(place), close: () => replica.storage.close().finally(end) };
}

/** Whether a storage is the copy of a server's outline. A replica writes to it, so that each change is sent by itself. */
export async function isReplica(storage: StorageAdapter): Promise<boolean> {
	const { results } = await storage.read([{ type: "documents", prefix: "replica/state", limit: 1 }]);
	return results[0].length > 0;
}

/** Returns the settings of outlines from the options that a command has. */
export function settingsOf(options: Options): Pick<OutlineOptions, "timeZone" | "weekStartsOn"> {
	return { timeZone: options.text("time-zone"), weekStartsOn: options.integer("week-start", 0, 6) as 0 | undefined };
}

/** Returns the options of opening a storage. */
export function openingOf({ options, output, signal }: Opener) {
	return { wait: options.integer("wait", 0, 86_400) ?? 5, output, signal };
}

/**
 * Opens a copy in memory of an outline on a server. A command works on the copy, and sends its changes at the
 * end. So every command works on a server too, also the ones that the HTTP interface doesn't have.
 *
 * @param stays - whether the command runs until the user stops it; then the copy exchanges all the time
 * @param signal - ends the requests
 */
async function openRemote(
	place: ServerPlace,
	options: Options,
	stays: boolean,
	signal: AbortSignal | undefined,
): Promise<OpenOutline> {
	const replica = createReplica({ local: createMemoryStorage(), remote: remoteOf(place, signal), auto: stays });
	const outline = new Outline({ ...settingsOf(options), storage: replica.storage, history: { steps: 0 } });
	const close = () => outline.close();
	try {
		await replica.sync();
	} catch (error) {
		await close();
		if (!(error instanceof OutlineError && error.code === "forbidden")) throw error;
		throw new Failure(
			error.code,
			"The key opens a part of the outline, and this command needs the whole. Commands for single nodes work, such as list, add and search.",
		);
	}
	return {
		outline,
		place,
		close,
		async push() {
			await replica.sync();
			const refused = (await replica.conflicts()).find(({ kind }) => kind === "refused");
			if (refused === undefined) return;
			const { code, message } = refused.shown as { code: string; message: string };
			throw new Failure(code, `The server refused the change: ${message}`);
		},
	};
}

function remoteOf(place: ServerPlace, signal: AbortSignal | undefined): Remote {
	return createHttpRemote({ url: `${place.url}/api/v1`, apiKey: place.key, fetch: serverFetch(place, signal) });
}

/** The remote of a copy that stays offline. Nothing uses it. */
const absent: Remote = {
	push: () => Promise.reject(new Error("offline")),
	async *image() {},
};
