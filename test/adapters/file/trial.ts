import type { FileSystem } from "../../../adapters/file/file-system.js";
import { openFileStorage } from "../../../adapters/file.js";
import { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { Random } from "../../conformance/random.js";
import type { CrashState } from "../../faults/crash-disk.js";
import { CrashFileSystem } from "../../faults/crash-file-system.js";
import { flawIn, groupsOf, Trial } from "../../model/trial.js";
import { type StoredState, storedState, Witness } from "../../model/witness.js";

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

/** A trial on a file of a crash file system, with the contents that the file may have after a power cut. */
export class CrashTrial extends Trial {
	/** The moments before each call that changes the disk, and after each acknowledgement. */
	readonly moments: Moment[] = [];
	readonly #random: Random;

	constructor(
		readonly disk: CrashFileSystem,
		readonly options: TrialOptions,
	) {
		super(openTrialStorage((options.weaken ?? faithful)(disk)), options.seed);
		this.#random = new Random(options.seed);
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
		return await flawIn(storage, possible);
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
