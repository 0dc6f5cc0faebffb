import { describe, expect, test, vi } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { OutlineError } from "../../../src/errors.js";
import { paged } from "../../conformance/wrapped.js";
import { countedIds, numberedId } from "../../support/ids.js";
import { beforeCommits } from "../../support/interrupted.js";
import { codeOf, exported, newOutline } from "../../support/outline.js";

describe("writes", () => {
	test("of one outline keep the order of their calls", async () => {
		for (const storage of [createMemoryStorage(), paged(createMemoryStorage())]) {
			const outline = newOutline({ storage });
			const names = Array.from({ length: 50 }, (_, index) => `${index}`);
			await Promise.all(names.map((name) => outline.create({ name, position: "bottom" })));
			expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(names);
		}
	});

	test("keep that order if one of them must be tried again", async () => {
		const kept = createMemoryStorage();
		const other = newOutline({ storage: kept });
		let interruptions = 1;
		const outline = newOutline({
			storage: beforeCommits(kept, async () => {
				if (interruptions-- > 0) await other.create({ name: "in between" });
			}),
		});
		await Promise.all(["a", "b", "c"].map((name) => outline.create({ name, position: "bottom" })));
		expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(["in between", "a", "b", "c"]);
	});

	test.each(["in memory", "behind a storage without peek"])(
		"that a function of the host begins wait for the one under way: %s",
		async (place) => {
			const storage = createMemoryStorage();
			const batches: string[] = [];
			const begun: Promise<unknown>[] = [];
			const nextId = countedIds();
			let drawn = 0;
			const outline = newOutline({
				storage: {
					...(place === "in memory" && { peek: (queries) => storage.peek!(queries) }),
					read: (queries) => storage.read(queries),
					scan: () => storage.scan(),
					close: () => storage.close(),
					commit: (batch) => {
						batches.push(batch.nodes[0]!.after!.name);
						return storage.commit(batch);
					},
				},
				generateId: () => {
					drawn += 1;
					if (drawn === 1) begun.push(outline.create({ parent: null, name: "begun" }));
					return nextId();
				},
			});
			await outline.create({ parent: null, name: "first" });
			await Promise.all(begun);
			expect(batches).toEqual(["first", "begun"]);
		},
	);

	test("of several outlines on one storage lose no change", async () => {
		const kept = createMemoryStorage();
		const outlines = Array.from({ length: 4 }, () => newOutline({ storage: paged(kept) }));
		await Promise.all(
			outlines.flatMap((outline) => Array.from({ length: 10 }, () => outline.create({ parent: "today", name: "x" }))),
		);
		const nodes = await exported(outlines[0]!);
		expect(nodes.filter(({ name }) => name === "x").length).toBe(40);
		expect(nodes.length).toBe(44);
	});

	test("concurrent opposite moves make no cycle", async () => {
		const kept = createMemoryStorage();
		const [one, two] = [newOutline({ storage: paged(kept) }), newOutline({ storage: paged(kept) })];
		for (let round = 0; round < 20; round++) {
			const [a, b] = await Promise.all([one.create({ name: "a" }), one.create({ name: "b" })]);
			const codes = await Promise.all([
				codeOf(one.move(a.id, { parent: b.id })),
				codeOf(two.move(b.id, { parent: a.id })),
			]);
			expect(codes.sort()).toEqual(["would_create_cycle", undefined]);
		}
	});

	test("keep their ids and the time of the call in a second attempt after a conflict", async () => {
		const kept = createMemoryStorage();
		let interruptions = 3;
		let now = 1_000;
		const generateId = vi.fn(countedIds());
		const other = newOutline({ storage: kept });
		const outline = newOutline({
			storage: beforeCommits(kept, async () => {
				if (interruptions-- > 0) await other.create({ name: "in between" });
			}),
			now: () => (now += 1_000),
			generateId,
		});
		const node = await outline.create({ name: "a\n\nb" });
		expect(node).toMatchObject({ id: numberedId(1), createdAt: 2 });
		expect(generateId).toHaveBeenCalledTimes(2);
	});

	test("that are long go on after a pause, also in a second attempt after a conflict", async () => {
		const kept = createMemoryStorage();
		const other = newOutline({ storage: kept });
		const asked: string[] = [];
		let interruptions = 1;
		const outline = newOutline({
			storage: {
				...beforeCommits(kept, async () => {
					if (interruptions-- > 0) await other.create({ name: "in between" });
				}),
				peek(queries) {
					asked.push("peek");
					return kept.peek!(queries);
				},
				async read(queries) {
					asked.push("read");
					return kept.read(queries);
				},
			},
		});
		let now = Date.now();
		// Every slice of work ends as soon as it begins.
		const clock = vi.spyOn(Date, "now").mockImplementation(() => {
			now += 1000;
			return now;
		});
		try {
			const children = Array.from({ length: 10_000 }, (_, index) => ({ name: `${index}` }));
			const [tree] = await Promise.all([
				outline.createTree({ name: "tree", children, position: "bottom" }),
				outline.create({ name: "later", position: "bottom" }),
			]);
			expect(tree.children).toHaveLength(10_000);
		} finally {
			clock.mockRestore();
		}
		// One question for each of the two attempts at the tree, and for the later node.
		expect(asked).toEqual(["peek", "peek", "peek"]);
		expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(["in between", "tree", "later"]);
	});

	test("pause before the next attempt, and the later writes wait too", async () => {
		const started: number[] = [];
		let failures = 6;
		const outline = newOutline({
			storage: beforeCommits(createMemoryStorage(), async () => {
				started.push(performance.now());
				if (failures-- > 0) throw new OutlineError("conflict", "once more");
			}),
		});
		const random = vi.spyOn(Math, "random").mockReturnValue(0.99);
		await Promise.all([outline.create({ name: "a" }), outline.create({ name: "b" })]);
		random.mockRestore();
		expect(started.length).toBe(8);
		// From the fourth attempt on, a pause is long enough for a timer: 15.84, 31.68 and 63.36 ms. A timer drops the
		// fraction, and may end a millisecond early.
		const gaps = started.slice(1, 7).map((moment, index) => moment - started[index]!);
		for (const [index, gap] of gaps.slice(3).entries()) expect(gap).toBeGreaterThan(2 ** (index + 4) * 0.99 - 2);
	});

	test("fail alone if the storage breaks its promises, and the next ones run", async () => {
		const storage = createMemoryStorage();
		let broken = true;
		const outline = newOutline({
			storage: {
				...paged(storage),
				peek(queries) {
					if (broken) throw new Error("peek must not throw");
					return storage.peek!(queries);
				},
			},
		});
		await expect(outline.create({ name: "a" })).rejects.toThrow("peek must not throw");
		broken = false;
		await outline.create({ name: "b" });
		await outline.close();
	});

	test("fail with conflict after a limited number of attempts", async () => {
		let attempts = 0;
		const outline = newOutline({
			storage: beforeCommits(createMemoryStorage(), async () => {
				attempts += 1;
				throw new OutlineError("conflict", "always");
			}),
		});
		expect(await codeOf(outline.create({ name: "x" }))).toBe("conflict");
		expect(attempts).toBe(100);
		await outline.close();
	});

	test("reject with the error of the storage, and the next ones run", async () => {
		let failing = true;
		const outline = newOutline({
			storage: beforeCommits(createMemoryStorage(), async () => {
				if (failing) throw new OutlineError("quota_exceeded", "full");
			}),
		});
		expect(await codeOf(outline.create({ name: "x" }))).toBe("quota_exceeded");
		failing = false;
		await outline.create({ name: "y" });
		expect((await exported(outline)).map(({ name }) => name)).toEqual(["y"]);
	});
});

test("reads see one revision even if commits come between their queries", async () => {
	const kept = createMemoryStorage();
	const writing = newOutline({ storage: kept });
	let interruptions = 5;
	const outline = newOutline({
		storage: {
			...paged(kept),
			async read(queries) {
				const snapshot = await kept.read(queries);
				if (queries.length > 0 && interruptions-- > 0) await writing.create({ parent: "2026-11-22", name: "x" });
				return snapshot;
			},
		},
	});
	await outline.create({ parent: "2026-11-22", name: "y" });
	const nodes = await exported(outline);
	expect(nodes.filter(({ name }) => name.includes("Nov 22")).length).toBe(1);
	expect((await outline.list("2026-11-22")).nodes.length).toBe(6);
});

test("close waits for the writes under way, refuses later ones, and allows a second call", async () => {
	const storage = createMemoryStorage();
	const outline = newOutline({ storage: paged(storage) });
	const creating = outline.create({ name: "x" });
	const closing = outline.close();
	expect((await creating).name).toBe("x");
	await closing;
	await outline.close();
	for (const operation of [
		() => outline.create({ name: "x" }),
		() => outline.get("inbox"),
		() => outline.list(),
		() => outline.targets(),
		() => exported(outline),
	]) {
		expect(await codeOf(operation())).toBe("closed");
	}
	expect(() => outline.subscribe(() => {})).toThrow(/closed/);
});
