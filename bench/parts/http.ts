import { withDirectory } from "../directory.ts";
import { fresh, runs } from "../fresh.ts";
import type { Extent } from "../part.ts";
import type { Table } from "../report.ts";
import type { HttpResult } from "../scenes/http.ts";
import type { HttpExportResult } from "../scenes/http-export.ts";

/** The server of `npm start` beside one that only parses and answers JSON, and appends what it creates to a file. */
export async function* measure({ full }: Extent): AsyncIterable<Table> {
	const results: HttpResult[] = [];
	for (let run = 0; run < runs; run++) results.push(await fresh<HttpResult>("http", {}));
	yield {
		key: "http",
		title: "HTTP, 32 connections",
		unit: "answers a second",
		base: "bare node:http",
		ours: "npm start",
		rows: (
			[
				["get", 0.75],
				["create", 0.85],
			] as const
		).map(([name, ratio]) => ({
			name,
			ours: results.map((result) => result[name].ours),
			base: results.map((result) => result[name].base),
			goal: { ratio, atLeast: true },
		})),
	};
	const nodes = full ? 1_000_000 : 100_000;
	const exports = await withDirectory(async (directory) => {
		await fresh("fill", { contender: "outline-file:compact", nodes, directory });
		const measured: HttpExportResult[] = [];
		for (let run = 0; run < runs; run++) measured.push(await fresh<HttpExportResult>("http-export", { directory }));
		return measured;
	});
	yield {
		key: `http export ${nodes}`,
		title: `HTTP, export of ${nodes.toLocaleString("en")} nodes`,
		unit: "",
		base: "",
		ours: "npm start",
		rows: [
			{ name: "first byte, ms", ours: exports.map(({ first }) => first), limit: 50 },
			{ name: "last byte, ms", ours: exports.map(({ last }) => last) },
			{ name: "the server grows by, MB", ours: exports.map(({ growth }) => growth / 1e6), limit: 64 },
			{ name: "length, MB", ours: exports.map(({ bytes }) => bytes / 1e6) },
		],
	};
}
