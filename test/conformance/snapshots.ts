import type { Query, StorageAdapter } from "../../src/storage.js";
import type { NaiveRecords } from "../model/naive-records.js";
import { assertAnswer, assertSameNodes } from "./agreement.js";
import { assert, assertEqual, assertError } from "./assertion.js";
import { everything, type Ledger, scanned } from "./ledger.js";
import type { Cases } from "./options.js";
import { document, idOf, key, node, nodes, shortIdOf } from "./records.js";
import { type Trial, turn } from "./trial.js";

const commitCount = 30;

/**
 * Writes commits that each change a bit of everything, and keeps the records of every revision. Nodes 0 to 9
 * get a new name each time. Node 9 moves between 0 and 1, node 8 is a mirror of either. Of the nodes from 100
 * on there is one, of the documents with the keys 0, 1 and 2 there are two.
 */
async function churn(ledger: Ledger, history: Map<number, NaiveRecords>): Promise<void> {
	for (let count = 0; count < commitCount; count++) {
		const fields = (number: number) => ({
			name: `${count}`,
			parentId: number === 9 ? idOf(count % 2) : null,
			originId: number === 8 ? idOf(count % 2) : null,
		});
		const draft = {
			put: [...nodes(10, fields), node(100 + count, { parentId: idOf(9) })],
			remove: count === 0 ? [] : [99 + count],
			point: [key("current", count % 10)],
			keep: [document(`${count % 3}`, `${count}`)],
			discard: count < 2 ? [] : [`${(count + 1) % 3}`],
		};
		const records = ledger.records.copy();
		records.apply(ledger.batch(draft));
		history.set(records.revision, records);
		await ledger.commit(draft);
	}
}

const queries: readonly Query[] = [
	{ type: "node", at: { key: "current" } },
	{ type: "children", of: null, scope: "own" },
	{ type: "children", of: { id: idOf(8) }, scope: "visible" },
	{ type: "subtree", of: { id: idOf(1) } },
	{ type: "ancestors", of: { id: idOf(9) } },
	{ type: "related", ids: [idOf(8), idOf(0)] },
	{ type: "keys", group: "shortcut" },
	{ type: "taken", shortIds: Array.from({ length: commitCount }, (_, place) => shortIdOf(100 + place)) },
	{ type: "documents", prefix: "" },
	{ type: "changes", since: 0, limit: 1000 },
];

/**
 * Reads again and again during commits, and compares each answer with the records of its revision.
 */
async function readMeanwhile(storage: StorageAdapter, ledger: Ledger, trial: Trial): Promise<void> {
	const history = new Map([[0, ledger.records.copy()]]);
	let over = false;
	const reader = async () => {
		let last = 0;
		while (!over) {
			const { revision, results } = await storage.read(queries);
			const records = history.get(revision);
			assert(records !== undefined, `a read gave the revision ${revision}, which wasn't committed yet`);
			assert(revision >= last, `a read gave the revision ${revision} after one had given ${last}`);
			last = revision;
			for (const [place, query] of queries.entries()) assertAnswer(query, results[place], records);
			// If a storage answers without ever waiting, the commits would never get a turn.
			await turn();
		}
	};
	const readers = [reader(), reader(), reader()];
	try {
		await trial.within(Promise.race([churn(ledger, history), Promise.all(readers)]), "committing while others read");
	} finally {
		over = true;
		await trial.within(Promise.all(readers), "reading while others commit");
	}
}

/** Reads and scans during commits. */
export const snapshots: Cases = {
	"reads only see whole commits, and all queries of a read the same ones, while commits continue": async (trial) => {
		const ledger = await trial.ledger();
		await readMeanwhile(ledger.storage, ledger, trial);
		await ledger.checkAll();
	},
	"reads only see whole commits while another storage on the same outline commits": {
		needs: ["multiProcess"],
		run: async (trial) => {
			const ledger = await trial.ledger();
			await readMeanwhile(await trial.open(), ledger, trial);
		},
	},
	"a scan yields every node once, at one revision, while commits continue": async (trial) => {
		const ledger = await trial.ledger();
		const count = trial.sizes.siblings;
		const origins = new Map([
			[2, count - 7],
			[3, count - 3],
			[count - 4, 4],
			[count - 5, 5],
		]);
		await ledger.commit({
			put: nodes(count, (number) => ({ originId: origins.has(number) ? idOf(origins.get(number)!) : null })),
		});
		const expected = everything(ledger.records);
		const iterator = ledger.storage.scan()[Symbol.asyncIterator]();
		const first = await trial.within(iterator.next(), "the first chunk");
		const seen = [...(first.value ?? [])];
		const commit = (draft: Parameters<Ledger["commit"]>[0]) =>
			trial.within(ledger.commit(draft), "a commit while a scan is under way");
		await commit({ put: [node(count - 1, { name: "changed" }), node(0, { name: "changed" })] });
		await commit({ remove: [count - 2, 1, 3], put: [node(count - 3)] });
		await commit({ put: [node(count + 1), node(4, { name: "changed" }), node(count - 5)] });
		await commit({ put: [node(count - 6, { parentId: idOf(0) })] });
		// The mirrors of two nodes that the scan reads last change, and these nodes don't.
		await commit({ remove: [2], put: [node(count + 2, { originId: idOf(count - 8) })] });
		for (let step = await iterator.next(); !step.done; step = await iterator.next()) seen.push(...step.value);
		assertSameNodes(seen, expected, "what the scan gave");
		assertSameNodes(await scanned(ledger.storage), everything(ledger.records), "what the next scan gave");
	},
	"scans at the same time, during commits, each have one revision": async (trial) => {
		const ledger = await trial.ledger();
		const history = new Map([[0, ledger.records.copy()]]);
		let over = false;
		const scans = Array.from({ length: 3 }, async () => {
			while (!over) {
				const seen = await scanned(ledger.storage);
				const revision = Math.max(0, ...seen.map(({ record }) => record.revision));
				const records = history.get(revision);
				assert(records !== undefined, `a scan gave the revision ${revision}, which wasn't committed yet`);
				assertSameNodes(seen, everything(records), "what a scan gave");
				await turn();
			}
		});
		try {
			await trial.within(Promise.race([churn(ledger, history), Promise.all(scans)]), "committing during scans");
		} finally {
			over = true;
			await trial.within(Promise.all(scans), "scanning during commits");
		}
	},
	"a scan that is left after its first chunk blocks nothing, not even closing": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: nodes(trial.sizes.siblings) });
		for await (const chunk of ledger.storage.scan()) {
			assert(chunk.length > 0, "the first chunk is empty");
			break;
		}
		await trial.within(ledger.commit({ put: [node(0, { name: "changed" })] }), "a commit after a scan was left");
		const forgotten = ledger.storage.scan()[Symbol.asyncIterator]();
		await trial.within(forgotten.next(), "the first chunk");
		await trial.within(ledger.commit({ remove: [1] }), "a commit while a scan is forgotten");
		assertEqual((await ledger.storage.read([])).revision, 3, "the revision");
		await trial.within(ledger.storage.close(), "closing while a scan is forgotten");
	},
	"a scan fails, or still yields every node, if the storage is closed meanwhile": async (trial) => {
		const ledger = await trial.ledger();
		await ledger.commit({ put: nodes(trial.sizes.siblings) });
		let count = 0;
		const scan = async () => {
			for await (const chunk of ledger.storage.scan()) {
				count += chunk.length;
				await trial.within(ledger.storage.close(), "closing while a scan is under way");
			}
		};
		const error = await trial.within(
			scan().then(
				() => null,
				(reason: unknown) => reason,
			),
			"a scan whose storage is closed",
		);
		if (error === null) assertEqual(count, trial.sizes.siblings, "the nodes of a scan that didn't fail");
		else assertError(error, "closed", "a scan whose storage is closed");
	},
};
