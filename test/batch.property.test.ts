import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../adapters/memory.js";
import type { BatchOperation, BatchReference } from "../src/batch.js";
import { OutlineError } from "../src/errors.js";
import { Outline } from "../src/outline.js";
import type { StorageAdapter } from "../src/storage.js";
import { paged } from "./conformance/wrapped.js";
import { soak } from "./file/soak.js";
import { exported, noon } from "./plant.js";

/** Which node is meant: one that was there before the batch, one that the batch has named, or what a key stands for. */
type Pick = { kind: "there"; index: number } | { kind: "named"; index: number } | { kind: "key"; key: string };

/** An operation whose references are still picks. */
interface Draft {
	type: BatchOperation["type"];
	ref: Pick;
	parent: Pick | "root" | "absent";
	position: "top" | "bottom" | "absent" | { side: "before" | "after"; sibling: Pick };
	text: number;
}

/** An id that no node has. */
const missing = "00000000-0000-4000-8000-ffffffffffff";
const keys = ["inbox", "today", "2026-12-24", "2026", "home", "work"];
const texts = ["plain", "**bold**", "# Title", "- [x] done", "a\n\nb\n- c", ""];

const pick: fc.Arbitrary<Pick> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant("there"), index: fc.nat(40) }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant("named"), index: fc.nat(6) }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("key"), key: fc.constantFrom(...keys) }) },
);
const draft: fc.Arbitrary<Draft> = fc.record({
	type: fc.oneof(
		{ weight: 5, arbitrary: fc.constantFrom("create", "createTree") },
		{ weight: 7, arbitrary: fc.constantFrom("move", "move", "mirror") },
		{ weight: 3, arbitrary: fc.constantFrom("update", "complete", "uncomplete", "setShortcut") },
		{ weight: 3, arbitrary: fc.constantFrom("delete", "removeMirror", "deleteShortcut") },
	) as fc.Arbitrary<Draft["type"]>,
	ref: pick,
	parent: fc.oneof({ weight: 4, arbitrary: pick }, { weight: 1, arbitrary: fc.constantFrom("root", "absent") }),
	position: fc.oneof(
		fc.constantFrom("top", "bottom", "absent"),
		fc.record({ side: fc.constantFrom("before", "after"), sibling: pick }),
	) as fc.Arbitrary<Draft["position"]>,
	text: fc.nat(texts.length - 1),
});

/** An outline whose ids are counted from where it is told, so that two that do the same have the same. */
class Counted {
	readonly outline: Outline;
	next = 0;

	constructor(storage: StorageAdapter) {
		const generateId = () => `00000000-0000-4000-8000-${(this.next++ * 7919).toString(16).padStart(12, "0")}`;
		this.outline = new Outline({ storage, timeZone: "UTC", now: () => noon, generateId });
	}

	countFrom(number: number): Outline {
		this.next = number;
		return this.outline;
	}
}

/** The operations of some drafts. What makes a node names it by its place. */
function operationsOf(drafts: readonly Draft[], there: readonly string[]): BatchOperation[] {
	const named: string[] = [];
	return drafts.map(({ type, ref, parent, position, text }, place) => {
		const reference = (which: Pick): BatchReference => {
			if (which.kind === "key") return which.key;
			if (which.kind === "named" && named.length > 0) return { as: named[which.index % named.length]! };
			return there[which.index % there.length] ?? missing;
		};
		const beside = (at: Exclude<Draft["position"], string>) =>
			at.side === "before" ? { before: reference(at.sibling) } : { after: reference(at.sibling) };
		const at = {
			...(parent !== "absent" && { parent: parent === "root" ? null : reference(parent) }),
			...(position !== "absent" && { position: typeof position === "string" ? position : beside(position) }),
		};
		const as = `node ${place}`;
		const name = texts[text]!;
		const made = (operation: object) => {
			named.push(as);
			return { ...operation, as } as BatchOperation;
		};
		switch (type) {
			case "create":
				return made({ type, name, note: "note", ...at });
			case "createTree":
				return made({
					type,
					name,
					...at,
					children: [
						{ name: "x", completed: true },
						{ name, children: [{ name: "y" }] },
					],
				});
			case "mirror":
				// The arguments of a batch are checked before anything is done, so here they are all well-formed.
				return made({
					type,
					ref: reference(ref),
					...at,
					parent: typeof parent === "string" || parent.kind === "key" ? missing : reference(parent),
				});
			case "move":
				return { type, ref: reference(ref), ...at };
			case "update":
				return { type, ref: reference(ref), name, layoutMode: "quote-block" };
			case "setShortcut":
				return { type, key: keys[4 + (text % 2)]!, ref: reference(ref) };
			case "deleteShortcut":
				return { type, key: keys[4 + (text % 2)]! };
			default:
				return { type, ref: reference(ref) } as BatchOperation;
		}
	});
}

/** Makes the operations one by one. Gives what each gave that could be done, and the others with what they were refused for. */
async function oneByOne(counted: Counted, operations: readonly BatchOperation[]) {
	const { outline } = counted;
	const ids = new Map<string, string>();
	const done: BatchOperation[] = [];
	const refused: { operation: BatchOperation; code: string; place: number }[] = [];
	const idOf = (value: unknown): unknown => {
		if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
		if ("as" in value) return ids.get(value.as as string);
		return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, idOf(each)]));
	};
	const results: unknown[] = [];
	for (const operation of operations) {
		const unknown = [...JSON.stringify(operation).matchAll(/\{"as":"([^"]*)"\}/g)].some(([, name]) => !ids.has(name!));
		if (unknown) continue;
		const { type, as, ref, key, ...given } = operation as Record<string, unknown>;
		const input = idOf(given) as never;
		const target = idOf(ref) as string;
		const methods: { [type: string]: () => Promise<unknown> } = {
			create: () => outline.create(input),
			createTree: () => outline.createTree(input),
			update: () => outline.update(target, input),
			move: () => outline.move(target, input),
			mirror: () => outline.mirror(target, input),
			delete: () => outline.delete(target),
			removeMirror: () => outline.removeMirror(target),
			complete: () => outline.complete(target),
			uncomplete: () => outline.uncomplete(target),
			setShortcut: () => outline.setShortcut(key as string, target),
			deleteShortcut: () => outline.deleteShortcut(key as string),
		};
		const { next } = counted;
		try {
			const result = (await methods[type as string]!()) ?? null;
			results.push(result);
			done.push(operation);
			if (as !== undefined) ids.set(as as string, (result as { id: string }).id);
		} catch (error) {
			if (!(error instanceof OutlineError)) throw error;
			counted.next = next;
			refused.push({ operation, code: error.code, place: done.length });
		}
	}
	return { results, ids, done, refused };
}

async function everything(outline: Outline): Promise<unknown> {
	const nodes = await exported(outline);
	return { nodes: nodes.sort((left, right) => (left.id < right.id ? -1 : 1)), targets: await outline.targets() };
}

describe("a batch is the same as its operations one by one", () => {
	test.each([
		["in memory", createMemoryStorage],
		["on a storage without peek", () => paged(createMemoryStorage())],
	])("%s", { timeout: 60_000 * soak }, async (_, create) => {
		const counts = { done: 0, refused: 0 };
		await fc.assert(
			fc.asyncProperty(fc.array(fc.array(draft, { minLength: 1, maxLength: 12 }), { maxLength: 8 }), async (groups) => {
				const single = new Counted(create());
				const batched = new Counted(create());
				for (const { outline } of [single, batched]) {
					await outline.create({ name: "a\n- b\n- c\n  - d" });
					await outline.create({ name: "e\n- f" });
				}
				for (const [number, drafts] of groups.entries()) {
					const there = (await exported(single.outline)).map(({ id }) => id).sort();
					const operations = operationsOf(drafts, there);
					const first = (number + 1) * 1000;
					single.countFrom(first);
					const { results, ids, done, refused } = await oneByOne(single, operations);
					const before = await everything(batched.outline);
					// All or nothing: what comes before the one that can't be done isn't done either.
					for (const { operation, code, place } of refused.slice(0, 2)) {
						const failing = batched.countFrom(first).batch([...done.slice(0, place), operation]);
						await expect(failing).rejects.toMatchObject({ code, operation: place });
						expect(await everything(batched.outline)).toEqual(before);
						counts.refused += 1;
					}
					const batch = await batched.countFrom(first).batch(done);
					counts.done += done.length;
					expect(batch.results).toEqual(results);
					expect(batch.ids).toEqual(Object.fromEntries(ids));
					expect(await everything(batched.outline)).toEqual(await everything(single.outline));
				}
			}),
			{ numRuns: 150 * soak },
		);
		expect(counts.done).toBeGreaterThan(1000);
		expect(counts.refused).toBeGreaterThan(100);
	});
});
