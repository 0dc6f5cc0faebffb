import { join } from "node:path";
import { createFileStorage } from "outlinekit/file";
import { describe, expect, test } from "vitest";
import { sharedFolder } from "../support/temporary.js";
import { expectedTranscript, operations, seeds } from "./sequences.js";
import { takeTranscript } from "./transcript.js";

const directory = sharedFolder();

describe.each(seeds)(`${operations} random operations from seed %i`, (seed) => {
	test("show the same on file storage, closed and opened again on the way", { timeout: 120_000 }, async () => {
		const expected = await expectedTranscript(seed);
		const open = () => createFileStorage(join(directory, `${seed}.jsonl`), { compactAfter: 1 << 18 });
		expect(await takeTranscript({ open, durable: true }, seed, operations)).toEqual(expected);
		// There is enough of each outcome to say something.
		expect(expected.outcomes.done).toBeGreaterThan(operations / 3);
		for (const code of ["not_found", "would_create_cycle", "has_mirrors", "not_a_mirror", "invalid_argument"]) {
			expect(expected.outcomes[code]).toBeGreaterThan(operations / 1000);
		}
		expect(expected.exported.split("\n").length).toBeGreaterThan(operations / 20);
	});
});
