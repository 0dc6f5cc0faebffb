import { expect, test } from "vitest";
import { IndexedDbJournal } from "../../../adapters/indexeddb/journal.js";
import { writeSnapshot } from "../../../adapters/indexeddb/snapshot.js";
import { RecordIndex } from "../../../adapters/resident/index/record-index.js";
import { FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";
import { adding } from "../../support/batches.js";
import { rawContent } from "./raw.js";
import { trialDatabase } from "./trial.js";

test("a snapshot after another tab's isn't written, because the journal may not reach back to it any more", async () => {
	const factory = new IDBFactory();
	const database = trialDatabase(new FaultyIndexedDb(factory));
	const journal = new IndexedDbJournal({ database, durability: "relaxed", compactAfter: 1 });
	const index = new RecordIndex();
	await journal.open(index);
	const early = index.image();
	for (let revision = 1; revision <= 6; revision++) {
		const batch = adding(revision, revision - 1);
		index.apply(batch);
		await journal.append([batch]);
		if (revision % 2 === 0) await journal.snapshot(index.image());
	}
	const before = await rawContent(factory, "outline");
	expect(before.journal!.map(([key]) => key)).toEqual([5, 6]);
	expect(await writeSnapshot(database, early, 0, "relaxed")).toBe(6);
	expect(await rawContent(factory, "outline")).toEqual(before);
	await journal.close();
});
