import { join } from "node:path";
import fc from "fast-check";
import { describe, onTestFinished, test, vi } from "vitest";
import { createFileStorage } from "../../adapters/file.js";
import { createMemoryStorage } from "../../adapters/memory.js";
import type { StorageAdapter } from "../../src/storage.js";
import { command } from "../model/commands.js";
import { Comparison } from "../model/comparison.js";
import { remoteOutline } from "../model/remote-outline.js";
import { soak } from "../setup/soak.js";
import { bound } from "../support/notices.js";
import { sharedFolder } from "../support/temporary.js";
import { unloadedModules } from "../support/unloaded-modules.js";

const directory = sharedFolder();

/**
 * Runs random sequences. Shrinks one that fails, and prints its seed.
 *
 * @param before - called before each command
 */
async function compare(sequences: number, begin: () => Comparison, before = () => {}): Promise<void> {
	const commands = fc.array(command, { minLength: 1, maxLength: 60, size: "max" });
	const property = fc.asyncProperty(commands, async (sequence) => {
		const comparison = begin();
		try {
			for (const each of sequence) {
				before();
				await comparison.run(each);
			}
		} finally {
			await comparison.close();
		}
	});
	await fc.assert(property, { numRuns: sequences * soak });
}

describe("random sequences of operations agree with the naive model", () => {
	test("on memory storage", { timeout: 60_000 * soak }, async () => {
		await compare(100, () => new Comparison(inMemory()));
	});

	test("on file storage, with closing, opening and snapshots in between", { timeout: 60_000 * soak }, async () => {
		let files = 0;
		await compare(20, () => {
			const path = join(directory, `${files++}.jsonl`);
			return new Comparison(() => createFileStorage(path, { compactAfter: 1500 }));
		});
	});

	test("over HTTP", { timeout: 60_000 * soak }, async () => {
		await compare(30, () => new Comparison(inMemory(), remoteOutline));
	});

	test("on a storage that answers each read and commit asynchronously", { timeout: 60_000 * soak }, async () => {
		await compare(50, () => new Comparison(inMemory({ peek: () => undefined })));
	});

	test("without any module loaded in advance", { timeout: 60_000 * soak }, async () => {
		const modules = unloadedModules();
		onTestFinished(() => void vi.restoreAllMocks());
		await compare(50, () => new Comparison(inMemory()), modules.forget);
	});
});

/** Opens a storage in memory, which forgets everything when it closes. So a reopened outline must find it open. */
function inMemory(change: Partial<StorageAdapter> = {}): () => StorageAdapter {
	const kept = createMemoryStorage();
	return () => ({
		...bound(kept),
		peek: (queries) => kept.peek!(queries),
		watch: (listener) => kept.watch!(listener),
		close: async () => {},
		...change,
	});
}
