import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import { type ConformanceOptions, storageConformance, type TestFunction } from "./index.js";

const options = {
	create: createMemoryStorage,
	traits: { durable: "it forgets", multiProcess: "it is alone", watch: true, peek: true },
} satisfies Partial<ConformanceOptions>;

describe("the suite", () => {
	test("passes skipped tests to the runner's own skip, each with the reason in its name", () => {
		const [run, skipped]: [string[], string[]] = [[], []];
		const runner: TestFunction = Object.assign((name: string) => run.push(name), {
			skip: (name: string) => skipped.push(name),
		});
		storageConformance({ ...options, test: runner });
		expect(skipped.length).toBeGreaterThan(10);
		for (const name of skipped)
			expect(name).toMatch(/\(skipped, not (durable: it forgets|multiProcess: it is alone)\)$/);
		expect(run.some((name) => name.includes("skipped"))).toBe(false);
		expect(new Set([...run, ...skipped]).size).toBe(run.length + skipped.length);
	});

	test("refuses options that it doesn't know, and a trait without an answer", () => {
		const given = (wrong: object) => () => storageConformance({ ...options, test: () => {}, ...wrong } as never);
		expect(given({ test: undefined })).toThrow("test is undefined. It must be a function");
		expect(given({ create: {} })).toThrow(/^create is .* must be a function/);
		expect(given({ traits: undefined })).toThrow("traits was given undefined");
		expect(given({ traits: { ...options.traits, durabel: true } })).toThrow('the unknown field "durabel"');
		expect(given({ sizes: { level: 3 } })).toThrow('sizes was given the unknown field "level"');
		expect(given({ random: { seeds: 3 } })).toThrow('random was given the unknown field "seeds"');
		expect(given({ traits: { durable: true, multiProcess: true, watch: true } })).toThrow(
			"The trait peek is undefined",
		);
	});

	test("also shows them to a runner that can't skip", async () => {
		const tests = new Map<string, () => Promise<void>>();
		storageConformance({ ...options, test: (name, run) => tests.set(name, run) });
		const skipped = [...tests].filter(([name]) => name.includes("(skipped, not durable: it forgets)"));
		expect(skipped.length).toBeGreaterThan(5);
		for (const [, run] of skipped) await run();
	});

	test("has the same tests whatever the traits, and prints the seed of random commits that fail", async () => {
		const names = (traits: ConformanceOptions["traits"]) => {
			const found: string[] = [];
			storageConformance({ ...options, traits, test: (name) => found.push(name.replace(/ \(skipped.*/, "")) });
			return found;
		};
		expect(names(options.traits)).toEqual(names({ durable: true, multiProcess: true, watch: "no", peek: "no" }));

		const tests = new Map<string, () => Promise<void>>();
		storageConformance({
			...options,
			create: () => ({ ...createMemoryStorage(), read: async () => ({ revision: 0, results: [] }) as never }),
			random: { seed: 77 },
			test: (name, run) => tests.set(name, run),
		});
		const random = [...tests].find(([name]) => name.startsWith("random: after random commits all"))![1];
		await expect(random()).rejects.toThrow("random: { seed: 77, commits: 1, sequences: 1 }");
	});

	test("imports only its own files and the core, so that it runs in any runner, in Node and in browsers", () => {
		const files = new Set([new URL("./index.ts", import.meta.url).href]);
		for (const file of files) {
			const source = readFileSync(new URL(file), "utf8");
			for (const [, name] of source.matchAll(/^(?:import|export)\s[^;]*?from "([^"]+)"/gms)) {
				expect(name, file).toMatch(/^\.\.?\//);
				const imported = new URL(name!.replace(/\.js$/, ".ts"), file);
				if (imported.pathname.includes("/test/")) files.add(imported.href);
				else expect(imported.pathname, file).toContain("/src/");
			}
		}
		expect(files.size).toBeGreaterThan(15);
	});
});
