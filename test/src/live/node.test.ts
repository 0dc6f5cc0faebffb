import { expect, test } from "vitest";
import { liveNode, liveRows } from "../../../src/live/index.js";
import type { OutlineNode } from "../../../src/node.js";
import type { Outline } from "../../../src/outline.js";
import { unusedId } from "../../support/ids.js";
import { newOutline, planted } from "../../support/outline.js";

type Change = (outline: Outline, id: string) => Promise<unknown>;
const remove: Change = (outline, id) => outline.delete(id);
const rename: Change = (outline, id) => outline.update(id, { name: "renamed" });
const undo: Change = (outline) => outline.undo();

test("a node follows each commit that changes it, and notifies with its state", async () => {
	const { outline, a, b } = await planted("a #a\nb #b");
	const live = liveNode(outline, a);
	expect(live.current).toBeUndefined();
	await live.ready;
	expect(live.current).toEqual(await outline.get(a));
	const seen: unknown[] = [];
	live.subscribe((node) => seen.push(node?.name));
	await outline.update(b, { name: "B" });
	await outline.update(a, { name: "A" });
	const { id } = await outline.mirror(a, { parent: b });
	expect(live.current?.mirror).toEqual({ mirrorIds: [id] });
	await outline.delete(id);
	await outline.delete(a);
	expect(live.current).toBeNull();
	await outline.undo();
	expect(live.current?.name).toBe("A");
	expect(seen).toEqual(["A", "A", "A", undefined, "A"]);
	live.close();
	await outline.update(a, { name: "later" });
	expect(live.current?.name).toBe("A");
});

test("a node that doesn't exist is null, until it does", async () => {
	const { outline, a } = await planted("a #a");
	const lives = [null, unusedId, "key", "today"].map((ref) => liveNode(outline, ref));
	await Promise.all(lives.map(({ ready }) => ready));
	expect(lives.map(({ current }) => current)).toEqual([null, null, null, null]);
	await outline.setShortcut("key", a);
	const today = await outline.ensure("today");
	await expect.poll(() => lives.map(({ current }) => current?.id)).toEqual([undefined, undefined, a, today.id]);
});

test("a node comes back by undo for a full and a short id, in any letter case", async () => {
	const { outline, a } = await planted("a #a");
	const lives = [a, a.toUpperCase(), a.slice(-12), a.slice(-12).toUpperCase()].map((ref) => liveNode(outline, ref));
	await outline.delete(a);
	const later = liveNode(outline, a.slice(-12));
	await Promise.all([...lives, later].map(({ ready }) => ready));
	expect([...lives, later].map(({ current }) => current)).toEqual([null, null, null, null, null]);
	await outline.undo();
	expect([...lives, later].map(({ current }) => current?.id)).toEqual([a, a, a, a, a]);
});

test("a node whose deletion can't be read any more is looked up again", async () => {
	const { outline, a } = await planted("a #a");
	let notify: Parameters<Outline["subscribe"]>[0] = () => {};
	let found: OutlineNode | undefined = await outline.get(a);
	const pruned = {
		get: async () => found ?? outline.get(unusedId),
		subscribe(listener: typeof notify) {
			notify = listener;
			return () => {};
		},
	};
	const live = liveNode(pruned, a);
	await live.ready;
	found = undefined;
	notify({ revision: 9, source: "remote", changes: [], keys: [], expired: true });
	await expect.poll(() => live.current).toBeNull();
});

test.each<[string, Change, string | undefined]>([
	["is deleted", remove, undefined],
	["is renamed", rename, "renamed"],
	["comes back by undo", undo, "x"],
])("a node that %s while it is being read shows as it is then", async (_, change, last) => {
	for (const from of [0, 24]) {
		const changes = [change];
		const { outline, x } = await planted("x #x");
		if (last === "x") await outline.delete(x);
		const late = {
			// The commit happens after the storage has answered, and before the answer arrives.
			async get(ref: string) {
				const found = await outline.get(ref).catch((error: unknown) => error);
				await changes.pop()?.(outline, x);
				if (found instanceof Error) throw found;
				return found as OutlineNode;
			},
			subscribe: (listener: Parameters<Outline["subscribe"]>[0]) => outline.subscribe(listener),
		};
		const live = liveNode(late, x.slice(from));
		await live.ready;
		expect(live.current?.name).toBe(last);
	}
});

test("after a failed read, the next commit has the node read again", async () => {
	const { outline, a, b } = await planted("a #a\nb #b");
	let error: Error | undefined = new Error("no network");
	const failing = {
		get: (ref: string) => (error === undefined ? outline.get(ref) : Promise.reject(error)),
		list: (parent?: string | null) => outline.list(parent),
		subscribe: (listener: Parameters<Outline["subscribe"]>[0]) => outline.subscribe(listener),
	};
	const errors: unknown[] = [];
	const onError = (error: unknown) => errors.push(error);
	const [node, missing] = [a, unusedId].map((ref) => liveNode(failing, ref, { onError }));
	const rows = liveRows(failing, { root: a, onError });
	for (const { ready } of [node!, missing!, rows]) await expect(ready).rejects.toBe(error);
	expect(errors).toEqual([error, error, error]);
	error = undefined;
	await outline.create({ name: "c", parent: a });
	await outline.update(b, { name: "B" });
	await expect.poll(() => node!.current?.name).toBe("a");
	await expect.poll(() => missing!.current).toBeNull();
	await expect.poll(() => rows.current.rows.map(({ node }) => node.name)).toEqual(["c"]);
	expect(errors.length).toBe(3);
});

test("the first error goes to onError and to ready, and a wrong argument is refused at once", async () => {
	const outline = newOutline();
	const errors: unknown[] = [];
	const live = liveNode(outline, "None", { onError: (error) => errors.push(error) });
	await expect(live.ready).rejects.toMatchObject({ code: "unsupported_reference" });
	expect(errors).toMatchObject([{ code: "unsupported_reference" }]);
	const refused = expect.objectContaining({ code: "invalid_argument" });
	expect(() => liveNode({} as Outline, "a")).toThrow(refused);
	expect(() => liveNode(outline, "a", { onError: 1 as never })).toThrow(refused);
	expect(() => liveNode(outline, "a", { root: null } as never)).toThrow(refused);
	expect(() => liveNode(outline, "a", null as never)).toThrow(refused);
});
