import { LazyModule } from "../../engine/lazy-module.js";
import { within } from "../../engine/promises.js";
import { promiseOf, read } from "../../engine/protocol.js";
import { invalidArgument, OutlineError } from "../../errors.js";
import { assertBoolean, assertFunction, fieldNames, fieldsOf } from "../../fields.js";
import { Outline } from "../../outline.js";
import type { DisposableStorage, StorageAdapter } from "../../storage.js";
import type { KeyNames } from "../settle/settlement.js";
import { Auto } from "./auto.js";
import type { ExchangeHost } from "./exchange-host.js";
import type { ReplicaConflict } from "./journal.js";
import { outlineErrorOf, type Remote, type RemoteSignal } from "./remote.js";
import { ReplicaStorage } from "./replica-storage.js";
import { type ReplicaPhase, type ReplicaStatus, StatusBoard } from "./status.js";

// A page shows its outline before it exchanges anything.
const exchangeModule = new LazyModule("The exchange of a replica", () => import("./exchange.js"));
const conflictsModule = new LazyModule("The list of conflicts", () => import("./conflicts.js"));

// Every host has it.
declare const AbortController: new () => { readonly signal: RemoteSignal; abort(): void };

/** The options of {@link createReplica}. */
export interface ReplicaOptions {
	/**
	 * The storage of this device: an empty one, the one that this replica had before, or that of an outline
	 * without a server. Write to it through the replica: what another program writes there is sent too, but the
	 * replica must load the whole outline of the server for that.
	 */
	local: StorageAdapter;
	/** The way to the server. */
	remote: Remote;
	/**
	 * Whether the replica exchanges automatically: after commits, when the server tells of changes, when the
	 * network returns, and again after failures, within a minute. Default `true`; with `false`, only {@link
	 * Replica.sync} exchanges.
	 *
	 * Its timers keep no process alive. The request that listens to the server does so in Node.js, because `fetch`
	 * has no `unref`: call {@link Replica.pause} or close the outline to end it. A remote without `watch` has no
	 * such request, and a `fetch` of your own may call `unref()` on its socket.
	 */
	auto?: boolean | undefined;
	/** The clock, in milliseconds since 1970. Default `Date.now`. */
	now?: (() => number) | undefined;
}

const optionNames = fieldNames<ReplicaOptions>({ local: true, remote: true, auto: true, now: true });

/** A copy of a server's outline on a device, which works without a connection. */
export interface Replica {
	/** The storage for the `Outline` on this device. Closing it closes the replica and the local storage. */
	readonly storage: DisposableStorage;
	/** The present status, and a subscription to its changes. */
	readonly status: {
		/** The status now: an object that never changes. */
		readonly current: ReplicaStatus;
		/** Calls `listener` after each change, with the new status. Returns a function that stops it. */
		subscribe(listener: (status: ReplicaStatus) => void): () => void;
	};
	/**
	 * Sends all commits so far, and applies all changes that the server has. While another exchange is under
	 * way, a new one follows it. A paused replica does so too.
	 *
	 * @throws `storage_unavailable` if the server can't be reached; `unauthorized` and `forbidden` for the
	 * API key; `wrong_outline` if the server has another outline; `sync_upgrade` if it speaks another
	 * version; `invalid_argument` if it can't read the request, which is a bug; the errors of the local storage.
	 * Nothing is lost then
	 */
	sync(): Promise<void>;
	/** Stops the automatic exchanges. */
	pause(): void;
	/** Continues the automatic exchanges, if the option `auto` allows them. */
	resume(): void;
	/** Lists the open conflicts of the outline, the oldest first. `shown` is what the outline has now. */
	conflicts(): Promise<ReplicaConflict[]>;
	/**
	 * Closes a conflict on all devices. With `other`, first puts what gave way in place, by a commit that can
	 * be undone. With `other`, a refused commit is tried again as a new commit, which isn't in the undo history; if
	 * the server refuses that one too, it is a new conflict. Later texts that give way to it are new conflicts after the
	 * next exchange.
	 *
	 * @throws `not_found` for an unknown conflict; `invalid_argument` for an id that isn't a text, or another choice;
	 * with `other`, the errors of that change
	 */
	resolve(id: string, choice: "shown" | "other"): Promise<void>;
	/**
	 * Forgets the server. The local storage is an outline of its own afterwards, with all that it shows now, and
	 * {@link Replica.storage} passes everything on to it. The server never gets the pending commits. The open conflicts
	 * go too, with the texts and the refused commits in them: resolve them first. A new replica of that storage joins as
	 * an outline that was made without a server.
	 *
	 * Other tabs must not use the storage meanwhile.
	 */
	leave(): Promise<void>;
}

/** The phase after an exchange that failed, by the code of its error. For all other codes, it is `refused`. */
const phaseAfter: { readonly [code: string]: ReplicaPhase } = {
	storage_unavailable: "offline",
	conflict: "offline",
	load_failed: "offline",
};

/** The longest wait for an exchange when the replica closes, in milliseconds. */
const closingTime = 1000;

/**
 * Creates a replica: an outline on this device that synchronizes with a server. It does no I/O before its
 * first use, unless it is automatic.
 *
 * ```ts
 * import { Outline } from "outlinekit";
 * import { createIndexedDbStorage } from "outlinekit/indexeddb";
 * import { createHttpRemote, createReplica } from "outlinekit/sync";
 *
 * const replica = createReplica({
 *   local: createIndexedDbStorage("notes"),
 *   remote: createHttpRemote({ url: "https://notes.example/api/v1", apiKey: "…" }),
 * });
 * const outline = new Outline({ storage: replica.storage });
 * ```
 *
 * @throws `invalid_argument`
 */
export function createReplica(options: ReplicaOptions): Replica {
	const {
		local,
		remote,
		auto = true,
		now = Date.now,
	} = fieldsOf("createReplica", options, optionNames) as Partial<ReplicaOptions>;
	if (typeof local?.read !== "function")
		throw invalidArgument("local", local, "a storage, such as createIndexedDbStorage(name)");
	if (typeof remote?.push !== "function")
		throw invalidArgument("remote", remote, "a remote, such as createHttpRemote({ url, apiKey })");
	assertBoolean("auto", auto);
	assertFunction("now", now);
	return new SyncedReplica(local, remote, auto, now);
}

class SyncedReplica implements Replica {
	readonly storage: ReplicaStorage;
	readonly status: StatusBoard;
	readonly #local: StorageAdapter;
	readonly #remote: Remote;
	readonly #isAuto: boolean;
	readonly #now: () => number;
	readonly #ending = new AbortController();
	/** Ends the automatic exchanges. */
	#pausing = new AbortController();
	#auto: Auto | undefined;
	#unwatch: (() => void) | undefined;
	readonly #kept: ExchangeHost["kept"] = {};
	#paused = false;
	#running: Promise<number> | null = null;
	#next: Promise<number> | null = null;
	#outline: Outline | undefined;
	/** The names that the outline gives to an inbox and a calendar. */
	#names: KeyNames | undefined;
	/** Settles after the resolutions so far. */
	#resolving: Promise<void> = Promise.resolve();

	constructor(local: StorageAdapter, remote: Remote, auto: boolean, now: () => number) {
		this.#local = local;
		this.#remote = remote;
		this.#isAuto = auto;
		this.#now = now;
		this.status = new StatusBoard(local, () => this.#watch());
		const listener = {
			committing: (revision: number) => this.status.expect(revision),
			failed: (revision: number, error: unknown) => this.status.failed(revision, error),
			committed: (seq: number, at: number, closed: number) => {
				this.status.added(seq, at, closed);
				this.#auto?.wake();
			},
			attached: (outline: object, names?: KeyNames) => {
				this.#outline = outline as Outline;
				this.#names = names;
			},
			closing: () => this.#close(),
		};
		this.storage = new ReplicaStorage(local, listener, now);
		if (auto) this.#start();
	}

	async sync(): Promise<void> {
		await this.#sync();
	}

	pause(): void {
		if (this.#paused) return;
		this.#paused = true;
		this.#pausing.abort();
		this.#auto = undefined;
		this.#rest("paused");
	}

	resume(): void {
		if (!this.#paused || this.#ending.signal.aborted) return;
		this.#paused = false;
		this.#pausing = new AbortController();
		this.#rest("idle");
		if (this.#isAuto) this.#start();
	}

	async conflicts(): Promise<ReplicaConflict[]> {
		const { conflictsOf } = await conflictsModule.load();
		return promiseOf(await read(this.#local, conflictsOf));
	}

	async resolve(id: string, choice: "shown" | "other"): Promise<void> {
		if (choice !== "shown" && choice !== "other") throw invalidArgument("The choice", choice, '"shown" or "other"');
		// One at a time: each commits, and would make the others read again.
		const resolving = this.#resolving.then(() => this.#resolve(id, choice));
		this.#resolving = resolving.catch(() => {});
		return resolving;
	}

	async #resolve(id: string, choice: "shown" | "other"): Promise<void> {
		const { closeConflict, openConflict, putOther } = await conflictsModule.load();
		const conflict = await promiseOf(await read(this.#local, () => openConflict(id)));
		if (choice === "other") {
			this.#outline ??= new Outline({ storage: this.storage });
			await putOther(this.#outline, this.storage, conflict);
		}
		await closeConflict(this.storage, conflict, this.#seconds());
		// The status has counted the entry of another conflict.
		if (conflict.kind === "refused") await this.status.recount();
	}

	async leave(): Promise<void> {
		const { dropReplica } = await conflictsModule.load();
		this.#end();
		await this.#running?.catch(() => {});
		this.storage.release();
		await dropReplica(this.#local);
		this.status.update({ phase: "paused", error: null });
		await this.status.recount();
	}

	/** Sets the phase, unless an exchange is under way, which sets it at its end. */
	#rest(phase: "idle" | "paused"): void {
		if (this.status.current.phase !== "syncing") this.status.rest(phase);
	}

	#seconds(): number {
		return Math.floor(this.#now() / 1000);
	}

	#start(): void {
		this.#watch();
		const host = {
			remote: this.#remote,
			sync: () => this.#sync(),
			device: async () => (await (await exchangeModule.load()).stateOf(this.#local)).device,
			pending: () => this.status.current.pending > 0,
		};
		this.#auto = new Auto(host, this.#pausing.signal);
	}

	/** Follows the commits of other tabs, and of an `Outline` directly on the local storage. */
	#watch(): void {
		if (this.#ending.signal.aborted) return;
		this.#unwatch ??= this.#local.watch?.(({ revision }) => {
			// An exchange counts the journal at its end: to count it now too would lengthen the slice of its commit.
			if (!this.status.follow(revision) || this.#running !== null) return;
			// To send a commit that the replica didn't make, it loads the whole outline. More such commits may follow.
			this.#auto?.wake(this.status.current.pending > 0);
		}, false);
	}

	#sync(): Promise<number> {
		if (this.#running === null) return this.#run();
		this.#next ??= this.#running
			.catch(() => {})
			.then(() => {
				this.#next = null;
				return this.#run();
			});
		return this.#next;
	}

	#run(): Promise<number> {
		this.#running = this.#exchange().finally(() => {
			this.#running = null;
		});
		return this.#running;
	}

	async #exchange(): Promise<number> {
		const { signal } = this.#ending;
		if (signal.aborted) throw closed();
		this.status.update({ phase: "syncing" });
		const host: ExchangeHost = {
			local: this.#local,
			remote: this.#remote,
			kept: this.#kept,
			now: () => this.#seconds(),
			names: () => this.#names,
			hold: (work) => this.storage.hold(work),
			rebased: () => this.status.recount(),
		};
		try {
			const { exchange } = await exchangeModule.load();
			const reached = await exchange(host, signal);
			this.status.update({ phase: this.#paused ? "paused" : "idle", error: null, lastSyncedAt: this.#seconds() });
			this.#auto?.succeeded();
			return reached;
		} catch (reason) {
			if (signal.aborted) throw closed();
			const isLocal = "fault" in host && reason === host.fault;
			const error = outlineErrorOf(reason, isLocal ? "The local storage failed" : undefined);
			if (isLocal) this.status.failedLocally(error, this.#paused ? "paused" : "idle");
			else if (this.#paused) this.status.rest("paused");
			else this.status.update({ phase: phaseAfter[error.code] ?? "refused", error });
			this.#auto?.failed(error);
			throw error;
		}
	}

	#end(): void {
		this.#ending.abort();
		this.#pausing.abort();
		this.#unwatch?.();
	}

	async #close(): Promise<void> {
		this.#end();
		const running = this.#running;
		if (running === null) return;
		await within(closingTime, running, closed).catch(() => {});
	}
}

function closed(): OutlineError {
	return new OutlineError("closed", "The replica has been closed, or has left.");
}
