import type { Query, StoredNode } from "outlinekit";
import { createPostgresStorage } from "outlinekit/postgres";
import { expect, test } from "vitest";
import { assertAnswer, assertSameNodes } from "../../conformance/agreement.js";
import { everything, Ledger, scanned } from "../../conformance/ledger.js";
import { Random } from "../../conformance/random.js";
import { batchOf, nodeCount, queriesAbout, randomSteps } from "../../conformance/random-batches.js";
import { NaiveRecords } from "../../model/naive-records.js";
import { seed, soak } from "../../setup/soak.js";
import { testServer } from "./database.js";

const commits = 150 * soak;
/** How many times each reader reads at least. The writer goes on until all four have. */
const leastReads = 11;

const server = testServer("consistency");

/** Whether the answer may vary: the related nodes of a deleted node that mirrors still name. */
function isOpen(query: Query, { nodes }: NaiveRecords): boolean {
	return query.type === "related" && query.ids.some((id) => !nodes.has(id));
}

test.each(["read committed", "serializable"])(
	`every read and every scan shows one revision during commits (${commits} times, seed ${seed}), with transactions that are %s`,
	async (isolation) => {
		const outline = `consistency ${isolation}`;
		const options = `-c default_transaction_isolation=${isolation.replace(" ", "\\ ")}`;
		const open = () =>
			createPostgresStorage(server.pool("consistency", { max: 2, options }), { outline, notify: false });
		const history: NaiveRecords[] = [new NaiveRecords()];
		const ledger = new Ledger(open());
		const random = new Random(seed);
		let working = true;
		let readersLeft = 4;

		async function write(): Promise<void> {
			while (ledger.records.revision < commits || readersLeft > 0) {
				const batch = batchOf(randomSteps(random), ledger.records);
				// A reader may see this state before this writer has its answer, so it must already be in the
				// history.
				const next = ledger.records.copy();
				next.apply(batch);
				history[next.revision] = next;
				await ledger.commitBatch(batch);
			}
			working = false;
		}

		async function read(number: number): Promise<void> {
			const storage = open();
			const random = new Random(seed + number);
			for (let reads = 1; working; reads++) {
				const numbers = [random.below(nodeCount)];
				const queries = queriesAbout(numbers, ledger.records).filter(() => random.happens(0.5));
				const { revision, results } = await storage.read(queries);
				const records = history[revision]!;
				for (const [place, query] of queries.entries()) {
					if (!isOpen(query, records)) assertAnswer(query, results[place], records);
				}
				if (reads === leastReads) readersLeft--;
			}
		}

		async function scan(): Promise<void> {
			const storage = open();
			for (let scans = 1; working; scans++) {
				const first = ledger.records.revision;
				const nodes = await scanned(storage);
				const last = Math.min(ledger.records.revision + 1, history.length - 1);
				const fitting = history.slice(first, last + 1).filter((records) => isSame(nodes, records));
				expect(fitting.length, `a scan between ${first} and ${last}`).toBeGreaterThan(0);
				if (scans === leastReads) readersLeft--;
			}
		}

		await Promise.all([write(), scan(), read(1), read(2), read(3)]);
		await ledger.checkAll();
	},
	60_000 * soak,
);

function isSame(nodes: readonly StoredNode[], records: NaiveRecords): boolean {
	try {
		assertSameNodes(nodes, everything(records), "scan");
		return true;
	} catch {
		return false;
	}
}
