/** Measures an outline in a worker, on IndexedDB or on SQLite in the origin private file system. */
import sqlite3InitModule from "@sqlite.org/sqlite-wasm";
import type { StorageAdapter } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { createSqliteStorage } from "outlinekit/sqlite";
import { OutlineContender } from "./contenders/outline.ts";
import { microseconds, microsecondsEach } from "./measure.ts";
import { asDatabase, type WasmDatabase } from "./opfs-database.ts";
import type { Figures, Order } from "./opfs-page.ts";
import { Workload } from "./workload.ts";

/** The functions of SQLite's module that this needs. Its types leave out the first option. */
interface Sqlite {
	installOpfsSAHPoolVfs(options: object): Promise<{ OpfsSAHPoolDb: new (name: string) => WasmDatabase }>;
}

async function opened({ on, wasm }: Order): Promise<{ storage: StorageAdapter; close(): unknown }> {
	if (on === "IndexedDB") return { storage: createIndexedDbStorage("bench"), close() {} };
	const initialize = sqlite3InitModule as unknown as (options: object) => Promise<Sqlite>;
	const sqlite = await initialize({ wasmBinary: wasm, locateFile: (name: string) => name });
	const { OpfsSAHPoolDb } = await sqlite.installOpfsSAHPoolVfs({ initialCapacity: 6 });
	const database = new OpfsSAHPoolDb("/bench.db");
	database.exec("PRAGMA locking_mode = EXCLUSIVE");
	return { storage: createSqliteStorage(asDatabase(database), { outline: "bench" }), close: () => database.close() };
}

const reads = { counted: 9, uncounted: 2, calls: 200 };

async function carryOut(order: Order): Promise<Figures> {
	const workload = new Workload(order.nodes);
	const figures: Figures = {};
	let storage!: Awaited<ReturnType<typeof opened>>;
	let outline!: OutlineContender;
	figures["open to the root's children"] =
		(await microseconds(async () => {
			storage = await opened(order);
			outline = new OutlineContender(storage.storage);
			await outline.list(null);
		})) / 1000;
	if (order.task === "fill") {
		figures["bulk create, µs a node"] = (await microseconds(() => outline.bulkCreate(workload.roots))) / order.nodes;
		const ids = Array.from({ length: 500 }, () => crypto.randomUUID());
		const rounds = { counted: 4, uncounted: 1, calls: 100 };
		figures["create, µs"] = await microsecondsEach(rounds, ids, (id) => {
			const name = `node ${id} that is created`;
			return outline.create({ id, parentId: workload.roots[0]!.id, name, markdown: name, position: "top" });
		});
	} else {
		const count = (reads.counted + reads.uncounted) * reads.calls;
		figures["get, µs"] = await microsecondsEach(reads, workload.nodes(count), (id) => outline.get(id));
		figures["list, µs"] = await microsecondsEach(reads, workload.parents(count), (id) => outline.list(id));
		const words = ["created", "node 77", "is:todo", "nothing at all"];
		figures["first search"] = (await microseconds(() => outline.outline.search(words[0]!))) / 1000;
		figures["next searches"] =
			(await microseconds(async () => {
				for (const each of words) await outline.outline.search(each);
			})) /
			1000 /
			words.length;
	}
	await outline.close();
	storage.close();
	return figures;
}

addEventListener("message", ({ data }) => {
	carryOut(data as Order).then(
		(figures) => postMessage({ figures }),
		(error) => postMessage({ error: String(error?.stack ?? error) }),
	);
});
