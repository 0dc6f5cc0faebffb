import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../../scripts/install.js";
import { PageBrowser } from "../../test/browser/browser.ts";
import { browserPath } from "../../test/setup/browser.ts";
import { runs } from "../fresh.ts";
import type * as page from "../opfs-page.ts";
import type { Figures, Order } from "../opfs-page.ts";
import type { Table } from "../report.ts";

/**
 * An outline in a worker of Chromium: on SQLite in the origin private file system, compared with IndexedDB. Each
 * task has a browser with a profile of its own, and a worker of its own.
 */
export async function* measure(): AsyncIterable<Table> {
	process.env.OUTLINE_BROWSER = await browserPath();
	const modules = join(root, "bench/node_modules");
	const { outputFiles } = await build({
		entryPoints: [join(root, "bench/opfs-worker.ts")],
		bundle: true,
		write: false,
		format: "esm",
		target: "es2023",
		nodePaths: [modules],
		// Without it, some code would need a document.
		conditions: ["worker"],
		tsconfig: join(root, "tsconfig.json"),
		logLevel: "error",
	});
	const wasm = await readFile(join(modules, "@sqlite.org/sqlite-wasm/dist/sqlite3.wasm"), "base64");
	for (const nodes of [10_000, 100_000]) {
		const figures = { IndexedDB: [] as Figures[], OPFS: [] as Figures[] };
		for (let run = 0; run < runs; run++) {
			for (const on of ["IndexedDB", "OPFS"] as const) {
				figures[on].push(await measureOnce(outputFiles[0]!.text, wasm, { on, nodes }));
			}
		}
		yield {
			key: `opfs-${nodes}`,
			title: `A worker of Chromium, ${nodes.toLocaleString("en")} nodes`,
			unit: "ms, unless said otherwise",
			base: "IndexedDB",
			ours: "SQLite on OPFS",
			rows: Object.keys(figures.OPFS[0]!).map((name) => ({
				name,
				base: figures.IndexedDB.map((each) => each[name]!),
				ours: figures.OPFS.map((each) => each[name]!),
			})),
		};
	}
}

async function measureOnce(code: string, wasm: string, order: Pick<Order, "on" | "nodes">): Promise<Figures> {
	const browser = new PageBrowser<typeof page>(new URL("../opfs-page.ts", import.meta.url));
	try {
		await browser.start();
		const filled = await (await browser.open()).call("inWorker", code, wasm, { ...order, task: "fill" });
		const read = await (await browser.open()).call("inWorker", code, wasm, { ...order, task: "read" });
		const { "open to the root's children": firstOpen, ...written } = filled;
		return { "open an empty outline": firstOpen!, ...written, ...read };
	} finally {
		await browser.close();
	}
}
