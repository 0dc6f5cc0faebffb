import { readFileSync } from "node:fs";
import { createMemoryStorage } from "../../adapters/memory.js";
import { OutlineError } from "../../src/errors.js";
import { Outline } from "../../src/outline.js";
import type { StorageAdapter } from "../../src/storage.js";
import { numberedId } from "../support/ids.js";

/** A call of the outliner, as `test/outliner/recording` writes it. */
export interface Call {
	/** The time, in milliseconds. */
	readonly at: number;
	/** The tab, from 1. */
	readonly tab: number;
	/** The method of `Outline`. */
	readonly call: string;
	/** Its updates have the texts that they began from. So they merge with the changes of another device. */
	readonly args: readonly unknown[];
	/** The arguments without those texts: the call replaces what is stored. */
	readonly replacing: readonly unknown[];
	/** The ids that the call drew. */
	readonly ids: readonly string[];
	/** The code of the error that the call threw, if any. */
	readonly error?: string;
}

/** The calls of one session of the outliner. */
export interface Trace {
	/** The trace whose outline this one continues; `null` if it began with an empty outline. */
	readonly after: string | null;
	readonly calls: readonly Call[];
	/** The outline at the end, as `look` shows it. */
	readonly end: string;
	/** The outline at the end of a replay on a memory storage. */
	readonly outline: Outline;
}

const traces = new Map<string, Promise<Trace>>();

/** Returns a trace of `test/fixtures/outliner-traces`, and replays it on a memory storage. */
export function traceOf(name: string): Promise<Trace> {
	const known = traces.get(name);
	if (known !== undefined) return known;
	const trace = readTrace(name);
	traces.set(name, trace);
	return trace;
}

async function readTrace(name: string): Promise<Trace> {
	const file = new URL(`../fixtures/outliner-traces/${name}.jsonl`, import.meta.url);
	const lines = readFileSync(file, "utf8").trim().split("\n");
	const [head, ...calls] = lines.map((line) => JSON.parse(line));
	const { rows } = calls.pop();
	const { after } = head as { after: string | null };
	const storage = createMemoryStorage();
	if (after !== null) await replay((await traceOf(after)).calls, new Player(() => storage));
	const player = new Player(() => storage);
	const played = calls.map(({ tab = 1, args = [], ids = [], ...rest }) => {
		return { tab, args, ids, ...rest, replacing: withoutBases(args) };
	});
	await replay(played, player);
	return { after, calls: played, end: rows.join("\n"), outline: player.outline(1) };
}

/** Makes calls on an outline that no other device changes. Each must have the outcome that it had. */
export async function replay(calls: readonly Call[], player: Player): Promise<void> {
	for (const call of calls) {
		const error = await player.play(call, call.args).then(
			() => undefined,
			(reason) => (reason instanceof OutlineError ? reason.code : Promise.reject(reason)),
		);
		if (error !== call.error) throw new Error(`${error} instead of ${call.error}: ${JSON.stringify(call)}`);
	}
}

/** The arguments of a call without the texts that its updates began from: it replaces what is stored. */
function withoutBases(args: readonly unknown[]): readonly unknown[] {
	return JSON.parse(JSON.stringify(args), (key, value) => (key === "base" ? undefined : value));
}

/** Replays the calls of the tabs of one device. */
export class Player {
	readonly #storageOf: (tab: number) => StorageAdapter;
	readonly #keep: boolean;
	readonly #tabs = new Map<number, { readonly storage: StorageAdapter; readonly outline: Outline }>();
	#now = 0;
	/** The recorded ids that the call has yet to draw. */
	#ids: string[] = [];
	#further = 0;

	/**
	 * @param storageOf - returns the storage of a tab; after a restart of the program, another one
	 * @param keep - whether the steps of undo survive a restart
	 */
	constructor(storageOf: (tab: number) => StorageAdapter, keep = false) {
		this.#storageOf = storageOf;
		this.#keep = keep;
	}

	/** Makes a call with some arguments. @throws as the call does */
	async play({ at, tab, call, ids }: Call, args: readonly unknown[]): Promise<void> {
		this.#now = at;
		this.#ids = [...ids];
		const outline = this.outline(tab) as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>;
		await outline[call]!(...args);
	}

	/** Returns the outline of a tab, with the options of the outliner. */
	outline(tab: number): Outline {
		const storage = this.#storageOf(tab);
		const open = this.#tabs.get(tab);
		if (open?.storage === storage) return open.outline;
		const outline = new Outline({
			storage,
			appUrl: "http://outliner.example",
			timeZone: "UTC",
			history: { groupWithin: 1000, groupLength: 30, steps: 1000, keep: this.#keep },
			now: () => this.#now,
			// A call may need more ids if other devices have changed the outline.
			generateId: () => this.#ids.shift() ?? numberedId(2 ** 40 + this.#now + ++this.#further),
		});
		this.#tabs.set(tab, { storage, outline });
		return outline;
	}
}
