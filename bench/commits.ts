import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import Libsql from "libsql";
import { Outline, type StorageAdapter } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { createPostgresStorage, postgresSchema } from "outlinekit/postgres";
import { createSqliteStorage } from "outlinekit/sqlite";
import { browserPath } from "../scripts/browser.js";
import { TestBrowser } from "../test/browser/browser.ts";
import { PostgresServer } from "../test/postgres/server.ts";
import type * as page from "./indexeddb-page.ts";

/**
 * How many nodes a second are created one by one, each in a commit of its own that is waited for, beside the bare store
 * doing the same writes. Rounds of the two take turns in one process; a figure is the median of the rounds.
 */

const rounds = 9;

/** Two ways to write the same: through an outline, and without it. Each gives its writes a second. */
interface Contest {
	readonly name: string;
	outline(): Promise<number>;
	raw(): Promise<number>;
	end(): Promise<void>;
}

const directory = mkdtempSync(join(tmpdir(), "outlinekit-bench-"));
const nodeName = (number: number) => `node ${number} of those that are created`.padEnd(40, "x");

const newOutline = (storage: StorageAdapter) => new Outline({ storage, timeZone: "UTC" });

let made = 0;

/** Creates so many nodes through an outline, and gives how many that makes a second. */
function creates(count: number, outline: Outline): () => Promise<number> {
	return () => rate(count, () => outline.create({ name: nodeName(++made) }));
}

/** Does so many writes, each waited for, and gives how many that makes a second. */
async function rate(count: number, write: (number: number) => Promise<unknown> | unknown): Promise<number> {
	const started = performance.now();
	for (let number = 0; number < count; number++) await write(++made);
	return (count * 1000) / (performance.now() - started);
}

async function file(): Promise<Contest> {
	const outline = newOutline(createFileStorage(join(directory, "outline.jsonl")));
	const raw = await open(join(directory, "raw.jsonl"), "a");
	const shape = { crc32: "01234567", revision: 100_000, flush: 100_000 };
	return {
		name: "file, beside write and fdatasync of a line as long",
		outline: creates(200, outline),
		raw: () =>
			rate(200, async (number) => {
				const node = { id: randomUUID(), priority: -(2 ** 20) * number, name: nodeName(number) };
				const line = { ...shape, nodes: [{ ...node, createdAt: 1_795_219_200, modifiedAt: 1_795_219_200 }] };
				await raw.write(`${JSON.stringify(line)}\n`);
				await raw.datasync();
			}),
		end: async () => {
			await outline.close();
			await raw.close();
		},
	};
}

function sqlite(synchronous: "full" | "normal"): Contest {
	const count = synchronous === "full" ? 200 : 1000;
	const database = new Libsql(join(directory, `outline-${synchronous}.db`));
	const outline = newOutline(createSqliteStorage(database, { synchronous }));
	const bare = new Libsql(join(directory, `raw-${synchronous}.db`));
	// The same tables, made by a storage that isn't used any further.
	const twin = newOutline(createSqliteStorage(bare, { synchronous }));
	const prepared = async () => {
		await twin.list();
		return [
			"BEGIN IMMEDIATE",
			`INSERT INTO outlinekit_nodes (outline, id, short_id, parent_id, priority, name, note, layout_mode, created_at,
				modified_at, completed_at, origin_id, revision, deleted) VALUES (1, ?, ?, NULL, ?, ?, NULL, 'bullets', ?, ?, NULL, NULL, ?, 0)`,
			"UPDATE outlinekit_outlines SET revision = ? WHERE outline = 1",
			"COMMIT",
		].map((sql) => bare.prepare<unknown[]>(sql));
	};
	let statements: Awaited<ReturnType<typeof prepared>> | undefined;
	return {
		name: `SQLite (libsql), synchronous = ${synchronous}, beside the same statements`,
		outline: creates(count, outline),
		raw: () =>
			rate(count, async (number) => {
				statements ??= await prepared();
				const [begin, insert, advance, commit] = statements;
				const id = randomUUID();
				begin!.run();
				insert!.run(id, id.slice(-12), -(2 ** 20) * number, nodeName(number), 1_795_219_200, 1_795_219_200, number);
				advance!.run(number);
				commit!.run();
			}),
		end: async () => {
			database.close();
			bare.close();
		},
	};
}

/** Beside the same writes in a transaction, as one does it by hand, or beside a lone INSERT, which keeps no revision. */
async function postgres(beside: "the same statements" | "one INSERT of the row alone"): Promise<Contest> {
	const server = new PostgresServer();
	await server.start();
	for (const name of ["outline", "raw"]) await server.createDatabase(name);
	const bare = server.pool("raw", { max: 1 });
	for (const statement of postgresSchema()) await bare.query(statement);
	await bare.query("INSERT INTO outlinekit_outlines (outline, revision, commits) VALUES ('raw', 0, '')");
	const outline = newOutline(createPostgresStorage(server.pool("outline"), { outline: "measured" }));
	const insert = (number: number) => {
		const id = randomUUID();
		return bare.query({
			name: "insert",
			text: `INSERT INTO outlinekit_nodes (outline, id, short_id, parent_id, priority, name, note, layout_mode, created_at,
					modified_at, completed_at, origin_id, revision, deleted)
				VALUES ('raw', $1, $2, NULL, $3, $4, NULL, 'bullets', $5, $5, NULL, NULL, $6, false)`,
			values: [id, id.slice(-12), -(2 ** 20) * number, nodeName(number), 1_795_219_200, number],
		});
	};
	const update = "UPDATE outlinekit_outlines SET revision = revision + 1 WHERE outline = 'raw'";
	const transaction = async (number: number) => {
		await bare.query("BEGIN");
		await bare.query({ name: "update", text: update });
		await insert(number);
		await bare.query("COMMIT");
	};
	return {
		name: `PostgreSQL, beside ${beside}`,
		outline: creates(200, outline),
		raw: () => rate(200, beside === "the same statements" ? transaction : insert),
		end: async () => {
			await outline.close();
			await server.stop();
		},
	};
}

async function indexedDb(durability: "strict" | "relaxed"): Promise<Contest> {
	process.env.OUTLINE_BROWSER = await browserPath();
	const browser = new TestBrowser<typeof page>(new URL("./indexeddb-page.ts", import.meta.url));
	await browser.start();
	const tab = await browser.open();
	return {
		name: `IndexedDB in Chromium, ${durability}, beside idb and a record for each node`,
		outline: () => tab.call("throughOutline", durability, 200),
		raw: () => tab.call("throughIdb", durability, 200),
		end: () => browser.close(),
	};
}

function median(values: readonly number[]): number {
	return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

async function hold({ name, outline, raw, end }: Contest): Promise<string> {
	const rates: { outline: number; raw: number }[] = [];
	// The first round of each is for the compiler, and isn't counted.
	for (let round = -1; round < rounds; round++) {
		const both = { outline: await outline(), raw: await raw() };
		if (round >= 0) rates.push(both);
	}
	await end();
	const ours = median(rates.map((each) => each.outline));
	const bare = median(rates.map((each) => each.raw));
	const ratio = median(rates.map((each) => each.outline / each.raw));
	return `| ${name} | ${Math.round(ours)} | ${Math.round(bare)} | ${ratio.toFixed(2)}x |`;
}

console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; medians of ${rounds} rounds\n`);
console.log("| storage | creates a second | of the bare store | ratio |\n|---|---|---|---|");
const contests = [
	file,
	() => sqlite("full"),
	() => sqlite("normal"),
	() => postgres("the same statements"),
	() => postgres("one INSERT of the row alone"),
	() => indexedDb("strict"),
	() => indexedDb("relaxed"),
];
for (const contest of contests) console.log(await hold(await contest()));
rmSync(directory, { recursive: true, force: true });
