import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileStorage } from "outlinekit/file";
import { createMemoryStorage } from "outlinekit/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { soak } from "../file/soak.js";
import { type Transcript, takeTranscript } from "./transcript.js";

const seed = 20_261_121;
const operations = 20_000 * soak;
const timeout = 60_000 * soak;

let expected: Transcript;
const directory = mkdtempSync(join(tmpdir(), "outlinekit-transcript-"));

beforeAll(async () => {
	const storage = createMemoryStorage();
	expected = await takeTranscript({ open: () => storage, durable: false }, seed, operations);
}, timeout);

afterAll(() => rmSync(directory, { recursive: true }));

describe(`${operations} random operations from seed ${seed}`, () => {
	test("have enough of each outcome to say something", () => {
		expect(expected.outcomes.done).toBeGreaterThan(operations / 3);
		for (const code of ["not_found", "would_create_cycle", "has_mirrors", "not_a_mirror"]) {
			expect(expected.outcomes[code]).toBeGreaterThan(operations / 1000);
		}
		expect(expected.exported.split("\n").length).toBeGreaterThan(operations / 20);
	});

	test("show the same on file storage, closed and opened again on the way", { timeout }, async () => {
		const open = () => createFileStorage(join(directory, "outline.jsonl"), { compactAfter: 1 << 18 });
		expect(await takeTranscript({ open, durable: true }, seed, operations)).toEqual(expected);
	});
});
