import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { SearchIndex } from "../../../../src/read/search/search-index.js";
import type { Answer, ChangedSince, Query, Snapshot, StorageAdapter } from "../../../../src/storage.js";
import { bound } from "../../../support/notices.js";
import { newOutline, planted } from "../../../support/outline.js";

/** The queries of one read of a storage, with the results. */
type Read = readonly (readonly [Query, Answer<Query>])[];

/** An asynchronous storage, and a list of its reads. */
function watched(): { readonly storage: StorageAdapter; readonly reads: Read[] } {
	const inner = createMemoryStorage();
	const reads: Read[] = [];
	const storage: StorageAdapter = {
		...bound(inner),
		async read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
			const snapshot = await inner.read(queries);
			reads.push(queries.map((query, place) => [query, snapshot.results[place] as Answer<Query>]));
			return snapshot;
		},
	};
	return { storage, reads };
}

/** A clock that advances by a millisecond at each read, so that steps are the same on every machine. */
let time = 0;
beforeEach(() => {
	vi.spyOn(Date, "now").mockImplementation(() => time++);
});
afterEach(() => {
	vi.restoreAllMocks();
});

/** Runs some work. Returns the number of turns of the event loop, and the longest time between two. */
async function turnsDuring(work: () => Promise<unknown>): Promise<{ turns: number; longest: number }> {
	let turns = 0;
	let longest = 0;
	let last = time;
	let goesOn = true;
	const tick = () => {
		longest = Math.max(longest, time - last);
		last = time;
		turns += 1;
		if (goesOn) setImmediate(tick);
	};
	setImmediate(tick);
	await work();
	goesOn = false;
	await new Promise(setImmediate);
	return { turns, longest };
}

const repeated = (count: number) => "a ".repeat(count);

describe("the event loop has turns", () => {
	test("while long texts are indexed, searched and forgotten", async () => {
		const outline = newOutline();
		for (let made = 0; made < 4; made++) await outline.create({ name: "long", note: repeated(400_000) });
		const works: Record<string, () => Promise<unknown>> = {
			"the first search": () => outline.search("zz"),
			"a word": () => outline.search("a"),
			"a phrase": () => outline.search(`"${repeated(400).trim()}"`),
			"a word with dashes": () => outline.search("|a".repeat(400)),
			"words side by side": () => outline.search(repeated(99)),
			alternatives: () => outline.search(Array.from({ length: 50 }, () => "a").join(" OR ")),
			"what must not be there": () => outline.search("-a OR -b"),
		};
		for (const [name, work] of Object.entries(works)) {
			const { turns, longest } = await turnsDuring(work);
			expect(turns, name).toBeGreaterThan(8);
			expect(longest, name).toBeLessThan(60);
		}
	});

	test("between the steps of searches that run at the same time", async () => {
		const outline = newOutline();
		await outline.create({ name: "long", note: repeated(400_000) });
		await outline.search("a");
		const { longest } = await turnsDuring(() =>
			Promise.all(Array.from({ length: 30 }, () => outline.search("-a OR a OR b"))),
		);
		expect(longest).toBeLessThan(40);
	});

	test("and few searches run at the same time, because each holds data of every node", async () => {
		const outline = newOutline();
		await outline.create({ name: "long", note: repeated(400_000) });
		await outline.search("a");
		const { search } = SearchIndex.prototype;
		let active = 0;
		let most = 0;
		vi.spyOn(SearchIndex.prototype, "search").mockImplementation(function* (this: SearchIndex, ...given) {
			active += 1;
			most = Math.max(most, active);
			const hits = yield* search.apply(this, given);
			active -= 1;
			return hits;
		});
		await Promise.all(Array.from({ length: 30 }, () => outline.search("-a OR a OR b")));
		expect(most).toBe(4);
	});

	test("while tags are listed", async () => {
		const outline = newOutline();
		await outline.create({
			name: "tags",
			note: Array.from({ length: 40_000 }, (_, number) => `#t${number}`).join(" "),
		});
		await outline.search("zz");
		const { turns, longest } = await turnsDuring(() => outline.tags());
		expect(turns).toBeGreaterThan(4);
		expect(longest).toBeLessThan(60);
	});
});

test("loads long texts in small portions", async () => {
	const { storage, reads } = watched();
	const outline = newOutline({ storage });
	for (let made = 0; made < 30; made++) await outline.create({ name: `n${made}`, note: "x".repeat(200_000) });
	reads.length = 0;
	expect(await outline.search("n1")).toHaveLength(11);
	const sizes = reads.flat().flatMap(([{ type }, answer]) => {
		if (type === "changes") return (answer as ChangedSince).nodes.length;
		return type === "related" ? (answer as unknown[]).length : [];
	});
	expect(Math.max(...sizes)).toBeLessThan(5);
	expect(await outline.search("n2")).toHaveLength(11);
});

test("loads short texts in large portions", async () => {
	const { storage, reads } = watched();
	const outline = newOutline({ storage });
	for (let made = 0; made < 3000; made++) await outline.create({ name: `n${made}` });
	reads.length = 0;
	await outline.search("n1", { limit: 200 });
	expect(reads.length).toBeLessThan(12);
});

test("loads the paths of deep hits in small portions", async () => {
	const { storage, reads } = watched();
	const outline = newOutline({ storage });
	interface Nested {
		name: string;
		children: Nested[];
	}
	let top: Nested = { name: "deep", children: [] };
	for (let depth = 1; depth < 1500; depth++) top = { name: "deep", children: [top] };
	await outline.createTree(top);
	await outline.search("zz");
	reads.length = 0;
	const hits = await outline.search("deep", { limit: 200 });
	expect(hits).toHaveLength(200);
	expect(hits[7]!.path.at(-1)).toBe(hits[7]!.node.id);
	for (const read of reads) {
		const lines = read.filter(([{ type }]) => type === "ancestors");
		const ids = lines.reduce((sum, [, answer]) => sum + (answer as string[]).length, 0);
		expect(ids).toBeLessThanOrEqual(2048);
	}
});

test("loads no more of the paths of deep hits than the caller asks for", async () => {
	const { storage, reads } = watched();
	const outline = newOutline({ storage });
	let parent: string | null = null;
	const ids: string[] = [];
	for (let depth = 0; depth < 50; depth++) {
		const { id }: { id: string } = await outline.create({ name: `level ${depth}`, parent });
		ids.push(id);
		parent = id;
	}
	for (let made = 0; made < 20; made++) await outline.create({ name: "leaf", parent });
	await outline.search("zz");
	reads.length = 0;
	const hits = await outline.search("leaf", { ancestors: true, pathLength: 3 });
	expect(hits).toHaveLength(20);
	for (const { node, path, ancestors } of hits) {
		expect(path).toEqual([...ids.slice(-2), node.id]);
		expect(ancestors).toEqual(ids.slice(-2).map((id, at) => ({ id, name: `level ${48 + at}` })));
	}
	const sizes = (wanted: string) =>
		reads.flat().map(([{ type }, answer]) => (type === wanted ? (answer as readonly unknown[]).length : 0));
	expect(Math.max(...sizes("ancestors"))).toBe(3);
	expect(sizes("related").reduce((sum, size) => sum + size)).toBe(22);
	expect((await outline.search("leaf", { pathLength: 1 }))[0]!.path).toHaveLength(1);
});

test("reads no more backlinks, and no more of their paths, than the caller asks for", async () => {
	const { storage, reads } = watched();
	const outline = newOutline({ storage, appUrl: "https://notes.example" });
	const { id } = await outline.create({ name: "target" });
	const link = `<a href="https://notes.example/#/${id.slice(-12)}">x</a>`;
	let parent: string | null = null;
	for (let level = 0; level < 50; level++) parent = (await outline.create({ name: "level", parent })).id;
	const children = Array.from({ length: 9000 }, () => ({ name: link }));
	await outline.createTree({ name: "links", parent, children });
	await outline.search("zz");
	reads.length = 0;
	const hits = await outline.backlinks(id, { limit: 100, pathLength: 3 });
	expect(hits).toHaveLength(100);
	for (const { node, path } of hits) expect(path).toEqual([parent, node.parentId, node.id]);
	const lines = reads.flat().filter(([{ type }]) => type === "ancestors");
	for (const [, answer] of lines) expect(answer).toHaveLength(3);
	expect(lines.length).toBeLessThan(3000);
	expect(await outline.backlinks(id)).toHaveLength(9000);
});

test("loads a hit without its mirrors", async () => {
	const { storage, reads } = watched();
	const { outline, id } = await planted("origin #id", { storage });
	const { id: home } = await outline.create({ name: "home" });
	await outline.batch(Array.from({ length: 50 }, () => ({ type: "mirror", ref: id, parent: home }) as const));
	await outline.search("zz");
	reads.length = 0;
	const [hit] = await outline.search("origin");
	expect(hit).toEqual({ node: await outline.get(id), path: [id], score: expect.any(Number) });
	expect((hit!.node.mirror as { mirrorIds: string[] }).mirrorIds).toHaveLength(50);
	const rows = reads.flat().flatMap(([{ type }, answer]) => (type === "related" ? (answer as unknown[]) : []));
	expect(rows).toHaveLength(0);
	expect(await outline.search("is:mirror origin", { limit: 5 })).toHaveLength(5);
});

test("loads hits and the names above them in one read, each ancestor once, without its mirrors", async () => {
	const { storage, reads } = watched();
	const { outline, top } = await planted("top #top", { storage });
	const { id: home } = await outline.create({ name: "home" });
	await outline.batch(Array.from({ length: 50 }, () => ({ type: "mirror", ref: top, parent: home }) as const));
	const { id: below } = await outline.create({ name: "below", parent: top });
	for (let made = 0; made < 20; made++) await outline.create({ name: "leaf", parent: below });
	await outline.search("zz");
	reads.length = 0;
	const hits = await outline.search("leaf", { ancestors: true });
	expect(hits.map(({ ancestors }) => ancestors)).toEqual(
		hits.map(() => [
			{ id: top, name: "top" },
			{ id: below, name: "below" },
		]),
	);
	const [, ...loading] = reads;
	expect(loading).toHaveLength(1);
	const records = loading.flat().flatMap(([{ type }, answer]) => {
		return type === "related" || type === "node" ? [answer].flat() : [];
	});
	expect(records).toHaveLength(22);
});

describe("while the outline changes", () => {
	/** An outline in which only one node has a word. Each commit moves the word to another node. */
	async function relay(nodes: number) {
		const outline = newOutline();
		const children = Array.from({ length: nodes }, () => ({ name: "common" }));
		const { children: made } = await outline.createTree({ name: "common", children });
		let bearer = 0;
		const pass = async () => {
			const [from, to] = [made[bearer]!.id, made[(bearer + 7) % nodes]!.id];
			bearer = (bearer + 7) % nodes;
			await outline.batch([
				{ type: "update", ref: from, name: "common" },
				{ type: "update", ref: to, name: "token" },
			]);
		};
		await outline.update(made[0]!.id, { name: "token" });
		return { outline, pass };
	}

	test("an interrupted search sees the outline at one revision", async () => {
		const { outline, pass } = await relay(3000);
		// With this query, the search examines all nodes, in many steps.
		const query = "token OR -common";
		const answers: Promise<unknown[]>[] = [];
		for (let round = 0; round < 60; round++) {
			await pass();
			answers.push(outline.search(query));
			if (round % 3 === 0) await new Promise(setImmediate);
		}
		for (const hits of await Promise.all(answers)) expect(hits).toHaveLength(1);
	});

	test("each search sees all earlier writes", async () => {
		const { outline } = await relay(3000);
		for (let round = 0; round < 20; round++) {
			const slow = outline.search("token OR -common");
			const { id } = await outline.create({ name: `fresh${round}` });
			const [hit] = await outline.search(`fresh${round}`);
			expect(hit?.node.id).toBe(id);
			await slow;
		}
	});

	test("searches end even if new ones keep starting", async () => {
		const { outline, pass } = await relay(2000);
		let others = 0;
		let goesOn = true;
		const keepOn = async () => {
			while (goesOn) {
				others += 1;
				await pass();
				await outline.search("token OR -common");
			}
		};
		const running = [keepOn(), keepOn(), keepOn()];
		for (let round = 0; round < 5; round++) expect(await outline.search("token OR -common")).toHaveLength(1);
		goesOn = false;
		await Promise.all(running);
		expect(others).toBeLessThan(60);
	});
});

test("a search that is refused blocks no other search", async () => {
	const { outline, id } = await planted("a #id");
	await outline.search("a", { within: id });
	await outline.delete(id);
	const { id: other } = await outline.create({ name: "b" });
	const results = await Promise.allSettled([
		outline.search("b", { within: id }),
		outline.search("b", { within: other }),
		outline.search("("),
		outline.tags(),
	]);
	expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
});
