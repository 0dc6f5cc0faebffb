import type { StorageAdapter } from "../../src/storage.js";
import { AssertionError } from "./assertion.js";
import type { Ledger } from "./ledger.js";
import type { Cases } from "./options.js";
import { Random } from "./random.js";
import { batchOf, nodeCount, queriesAbout, randomSteps } from "./random-batches.js";
import type { Trial } from "./trial.js";

/** Work that is sometimes done between two random commits. */
type Interlude = (ledger: Ledger) => Promise<void>;

/** Random commits, compared with a look through all records. */
export const differential: Cases = {
	"after random commits all queries have the same answers as a look through all records": (trial) =>
		runSequences(trial, async () => async () => {}),
	"after random commits, with closing and opening in between, all queries have these answers": {
		needs: ["durable"],
		run: (trial) => runSequences(trial, async (sequence) => (ledger) => sequence.reopen(ledger)),
	},
	"after random commits through several storages in turn, all queries have these answers": {
		needs: ["multiProcess"],
		run: (trial) =>
			runSequences(trial, async (sequence, first) => {
				const storages = [first, await sequence.open(), await sequence.open()];
				let turns = 0;
				return (ledger) => ledger.continueWith(storages[++turns % storages.length]!);
			}),
	},
};

async function runSequences(
	trial: Trial,
	prepare: (sequence: Trial, storage: StorageAdapter) => Promise<Interlude>,
): Promise<void> {
	const { seed, sequences } = trial.random;
	for (let count = 0; count < sequences; count++) {
		const sequence = trial.another();
		const ledger = await sequence.ledger();
		await runSequence(seed + count, sequence, ledger, await prepare(sequence, ledger.storage));
		await sequence.end();
	}
}

async function runSequence(seed: number, { random: { commits } }: Trial, ledger: Ledger, interlude: Interlude) {
	const random = new Random(seed);
	for (let count = 1; count <= commits; count++) {
		try {
			await ledger.commitBatch(batchOf(randomSteps(random), ledger.records));
			if (random.happens(0.2)) await interlude(ledger);
			const numbers = Array.from({ length: 4 }, () => random.below(nodeCount));
			await ledger.check(...queriesAbout(numbers, ledger.records));
			if (count % 10 === 0 || count === commits) await ledger.checkAll();
		} catch (error) {
			const again = `random: { seed: ${seed}, commits: ${count}, sequences: 1 }`;
			const message = error instanceof Error ? error.message : String(error);
			throw Object.assign(new AssertionError(`after ${count} random commits (again with ${again}): ${message}`), {
				cause: error,
			});
		}
	}
}
