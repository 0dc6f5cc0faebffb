import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { liveQuery, liveRows } from "../../../src/live/index.js";
import { newOutline, planted } from "../../support/outline.js";
import { catchUnhandled } from "../../support/unhandled.js";

test("reads the result again after each commit that concerns it", async () => {
	const { outline, a } = await planted("a #a");
	let reads = 0;
	const names = liveQuery(
		outline,
		async () => {
			reads += 1;
			return (await outline.list(null)).nodes.map(({ name }) => name);
		},
		{ concerns: ({ changes }) => changes.some(({ before, after }) => (after ?? before)?.parentId === null) },
	);
	expect(names.current).toBeUndefined();
	await names.ready;
	expect(names.current).toEqual(["a"]);
	let told = 0;
	const stop = names.subscribe(() => told++);
	await outline.create({ name: "b", position: "bottom" });
	await expect.poll(() => names.current).toEqual(["a", "b"]);
	await outline.create({ parent: a, name: "below" });
	expect([reads, told]).toEqual([2, 1]);
	stop();
	await outline.create({ name: "c", position: "bottom" });
	await expect.poll(() => names.current).toEqual(["a", "b", "c"]);
	expect(told).toBe(1);
	names.close();
	await outline.create({ name: "d", position: "bottom" });
	expect(names.current).toEqual(["a", "b", "c"]);
});

test("tells a result that is no number", async () => {
	const { outline, a } = await planted("a #a");
	const mean = liveQuery(outline, async () => {
		const { nodes } = await outline.list(a);
		return nodes.reduce((sum, { name }) => sum + Number(name), 0) / nodes.length;
	});
	const told: (number | undefined)[] = [];
	mean.subscribe((value) => told.push(value));
	await mean.ready;
	expect(told).toEqual([Number.NaN]);
	await outline.create({ name: "3", parent: a });
	await expect.poll(() => told).toEqual([Number.NaN, 3]);
	mean.close();
});

test.each([null, undefined, 5, {}])("refuses %j as an outline", (given) => {
	const wrong = given as never;
	const refusal = expect.objectContaining({
		code: "invalid_argument",
		message: expect.stringMatching(
			given == null
				? new RegExp(`^outline is ${given}\\. It must be an Outline\\.$`)
				: /^outline\.\w+ is undefined\. It must be a function\.$/,
		),
	});
	expect(() => liveQuery(wrong, async () => 1)).toThrow(refusal);
	expect(() => liveRows(wrong)).toThrow(refusal);
});

test("reads again if a commit happens during a read", async () => {
	const outline = newOutline();
	let open: (() => void) | undefined;
	const count = liveQuery(outline, async () => {
		const { nodes } = await outline.list(null);
		await new Promise<void>((resolve) => {
			open = resolve;
		});
		return nodes.length;
	});
	await expect.poll(() => open).toBeDefined();
	await outline.create({ name: "a" });
	const first = open;
	first!();
	await expect.poll(() => open !== first).toBe(true);
	open!();
	await count.ready;
	expect(count.current).toBe(1);
});

test("reads again if a commit happens during a read that fails", async () => {
	const outline = newOutline();
	const { id } = await outline.create({ name: "a" });
	await outline.delete(id);
	const errors: unknown[] = [];
	const read = async () => {
		const answer = outline.get(id);
		await answer.catch(() => outline.undo());
		return answer;
	};
	const node = liveQuery(outline, read, { onError: (error) => errors.push(error) });
	await node.ready;
	expect(node.current?.name).toBe("a");
	expect(errors).toEqual([]);
});

test("passes the error of a failed read to onError and keeps the result", async () => {
	const outline = newOutline();
	let broken = false;
	const errors: unknown[] = [];
	const live = liveQuery(
		outline,
		async () => {
			if (broken) throw new Error("no disk");
			return 1;
		},
		{ onError: (error) => errors.push(error) },
	);
	await live.ready;
	broken = true;
	await outline.create({ name: "a" });
	await expect.poll(() => errors.length).toBe(1);
	expect(live.current).toBe(1);
	await expect(liveQuery(outline, () => Promise.reject(new Error("no"))).ready).rejects.toThrow("no");
});

test("passes the error of the first read to onError, or leaves it to `ready` as a rejection", async () => {
	const outline = newOutline();
	const errors: unknown[] = [];
	const live = liveQuery(outline, () => outline.search("is:foo"), { onError: (error) => errors.push(error) });
	await expect.poll(() => errors).toMatchObject([{ code: "invalid_argument" }]);
	expect(live.current).toBeUndefined();
	await expect(live.ready).rejects.toMatchObject({ code: "invalid_argument" });
	expect(errors).toHaveLength(1);

	const unhandled = catchUnhandled();
	liveQuery(outline, () => Promise.reject(new Error("no caller waits")));
	await expect(liveQuery(outline, () => Promise.reject(new Error("awaited"))).ready).rejects.toThrow("awaited");
	liveQuery(outline, () => Promise.reject(new Error("closed"))).close();
	await expect.poll(() => unhandled).toEqual([new Error("no caller waits")]);
});

test("ignores a read that fails after the query is closed", async () => {
	const outline = newOutline();
	const errors: unknown[] = [];
	let fail: ((error: Error) => void) | undefined;
	let first = true;
	const live = liveQuery(
		outline,
		async () => {
			if (first) return 1;
			return new Promise<number>((_, reject) => {
				fail = reject;
			});
		},
		{ onError: (error) => errors.push(error) },
	);
	await live.ready;
	first = false;
	await outline.create({ name: "a" });
	await expect.poll(() => fail).toBeDefined();
	live.close();
	await outline.close();
	fail!(new Error("closed"));
	await pause(0);
	expect(errors).toEqual([]);
});

test("ignores a read that fails because the outline was closed meanwhile", async () => {
	const outline = newOutline();
	const errors: unknown[] = [];
	const unhandled = catchUnhandled();
	let closed: (() => void) | undefined;
	const closing = new Promise<void>((resolve) => {
		closed = resolve;
	});
	let reads = 0;
	const read = async () => {
		if (++reads > 2) await closing;
		return outline.list(null);
	};
	await liveQuery(outline, read).ready;
	await liveQuery(outline, read, { onError: (error) => errors.push(error) }).ready;
	await outline.create({ name: "a" });
	await expect.poll(() => reads).toBe(4);
	await outline.close();
	closed!();
	await pause(0);
	expect([errors, unhandled]).toEqual([[], []]);
});

test("calls the next listener if one throws", async () => {
	const outline = newOutline();
	const live = liveQuery(outline, async () => (await outline.list(null)).nodes.length);
	await live.ready;
	const unhandled = catchUnhandled();
	let told = 0;
	live.subscribe(() => {
		throw new Error("mine");
	});
	live.subscribe(() => told++);
	await outline.create({ name: "a" });
	await expect.poll(() => [told, unhandled.length]).toEqual([1, 1]);
});

test("refuses arguments that are no functions, and options that are no object", async () => {
	const outline = newOutline();
	const refused = { code: "invalid_argument" };
	expect(() => Reflect.apply(liveQuery, undefined, [outline, 5])).toThrow(expect.objectContaining(refused));
	expect(() => Reflect.apply(liveQuery, undefined, [outline, () => {}, null])).toThrow(
		expect.objectContaining(refused),
	);
	expect(() => Reflect.apply(liveQuery, undefined, [outline, () => {}, { concerns: 1 }])).toThrow(
		expect.objectContaining({ ...refused, message: "concerns is 1. It must be a function." }),
	);
});
