import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import type { NodeRecord, StoredNode } from "../../../src/storage.js";
import { scanned } from "../../conformance/ledger.js";
import { soak } from "../../setup/soak.js";
import { type Child, standaloneProgram } from "../../support/program.js";
import { turns } from "../../support/turns.js";
import { describeClients, type SqliteClient } from "./clients.js";

const program = standaloneProgram("test/adapters/sqlite/outline-program.ts");

/** A running process. */
interface Worker {
	readonly child: Child;
	/** Its lines of output. */
	readonly said: string[];
	/** Resolves when its output has ended. */
	readonly heard: Promise<void>;
}

async function startWorkers(commands: readonly (readonly string[])[]): Promise<Worker[]> {
	const workers = commands.map((args): { child: Child; said: string[] } => ({ child: program.start(args), said: [] }));
	for (const { child } of workers) expect(await child.line()).toBe("ready");
	return workers.map(({ child, said }) => {
		const heard = (async () => {
			for (let line = await child.line(); line !== undefined; line = await child.line()) said.push(line);
		})();
		return { child, said, heard };
	});
}

/** Runs processes to their end. Resolves with the output of each. */
async function finished(commands: readonly (readonly string[])[]): Promise<string[][]> {
	const workers = await startWorkers(commands);
	for (const { child, heard } of workers) {
		await heard;
		expect(await child.ended).toMatchObject({ code: 0, errors: "" });
	}
	return workers.map(({ said }) => said);
}

/** Returns every node of an outline in a file. The database and the outline must be sound. */
async function soundNodes(client: SqliteClient, path: string, outline: string): Promise<StoredNode[]> {
	const database = client.open(path);
	// Other processes may be closing the file now.
	database.exec("PRAGMA busy_timeout = 20000");
	expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
	const storage = createSqliteStorage(database, { outline });
	const found = await scanned(storage);
	const { revision } = await storage.read([]);
	// Only now: a killed process may have left a durable commit with parts, and the first read completes it.
	const dangling = database
		.prepare(`SELECT key FROM outlinekit_keys k WHERE node_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM outlinekit_nodes n
			WHERE n.outline = k.outline AND n.id = k.node_id AND NOT n.deleted)`)
		.all();
	expect(dangling).toEqual([]);
	await storage.close();
	const nodes = new Map(found.map(({ record }) => [record.id, record]));
	expect(nodes.size).toBe(found.length);
	expect(new Set(found.map(({ record }) => record.id.slice(-12))).size).toBe(found.length);
	expect(new Set(found.map(({ record }) => `${record.parentId} ${record.priority}`)).size).toBe(found.length);
	for (const { record, mirrorIds } of found) {
		expect(record.revision).toBeLessThanOrEqual(revision);
		expect(levels(record, nodes)).toBeLessThanOrEqual(found.length);
		const mirrors = found.filter((other) => other.record.originId === record.id);
		expect(mirrorIds).toEqual(mirrors.map((mirror) => mirror.record.id).sort());
	}
	return found;
}

/** The depth of a node. Infinite if it is in a cycle, or not reachable. */
function levels(record: NodeRecord, nodes: ReadonlyMap<string, NodeRecord>): number {
	let level = 1;
	for (let { parentId } = record; parentId !== null; level++) {
		const parent = nodes.get(parentId);
		if (parent === undefined || level > nodes.size) return Number.POSITIVE_INFINITY;
		({ parentId } = parent);
	}
	return level;
}

function namesOf(nodes: readonly StoredNode[]): string[] {
	return nodes.map(({ record }) => record.name);
}

const timeout = 120_000 * soak;

describeClients(
	"several processes on one file",
	(client) => {
		it("write one outline and more at the same time, and nothing is lost or stored twice", async () => {
			const path = client.path();
			const count = 12 * soak;
			const command = (outline: string, who: string) => [client.name, path, outline, "create", who, String(count)];
			const shared = ["ann", "bob", "cem", "dan"];
			const apart = ["eve", "fay"];
			const said = await finished([
				...shared.map((who) => command("shared", who)),
				...apart.map((who) => command(`of ${who}`, who)),
			]);
			const expected = (who: string) => Array.from({ length: count }, (_, number) => `${who} ${number}`);
			expect(said).toEqual([...shared, ...apart].map(expected));
			const calendar = [
				...["Inbox", "Calendar", "2026", "November", "2027", "February"],
				'<time datetime="2026-11-21">Sat, Nov 21, 2026</time>',
				'<time datetime="2027-02-28">Sun, Feb 28, 2027</time>',
			];
			const together = await soundNodes(client, path, "shared");
			expect(namesOf(together).sort()).toEqual([...calendar, ...shared.flatMap(expected)].sort());
			for (const who of apart) {
				const alone = await soundNodes(client, path, `of ${who}`);
				expect(namesOf(alone).sort()).toEqual([...calendar, ...expected(who)].sort());
			}
		});

		it("open an empty one at the same moment, twenty connections at once, and all of them work", async () => {
			const workers = await startWorkers(Array.from({ length: 4 }, () => [client.name, "", "opened", "open", "5"]));
			for (let round = 1; round <= Math.min(4 * soak, 200); round++) {
				const path = client.path();
				for (const { child } of workers) child.tell(`${Date.now() + 10} ${path}`);
				await expect
					.poll(() => workers.every(({ said }) => said.length === round), { timeout: 20_000, interval: 5 })
					.toBe(true);
				for (const { said } of workers) expect(said.at(-1)).toBe("done done done done done");
				const names = namesOf(await soundNodes(client, path, "opened"));
				expect(names.filter((name) => name === "opened")).toHaveLength(20);
				expect(names).toHaveLength(24);
			}
		});

		it("only see whole commits of each other, however many queries a read has", async () => {
			const path = client.path();
			const [writer] = await startWorkers([[client.name, path, "renamed", "rename", String(400 * soak)]]);
			await expect.poll(() => writer!.said, { timeout: 20_000, interval: 1 }).toEqual(["begun"]);
			const storage = createSqliteStorage(client.open(path), { outline: "renamed" });
			const seen = new Set<number>();
			for (let over = false; !over; ) {
				// Once more after the end.
				over = writer!.child.process.exitCode !== null;
				const { revision, results } = await storage.read([
					{ type: "node", at: { key: "current" } },
					{ type: "children", of: null, scope: "own" },
					{ type: "changes", since: 0, limit: 1_000 },
					{ type: "children", of: null, scope: "own", limit: 3, fromLast: true },
				]);
				const [current, all, changed, last] = results;
				const records = [...all, ...last, current!].map(({ record }) => record);
				const names = new Set([...records, ...changed.nodes].map((record) => record.name));
				expect([...names]).toEqual([String(revision)]);
				expect(current?.record.priority).toBe(revision % 100);
				expect([all.length, changed.nodes.length, changed.revision]).toEqual([100, 100, revision]);
				seen.add(revision);
				await turns();
			}
			expect(Math.max(...seen)).toBe(400 * soak);
			expect(seen.size).toBeGreaterThan(10);
		});

		it.each(["at once", "in parts"])(
			"that are killed, with commits written %s, leave all acknowledged commits and nothing else",
			async (way) => {
				const path = client.path();
				const writers = ["ann", "bob", "cem"];
				const counts = new Map(writers.map((who) => [who, 0]));
				for (let round = 0; round < 4 * soak; round++) {
					const workers = await startWorkers(
						writers.map((who, place) => {
							const seed = String(round * writers.length + place + 1);
							return [`${client.name}, ${way}`, path, "killed", "endless", who, String(counts.get(who)), seed];
						}),
					);
					for (const { said } of workers) {
						await expect.poll(() => said.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
					}
					for (const { child } of workers) {
						await pause(Math.random() * 100);
						await child.kill();
					}
					for (const { heard } of workers) await heard;
					const names = new Set(namesOf(await soundNodes(client, path, "killed")));
					for (const [place, who] of writers.entries()) {
						const first = counts.get(who)!;
						const { said } = workers[place]!;
						expect(said).toEqual(said.map((_, number) => String(first + number)));
						let count = 0;
						while (names.has(`${who} ${count}`)) count += 1;
						expect(count).toBeGreaterThanOrEqual(first + said.length);
						expect(count).toBeLessThanOrEqual(first + said.length + 1);
						expect([...names].filter((name) => name.startsWith(who))).toHaveLength(count);
						counts.set(who, count);
					}
				}
			},
		);

		it("end on their own although they watch", async () => {
			expect(await finished([[client.name, client.path(), "watched", "watch"]])).toEqual([["done"]]);
		});
	},
	timeout,
);
