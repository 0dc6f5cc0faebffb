import type { FileSystem } from "../../../adapters/file/file-system.js";
import { openFileStorage } from "../../../adapters/file.js";
import type { OutlineError } from "../../../src/errors.js";
import { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import type { CrashState } from "../../faults/crash-disk.js";
import { CrashFileSystem } from "../../faults/crash-file-system.js";
import { countedOptions, RandomOperations } from "./random-operations.js";
import { seededRandom } from "./seeded-random.js";
import { keyGroups, type StoredState, stateText, storedState, Witness } from "./witness.js";

/** A change of a file system before the storage gets it, for trials that must fail. */
export type Weakening = (fileSystem: FileSystem) => FileSystem;

export const faithful: Weakening = (fileSystem) => fileSystem;

/** The path of the outline in trials. */
export const trialPath = "/data/outline";

/** A moment at which the power may be cut, with the possible contents of the file afterwards. */
export interface Moment {
	readonly before: string;
	/** The number of calls made before. */
	readonly calls: number;
	readonly states: Iterable<CrashState>;
	readonly possible: readonly StoredState[];
}

export interface TrialOptions {
	readonly seed: number;
	readonly weaken?: Weakening;
	/** The number of states to keep for each moment; with 0, moments aren't kept. Default 0. */
	readonly states?: number;
}

/** An outline on a file of a crash file system, with all that is known about the file's content. */
export class Trial {
	readonly outline: Outline;
	readonly witness: Witness;
	/** The moments before each call that changes the disk, and after each acknowledgement. */
	readonly moments: Moment[] = [];
	readonly #operations: RandomOperations;
	readonly #random: () => number;

	constructor(
		readonly disk: CrashFileSystem,
		readonly options: TrialOptions,
	) {
		this.#operations = new RandomOperations(options.seed);
		this.#random = seededRandom(options.seed);
		this.witness = new Witness(openTrialStorage((options.weaken ?? faithful)(disk)));
		this.outline = new Outline({ storage: this.witness, ...countedOptions(options.seed) });
		this.witness.onAcknowledged = () => this.look("the next call");
		if (options.states) disk.onCall = ({ type, index }) => this.look(`call ${index} (${type})`);
	}

	/**
	 * Keeps this moment. Commits that were refused after the last accepted one may be in the file afterwards,
	 * or not.
	 */
	look(before: string): void {
		const { states: limit = 0 } = this.options;
		if (limit === 0) return;
		const states = this.disk.crashStates({ limit, random: this.#random });
		this.moments.push({
			before,
			calls: this.disk.calls.length,
			states,
			possible: [...this.witness.possible(), ...this.witness.refused],
		});
	}

	/** Makes this many random operations, some at once. Resolves with the errors of the storage. */
	async work(operations: number, afterEach: () => Promise<void> = async () => undefined): Promise<OutlineError[]> {
		const errors: OutlineError[] = [];
		for (let made = 0; made < operations; ) {
			const burst = this.#operations.burst();
			made += burst;
			const outcomes = await Promise.all(Array.from({ length: burst }, () => this.#operations.make(this.outline)));
			errors.push(...outcomes.filter((error) => error !== undefined));
			await afterEach();
		}
		return errors;
	}

	/** Returns the first flaw in a state that a power cut at one of the moments leaves. */
	async flawAtMoments(moments: readonly Moment[] = this.moments): Promise<{ flaw: string | undefined; tried: number }> {
		let tried = 0;
		for (const { before, states, possible } of moments) {
			for (const { description, root } of states) {
				tried += 1;
				const disk = new CrashFileSystem({}, root);
				const flaw =
					(await flawOf(disk, possible, this.options.weaken)) ??
					(tried % 8 === 0 ? await flawLater(disk, possible, this.options.weaken) : undefined);
				const where = `seed ${this.options.seed}, power cut before ${before}, ${description}`;
				if (flaw !== undefined) return { flaw: `${where}: ${flaw}`, tried };
			}
		}
		return { flaw: undefined, tried };
	}
}

/** Opens the storage of trials. It writes snapshots often, and doesn't share its file. */
export function openTrialStorage(
	fileSystem: FileSystem,
	{ compactAfter = 300, lineLimit }: { readonly compactAfter?: number; readonly lineLimit?: number } = {},
): StorageAdapter {
	const lock = async (path: string) => ({ path, release: async () => undefined });
	const seam = { fileSystem, lock, ...(lineLimit !== undefined && { lineLimit }) };
	return openFileStorage(trialPath, { compactAfter }, seam);
}

/**
 * Returns the flaw of the file on a disk, if any. It must hold one of the possible states; the first has the
 * least.
 */
export async function flawOf(
	disk: CrashFileSystem,
	possible: readonly StoredState[],
	weaken = faithful,
): Promise<string | undefined> {
	const storage = openTrialStorage(weaken(disk));
	try {
		const found = await storedState(storage, groupsOf(possible));
		if (possible.map(stateText).includes(stateText(found))) return undefined;
		const problem = found.revision < possible[0]!.revision ? "lost" : "invented";
		const revisions = possible.map(({ revision }) => revision).join(" or ");
		return `${problem}: the file is at revision ${found.revision}, and not as it was at ${revisions}`;
	} catch (error) {
		return `lost: ${String(error)}`;
	} finally {
		await storage.close();
	}
}

/** Continues with the file after a power cut, up to the next one. */
async function flawLater(
	disk: CrashFileSystem,
	possible: readonly StoredState[],
	weaken = faithful,
): Promise<string | undefined> {
	const storage = openTrialStorage(weaken(disk));
	const witness = new Witness(storage, await storedState(storage, groupsOf(possible)));
	const outline = new Outline({ storage: witness });
	const { id } = await outline.create({ name: "after the power cut" });
	await outline.setShortcut("home", id);
	const states = [...disk.crashStates({ limit: 3 })];
	await outline.close();
	for (const { description, root } of states) {
		const flaw = await flawOf(new CrashFileSystem({}, root), [witness.acknowledged], weaken);
		if (flaw !== undefined) return `after two commits and another power cut, ${description}: ${flaw}`;
	}
	return undefined;
}

function groupsOf(states: readonly StoredState[]): Set<string> {
	return new Set(states.flatMap((state) => [...keyGroups(state)]));
}
