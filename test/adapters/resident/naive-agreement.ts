import { expect } from "vitest";
import type { RecordIndex } from "../../../adapters/resident/index/record-index.js";
import { assertAnswer } from "../../conformance/agreement.js";
import type { NaiveRecords } from "../../model/naive-records.js";
import { queriesAbout } from "./random-batches.js";

/** The nodes of the queries. */
const numbers = [0, 3, 7, 12, 20, 33, 40];

/** Asserts that an index gives the same answers as a look through all records. */
export function assertAgrees(index: RecordIndex, naive: NaiveRecords): void {
	const queries = queriesAbout(numbers, naive);
	const answers = index.answer(queries);
	for (const [place, query] of queries.entries()) assertAnswer(query, answers[place], naive);
	expect(index.revision).toBe(naive.revision);
}
