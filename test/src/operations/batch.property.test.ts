import fc from "fast-check";
import { expect, test } from "vitest";
import { OutlineError } from "../../../src/errors.js";
import type { BatchOperation } from "../../../src/operations/batch.js";
import type { OperationName } from "../../../src/operations/description.js";
import { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { draft, operationsOf } from "../../model/batches.js";
import { soak } from "../../setup/soak.js";
import { exported, noon } from "../../support/outline.js";
import { memoryStorages } from "../../support/storages.js";

/** An outline that counts its ids from a number, so that two outlines draw the same ids. */
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

/** Runs the operations one by one. Returns the results, and each refused operation with its error code. */
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
		const methods: { [T in OperationName]: () => Promise<unknown> } = {
			create: () => outline.create(input),
			createTree: () => outline.createTree(input),
			update: () => outline.update(target, input),
			move: () => outline.move(target, input),
			duplicate: () => outline.duplicate(target, input),
			mirror: () => outline.mirror(target, input),
			delete: () => outline.delete(target),
			removeMirror: () => outline.removeMirror(target),
			ensure: () => outline.ensure(target),
			complete: () => outline.complete(target),
			uncomplete: () => outline.uncomplete(target),
			setShortcut: () => outline.setShortcut(key as string, target),
			deleteShortcut: () => outline.deleteShortcut(key as string),
		};
		const { next } = counted;
		try {
			const result = (await methods[type as OperationName]()) ?? null;
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

test.each(memoryStorages)(
	"a batch is the same as its operations one by one: %s",
	{ timeout: 60_000 * soak },
	async (_, create) => {
		const counts = { tried: 0, done: 0, refused: 0 };
		await fc.assert(
			fc.asyncProperty(fc.array(fc.array(draft, { minLength: 1, maxLength: 12 }), { maxLength: 8 }), async (groups) => {
				counts.tried += 1;
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
					// All or nothing: the operations before the refused one change nothing either.
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
			{ numRuns: 80 * soak },
		);
		expect(counts.done).toBeGreaterThan(6 * counts.tried);
		expect(counts.refused).toBeGreaterThan(counts.tried / 2);
	},
);
