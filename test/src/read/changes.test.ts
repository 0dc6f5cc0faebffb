import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { paged } from "../../conformance/wrapped.js";
import { soak } from "../../setup/soak.js";
import { bound } from "../../support/notices.js";
import { codeOf, exported, newOutline, planted, twoOutlines } from "../../support/outline.js";

const scene = `
a #a
b #b
  (mirror a) #m
c #c`;

test("an answer has the changed nodes with the mirrors that show them, and no other nodes", async () => {
	const { outline, a, b, c, m } = await planted(scene);
	const all = await outline.changes({ since: 0 });
	expect(all.nodes.map(({ id }) => id).sort()).toEqual([a, b, c, m].sort());
	expect(all).toMatchObject({ deleted: [], more: false });
	const nodes = (await outline.changes({ since: 0 })).nodes.sort((left, right) => (left.id < right.id ? -1 : 1));
	expect(nodes).toEqual((await exported(outline)).sort((left, right) => (left.id < right.id ? -1 : 1)));
	expect(await outline.changes({ since: all.revision })).toEqual({
		nodes: [],
		deleted: [],
		keys: [],
		revision: all.revision,
		more: false,
	});
	await outline.update(a, { name: "x" });
	const edited = await outline.changes({ since: all.revision });
	expect(edited.nodes.map(({ id, name }) => [id, name]).sort()).toEqual(
		[
			[a, "x"],
			[m, "x"],
		].sort(),
	);
	await outline.removeMirror(m);
	await outline.delete(c);
	const { nodes: left, deleted, revision } = await outline.changes({ since: edited.revision });
	expect(left.map(({ id, mirror }) => [id, mirror])).toEqual([[a, undefined]]);
	expect([...deleted].sort()).toEqual([c, m].sort());
	expect(revision).toBe(edited.revision + 2);
});

test("the limit ends an answer after a whole commit", async () => {
	const outline = newOutline();
	const revisions: number[] = [];
	for (const name of ["a", "b\n- c\n- d", "e"]) await outline.create({ name });
	const told: number[] = [];
	let since = 0;
	for (let more = true; more; ) {
		const changes = await outline.changes({ since, limit: 1 });
		({ revision: since, more } = changes);
		told.push(changes.nodes.length);
		revisions.push(since);
	}
	expect(told).toEqual([1, 3, 1]);
	expect(revisions).toEqual([1, 2, 3]);
	expect((await outline.changes({ since: 0, limit: 10_000 })).nodes).toHaveLength(5);
});

test("the characters end an answer after a whole commit, and count the texts of mirrors and their origins", async () => {
	const text = fc.record({ kind: fc.nat(4), node: fc.nat(20), length: fc.constantFrom(0, 10, 500) });
	await fc.assert(
		fc.asyncProperty(
			fc.array(text, { minLength: 10, maxLength: 90 }),
			fc.constantFrom(1, 700, 3000, 20_000),
			fc.constantFrom(1, 3, 1000),
			async (steps, characters, limit) => {
				const outline = newOutline();
				const ids: string[] = [];
				for (const { kind, node, length } of steps) {
					const id = ids[node % Math.max(1, ids.length)];
					if (kind <= 1 || id === undefined) ids.push((await outline.create({ name: "x".repeat(length) })).id);
					else if (kind === 2) await outline.update(id, { note: "y".repeat(length) });
					else if (kind === 3) ids.push((await outline.mirror(id, { parent: ids.at(-1)! }).catch(() => ({ id }))).id);
					else if ((await codeOf(outline.delete(id))) === undefined)
						ids.splice(0, ids.length, ...(await known(outline)));
				}
				const copy = new Map<string, unknown>();
				const commits: number[] = [];
				for (let since = 0, more = true; more; ) {
					const part = await outline.changes({ since, characters, limit });
					const size = part.nodes.reduce((sum, { name, note }) => sum + 64 + name.length + (note?.length ?? 0), 0);
					expect(new Set(part.nodes.map(({ id }) => id)).size).toBe(part.nodes.length);
					// An answer that exceeds the characters has one commit, beside commits without new nodes.
					if (size > characters) expect(await commitsWithNodes(outline, since, part.revision)).toBe(1);
					expect(part.revision > since || !part.more).toBe(true);
					for (const node of part.nodes) copy.set(node.id, node);
					for (const id of part.deleted) copy.delete(id);
					({ revision: since, more } = part);
					commits.push(since);
				}
				expect(copy).toEqual(new Map((await exported(outline)).map((node) => [node.id, node])));
				if (characters === 20_000 && limit === 1000) expect(commits.length).toBeLessThan(steps.length / 3);
			},
		),
		{ numRuns: 60 * soak },
	);
});

test("long texts are read in parts, and each commit that doesn't fit is an answer of its own", async () => {
	const storage = createMemoryStorage();
	const outline = newOutline({ storage });
	const { id: origin } = await outline.create({ name: "origin", note: "x".repeat(10_000) });
	const { id: home } = await outline.create({ name: "home" });
	await outline.batch(Array.from({ length: 300 }, () => ({ type: "mirror", ref: origin, parent: home }) as const));
	for (let count = 0; count < 300; count++) await outline.create({ name: "y".repeat(1000) });
	const asked: number[] = [];
	const measured: StorageAdapter = {
		...bound(storage),
		async read(queries) {
			for (const query of queries) if (query.type === "changes" && query.limit > 1) asked.push(query.limit);
			return storage.read(queries);
		},
	};
	const told: number[] = [];
	for (let since = 0, more = true; more; ) {
		const part = await newOutline({ storage: measured }).changes({ since, characters: 100_000 });
		told.push(part.nodes.length);
		({ revision: since, more } = part);
	}
	// The origin changed with its mirrors, each of which has its text.
	expect(told.slice(0, 2)).toEqual([1, 301]);
	expect(Math.max(...told.slice(2))).toBeLessThanOrEqual(93);
	expect(told.slice(2).reduce((sum, count) => sum + count)).toBe(300);
	expect(Math.max(...asked)).toBeLessThanOrEqual(100);
});

test("an answer has the keys that were set and dropped, so a copy has the same targets", async () => {
	const { outline, a } = await planted("a #a");
	const { id: b } = await outline.create({ name: "b" });
	await outline.setShortcut("home", a);
	await outline.setShortcut("work", a);
	const inbox = await outline.ensure("inbox");
	const year = await outline.ensure("2027");
	const calendar = await outline.get("calendar");
	const keysSince = async (since: number) => {
		const { keys } = await outline.changes({ since });
		return keys.map(({ key, type, nodeId }) => [key, type, nodeId]).sort();
	};
	expect(await keysSince(0)).toEqual([
		["2027", "calendar", year.id],
		["calendar", "system", calendar.id],
		["home", "shortcut", a],
		["inbox", "system", inbox.id],
		["work", "shortcut", a],
	]);
	const { revision } = await outline.changes({ since: 0 });
	await outline.setShortcut("home", b);
	await outline.deleteShortcut("work");
	await outline.delete("2027");
	expect(await keysSince(revision)).toEqual([
		["2027", "calendar", null],
		["home", "shortcut", b],
		["work", "shortcut", null],
	]);
	// A commit of keys alone counts for the limit.
	expect(await outline.changes({ since: revision, limit: 1 })).toMatchObject({ revision: revision + 1, more: true });
});

describe("prune", () => {
	test("drops tombstones, so that only a reader from before the revision begins again", async () => {
		const storage = createMemoryStorage();
		const { outline, a, b, c } = await planted(scene, { storage });
		await outline.setShortcut("home", c);
		const { revision: old } = await outline.changes({ since: 0 });
		await outline.delete(c);
		const { revision } = await outline.changes({ since: 0 });
		await outline.delete(b);
		await outline.prune({ before: revision + 1 });
		expect(await codeOf(outline.changes({ since: old }))).toBe("changes_expired");
		expect(await codeOf(outline.changes({ since: 1 }))).toBe("changes_expired");
		expect((await outline.changes({ since: revision })).deleted).toContain(b);
		for (const limit of [1, 1000]) {
			const all = await outline.changes({ since: 0, limit });
			expect(all.nodes.map(({ id }) => id)).toContain(a);
			expect(all.deleted).not.toContain(c);
			expect(await codeOf(outline.changes({ since: all.revision }))).toBeUndefined();
		}
		const [left] = (await storage.read([{ type: "changes", since: 0, limit: 1000 }])).results;
		expect(left.deleted.every((tombstone) => tombstone.revision > revision)).toBe(true);
		expect(left.droppedKeys).toEqual([]);
	});

	test("commits only if there is something to drop, and can't be undone", async () => {
		const { outline, id } = await planted("a #id");
		await outline.delete(id);
		const steps = outline.history.undo;
		await outline.prune({ before: 0 });
		await outline.prune({ before: 1 });
		expect((await outline.changes({ since: 0 })).revision).toBe(2);
		await outline.prune({ before: 2 });
		await outline.prune({ before: 2 });
		await outline.prune({ before: 1 });
		expect((await outline.changes({ since: 0 })).revision).toBe(3);
		expect(outline.history.undo).toBe(steps);
		await outline.undo();
		expect((await outline.get(id)).name).toBe("a");
		expect((await outline.verify()).problems).toEqual([]);
	});

	test("leaves everything to find for a search that begins afterwards, page by page", async () => {
		const outline = newOutline();
		for (let number = 0; number < 50; number++) {
			const { id } = await outline.create({ name: `apple ${number}` });
			if (number % 5 === 0) await outline.delete(id);
		}
		const { revision } = await outline.changes({ since: 0 });
		await outline.prune({ before: revision });
		expect(await outline.search("apple", { limit: 100 })).toHaveLength(40);
		const { id } = await outline.create({ name: "apple pie" });
		await outline.delete(id);
		await outline.prune({ before: revision + 3 });
		expect(await outline.search("apple", { limit: 100 })).toHaveLength(40);
	});

	test("keeps a search right that has begun before", async () => {
		const [here, there] = twoOutlines();
		const { id } = await here.create({ name: "apple" });
		expect(await there.search("apple")).toHaveLength(1);
		await here.delete(id);
		await here.create({ name: "apple pie" });
		await here.prune({ before: 3 });
		expect((await there.search("apple")).map(({ node }) => node.name)).toEqual(["apple pie"]);
		expect(await there.search("apple -pie")).toEqual([]);
	});

	test.each([[{}], [{ before: -1 }], [{ before: 1.5 }], [{ before: "1" }], [{ before: 2 }], [null], [{ since: 0 }]])(
		"refuses %j",
		async (input) => {
			const outline = newOutline();
			await outline.create({ name: "a" });
			expect(await codeOf(outline.prune(input as never))).toBe("invalid_argument");
		},
	);
});

/** The number of commits between two revisions with nodes that earlier answers don't have. */
async function commitsWithNodes(outline: Outline, since: number, to: number): Promise<number> {
	const told = new Set<string>();
	let count = 0;
	for (let at = since; at < to; ) {
		const { nodes, revision } = await outline.changes({ since: at, limit: 1 });
		// If later commits changed all nodes of a commit again, the answer has none of them, and also includes
		// the next commit.
		if (revision > to) break;
		const before = told.size;
		for (const { id } of nodes) told.add(id);
		if (told.size > before) count += 1;
		at = revision;
	}
	return count;
}

async function known(outline: Outline): Promise<string[]> {
	return (await exported(outline)).map(({ id }) => id).sort();
}

test.each([
	[{}],
	[{ since: -1 }],
	[{ since: 0.5 }],
	[{ since: "0" }],
	[{ since: 2 ** 53 }],
	[{ since: 0, limit: 0 }],
	[{ since: 0, limit: 10_001 }],
	[{ since: 0, limit: 1.5 }],
	[{ since: 0, limit: "1" }],
	[{ since: 0, characters: 0 }],
	[{ since: 0, characters: "1" }],
	[{ since: 0, bytes: 1 }],
	[{ since: 2 }],
	[null],
])("%j is refused", async (input) => {
	const outline = newOutline();
	await outline.create({ name: "a" });
	expect(await codeOf(outline.changes(input as never))).toBe("invalid_argument");
});

test("an answer of several parts has no node that was deleted and pruned meanwhile", async () => {
	const storage = createMemoryStorage();
	const writer = newOutline({ storage });
	const ids: string[] = [];
	for (let count = 0; count < 200; count++) ids.push((await writer.create({ name: "a" })).id);
	let parts = 0;
	const pruning: StorageAdapter = {
		...paged(storage),
		async read(queries) {
			if (queries[0]?.type === "changes" && ++parts === 2) {
				await writer.delete(ids[0]!);
				await writer.create({ name: "b" });
				await writer.prune({ before: (await writer.changes({ since: 0, limit: 1000 })).revision });
			}
			return storage.read(queries);
		},
	};
	const { nodes } = await newOutline({ storage: pruning }).changes({ since: 0, characters: 1_000_000 });
	expect(nodes.map(({ id }) => id)).not.toContain(ids[0]);
	expect(nodes).toHaveLength(200);
});
