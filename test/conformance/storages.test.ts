import { join } from "node:path";
import { afterAll, describe, test, vi } from "vitest";
import { createFileStorage } from "../../adapters/file.js";
import { createMemoryStorage } from "../../adapters/memory.js";
import { ResidentStorage } from "../../adapters/resident/resident-storage.js";
import type { StorageAdapter } from "../../src/storage.js";
import { NaiveDisk, NaiveStorage } from "../model/naive-storage.js";
import { thorough } from "../setup/soak.js";
import { sharedFolder } from "../support/temporary.js";
import { storageConformance, type Traits } from "./index.js";
import { late, ofTwo, paged, unhurried } from "./wrapped.js";

/** The size of everything where the storage itself has been tested with all sizes already. */
const small = { levels: 100, siblings: 1000, changes: 1000, mirrors: 50, characters: 100_000 };

/** The size for a storage that looks through everything each time. */
const tiny = { levels: 50, siblings: 200, changes: 200, mirrors: 10, characters: 10_000 };

const memory: Traits = {
	durable: "it is in memory alone",
	multiProcess: "it is in memory alone",
	watch: true,
	peek: true,
};
const file: Traits = { durable: true, multiProcess: true, watch: true, peek: true };
const withoutPeek = { peek: "what stands around it hides it" };

const directory = sharedFolder();

const createFile = (compactAfter?: number) => (name: string) =>
	createFileStorage(join(directory, `${name}-${compactAfter}`), compactAfter === undefined ? {} : { compactAfter });

/** Each storage once, as it is. */
function plainStorages(): void {
	describe("memory", () => {
		storageConformance({ test, create: createMemoryStorage, traits: memory });
	});

	describe("file", () => {
		// The index is that of the storage in memory, which is tested in full size.
		storageConformance({ test, create: createFile(), traits: file, sizes: { siblings: 5_000, changes: 3_000 } });
	});

	describe("a naive storage that can do everything", () => {
		const disk = new NaiveDisk();
		storageConformance({
			test,
			create: (name) => new NaiveStorage(disk.place(name)),
			traits: { durable: true, multiProcess: true, watch: true, peek: true },
			sizes: tiny,
		});
	});
}

/** The same storages with other options, or with a storage around them. */
function variants(): void {
	describe("memory, which does everything in slices", () => {
		storageConformance({
			test,
			create: () => paged(new ResidentStorage(null, { changes: 0, steps: 0 })),
			traits: { ...memory, ...withoutPeek },
			sizes: small,
		});
	});

	describe("memory, behind a storage without peek", () => {
		storageConformance({
			test,
			create: () => paged(createMemoryStorage()),
			traits: { ...memory, ...withoutPeek },
			sizes: small,
		});
	});

	describe("memory, behind a storage that settles in any order", () => {
		storageConformance({
			test,
			create: () => unhurried(createMemoryStorage(), 7),
			traits: { ...memory, ...withoutPeek },
			sizes: small,
			random: { sequences: 2 },
		});
	});

	describe("file, with a snapshot after each commit", () => {
		storageConformance({ test, create: createFile(1), traits: file, sizes: small });
	});

	describe("file, with a snapshot now and then", () => {
		storageConformance({ test, create: createFile(5000), traits: file, sizes: small });
	});

	describe("file, behind a storage that settles in any order", () => {
		storageConformance({
			test,
			create: (name) => unhurried(createFile()(name), 8),
			traits: { ...file, ...withoutPeek },
			sizes: small,
			random: { sequences: 2 },
		});
	});

	describe("file, committed to through one storage and read through another", () => {
		storageConformance({
			test,
			create: (name) => ofTwo(createFile()(name), createFile()(name)),
			traits: file,
			sizes: small,
		});
	});

	describe("file, opened by another copy of the package", () => {
		const opened = new Map<string, StorageAdapter>();
		afterAll(() => Promise.all(Array.from(opened.values(), (storage) => storage.close())));
		storageConformance({
			test,
			create: async (name) => {
				const path = join(directory, `${name}-copies`);
				if (!opened.has(path)) {
					vi.resetModules();
					const copy = await import("../../adapters/file.js");
					if (copy.createFileStorage === createFileStorage) throw new Error("it is the same copy");
					opened.set(path, copy.createFileStorage(path));
					await opened.get(path)!.read([]);
				}
				return createFileStorage(path);
			},
			traits: file,
			sizes: small,
			random: { sequences: 2 },
		});
	});

	describe("a naive storage that learns late of other storages' commits", () => {
		const disk = new NaiveDisk();
		storageConformance({
			test,
			create: (name) => late(disk.place(name)),
			traits: { durable: true, multiProcess: true, watch: true, peek: "what it knows may be old" },
			sizes: tiny,
		});
	});
}

if (thorough) variants();
else plainStorages();
