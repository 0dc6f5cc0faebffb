import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import type { StorageAdapter } from "../../src/storage.js";
import { type ConformanceOptions, storageConformance } from "../conformance/index.js";
import { agrees, blocksOf, complaints, componentsOf, programsOf, run } from "../support/snippets.js";
import { temporaryFolder } from "../support/temporary.js";
import { packedPages, read, root, sourcesBelow } from "./pages.js";

const programs = packedPages.flatMap((page) =>
	programsOf(read(page)).map((program, index) => ({ page, number: index + 1, program })),
);

/**
 * Loads a module for a program. `vitest` collects tests, and libsql has the interface of better-sqlite3. The
 * suite for storages takes minutes, and other tests run all of it, so a page runs its beginning.
 */
async function load(name: string): Promise<unknown> {
	if (name === "vitest") {
		return { describe: (_: string, body: () => void) => body(), test: () => {}, vi: { setConfig: () => {} } };
	}
	if (name === "outlinekit/conformance") return { storageConformance: beginConformance };
	return import(/* @vite-ignore */ name === "better-sqlite3" ? "libsql" : name);
}

function beginConformance(options: ConformanceOptions): void {
	let count = 0;
	storageConformance({
		...options,
		test: (name, body) => {
			count += 1;
			if (count <= 10) options.test(name, body);
		},
	});
}

afterEach(() => {
	vi.unstubAllGlobals();
});

describe("the code of a page", () => {
	test.each(programs)("of $page ($number) runs and prints what the page says", async ({ program }) => {
		vi.stubGlobal("indexedDB", new IDBFactory());
		vi.stubGlobal("IDBKeyRange", IDBKeyRange);
		vi.stubGlobal("createMyStorage", createMemoryStorage);
		const before = process.cwd();
		process.chdir(temporaryFolder());
		try {
			const lines = await run(program, load);
			expect(lines.filter((line) => !agrees(line))).toEqual([]);
		} finally {
			process.chdir(before);
		}
	});

	test("is the code of the example whose file it names", () => {
		const paths = [...sourcesBelow("examples"), ...sourcesBelow("examples", ".html")];
		const files = paths.map((path) => ({ path, lines: trimmed(read(path)) }));
		const named = packedPages.flatMap((page) => blocksOf(read(page)).map((block) => ({ page, ...block })));
		const parts = named.filter(({ file }) => file !== undefined);
		expect(parts.length).toBeGreaterThan(5);
		const others = parts.filter(
			({ file, code }) => !files.some(({ path, lines }) => path.endsWith(`/${file}`) && lines.includes(trimmed(code))),
		);
		expect(others.map(({ page, code }) => `${page}: ${code}`)).toEqual([]);
	});

	test("compiles, also in comments", { timeout: 120_000 }, () => {
		const shown = programs.map(({ page, program }) => [page, `${program}\nexport {};`] as const);
		const commented = sourcesBelow("src").flatMap((source) =>
			Array.from(read(source).matchAll(/^\s*\* ```ts\n(.*?)^\s*\* ```$/gms), ([, code]) => {
				const example = code!.replaceAll(/^\s*\* ?/gm, "");
				return [source, example.startsWith("import ") ? example : `${outlineAtHand}${example}`] as const;
			}),
		);
		expect(commented.length).toBeGreaterThan(3);
		const components = packedPages.flatMap((page) => componentsOf(read(page)).map((code) => [page, code] as const));
		expect(components.length).toBeGreaterThan(2);
		const namesOf = (programs: (readonly [string, string])[], ending: string) =>
			programs.map(([file, code], number) => [`${file.replaceAll("/", " ")} ${number}${ending}`, code] as const);
		const all = [...namesOf([...shown, ...commented], ".ts"), ...namesOf(components, ".tsx")];
		expect(complaints(root, new Map(all))).toEqual([]);
	});
});

describe("the storage that encrypts, on its page", () => {
	let encrypted: (storage: StorageAdapter, key: CryptoKey) => StorageAdapter;
	let key: CryptoKey;
	beforeAll(async () => {
		const [{ code } = { code: "" }] = blocksOf(read("docs/recipes/encryption.md"));
		vi.stubGlobal("receive", (factory: typeof encrypted) => {
			encrypted = factory;
		});
		await run(`${code}\nreceive(encrypted);`, load);
		key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
	});
	const alone = "it is in memory alone";
	storageConformance({
		test,
		create: () => encrypted(createMemoryStorage(), key),
		traits: { durable: alone, multiProcess: alone, watch: true, peek: "it has to decrypt" },
		sizes: { levels: 100, siblings: 300, changes: 200, mirrors: 30 },
		random: { sequences: 1 },
	});
});

describe("the smallest storage, on its page", () => {
	let createJournal: (journal: object) => StorageAdapter;
	beforeAll(async () => {
		const blocks = blocksOf(read("docs/write-your-own-storage.md"));
		const code = blocks.find(({ code }) => code.includes("function createJournalStorage"))?.code ?? "";
		vi.stubGlobal("receive", (factory: typeof createJournal) => {
			createJournal = factory;
		});
		await run(`${code}\nreceive(createJournalStorage);`, load);
	});
	const journals = new Map<string, string[]>();
	storageConformance({
		test,
		create: (name) => {
			const texts = journals.get(name) ?? [];
			journals.set(name, texts);
			return createJournal({
				readFrom: async (number: number) => texts.slice(number - 1),
				add: async (number: number, text: string) => number === texts.length + 1 && texts.push(text) > 0,
			});
		},
		traits: {
			durable: true,
			multiProcess: true,
			watch: "each read looks for commits",
			peek: "each read looks for commits",
		},
		sizes: { levels: 100, siblings: 1000, changes: 1000, mirrors: 50 },
		random: { sequences: 1 },
	});
});

/** The lines of code without their indentation. */
const trimmed = (code: string) => code.replaceAll(/^\s+|\s+$/gm, "");

/** The first lines of an example in a comment that creates no outline. */
const outlineAtHand = 'import { Outline } from "outlinekit";\ndeclare const outline: Outline;\n';
