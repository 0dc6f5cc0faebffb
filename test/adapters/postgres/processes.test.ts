import { setTimeout } from "node:timers/promises";
import { Outline, type OutlineNode } from "outlinekit";
import { createPostgresStorage } from "outlinekit/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { soak } from "../../setup/soak.js";
import { exported, noon } from "../../support/outline.js";
import { testServer } from "./database.js";
import { type Outcome, Writers } from "./writers.js";

const writerCount = 8;
/** The most attempts of an outline's writer. */
const attemptLimit = 40;

const server = testServer("processes", {});
let writers: Writers;
let count = 0;
beforeAll(async () => {
	writers = await Writers.start(server.connectionString("processes"), writerCount);
});
afterAll(async () => {
	await writers?.stop();
});

function newOutline(name = `outline ${++count}`): { name: string; outline: Outline } {
	const storage = createPostgresStorage(server.pool("processes", { max: 2 }), { outline: name, notify: false });
	const outline = new Outline({ storage, timeZone: "UTC", now: () => noon });
	return { name, outline };
}

/** Fails unless every node is reachable from the top level. */
function assertTree(nodes: readonly OutlineNode[]): void {
	const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
	for (const { id } of nodes) {
		const path = new Set<string>();
		for (let at: string | null = id; at !== null; at = parents.get(at)!) {
			expect(path.has(at), `a cycle through ${at}`).toBe(false);
			expect(parents.has(at), `the parent ${at}`).toBe(true);
			path.add(at);
		}
	}
	const places = nodes.map(({ parentId, priority }) => `${parentId} ${priority}`);
	expect(new Set(places).size).toBe(places.length);
}

const calendarNames = ["Calendar", "2026", "November", '<time datetime="2026-11-21">Sat, Nov 21, 2026</time>', "Inbox"];
const written = (nodes: readonly OutlineNode[]) =>
	nodes.map(({ name }) => name).filter((name) => !calendarNames.includes(name));
const all = <K extends "made" | "refused">(outcomes: readonly Outcome[], what: K) =>
	outcomes.flatMap((outcome) => outcome[what]);

describe(`${writerCount} processes`, () => {
	test.each([
		["read committed", ""],
		["serializable", "-c default_transaction_isolation=serializable"],
	])(
		"that create in one outline lose nothing and store nothing twice, with transactions that are %s",
		async (_, options) => {
			const { name, outline } = newOutline();
			const outcomes = await writers.work(() => ({ work: "create", outline: name, count: 15 * soak, options }));
			expect(all(outcomes, "refused")).toEqual([]);
			const nodes = await exported(outline);
			expect(written(nodes).sort()).toEqual([...all(outcomes, "made")].sort());
			expect(nodes).toHaveLength(writerCount * 15 * soak);
			assertTree(nodes);
			for (const { attempts } of outcomes) expect(Math.max(...attempts)).toBeLessThan(attemptLimit);
		},
	);

	test("that write to separate outlines don't disturb each other", async () => {
		const names = Array.from({ length: writerCount }, () => newOutline());
		const outcomes = await writers.work((writer) => ({ work: "all", outline: names[writer]!.name, count: 15 * soak }));
		expect(all(outcomes, "refused")).toEqual([]);
		for (const { attempts } of outcomes) expect(Math.max(...attempts)).toBe(1);
		for (const [writer, { outline }] of names.entries()) {
			const nodes = await exported(outline);
			expect(written(nodes).sort()).toEqual([...outcomes[writer]!.made].sort());
			assertTree(nodes);
		}
	});

	test.each([
		["the server is restarted", () => server.restart(), 2],
		["all connections are killed", () => server.killConnections(), 6],
	])("lose nothing and store nothing twice while %s, several times", async (_, disturb, times) => {
		const shared = newOutline();
		const own = Array.from({ length: writerCount / 2 }, () => newOutline());
		// They continue as long as the disturbances, however fast the machine is.
		const outcomes: Outcome[] = [];
		let disturbances = 0;
		await Promise.all([
			(async () => {
				for (; disturbances < times * soak; disturbances++) {
					await setTimeout(100 + 100 * Math.random());
					await disturb();
				}
			})(),
			(async () => {
				while (disturbances < times * soak) {
					const round = await writers.work((writer) => {
						const { name } = writer % 2 === 0 ? shared : own[(writer - 1) / 2]!;
						return { work: "all", outline: name, count: 10 };
					});
					outcomes.push(...round);
				}
			})(),
		]);
		expect(all(outcomes, "refused")).toEqual([]);
		for (const [place, { outline }] of [shared, ...own].entries()) {
			const nodes = await exported(outline);
			const made = outcomes.filter((_, number) => {
				const writer = number % writerCount;
				return place === 0 ? writer % 2 === 0 : writer === place * 2 - 1;
			});
			expect(written(nodes).sort()).toEqual([...all(made, "made")].sort());
			assertTree(nodes);
			expect((await outline.list("today")).nodes.length).toBeGreaterThan(0);
		}
	});
});
