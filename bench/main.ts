import { statfsSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { compareWithBaseline, saveBaseline } from "./baseline.ts";
import type { Part } from "./part.ts";
import { isMet, markdownOf, type Table } from "./report.ts";

/**
 * The parts that take minutes, and the additional parts of `--full`: large sizes, the browser and the
 * servers.
 */
const parts = ["memory", "file", "sqlite", "peers", "markup", "search"];
const furtherParts = ["sync", "scaling", "indexeddb", "outliner", "http", "postgres", "opfs", "day"];

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { full: { type: "boolean" }, save: { type: "boolean" }, compare: { type: "boolean" } },
});
const { full = false, save = false, compare = false } = values;
const unknown = positionals.find((name) => ![...parts, ...furtherParts].includes(name));
if (unknown !== undefined) {
	console.error(`There is no part ${unknown}. The parts are ${[...parts, ...furtherParts].join(", ")}.`);
	process.exit(2);
}
const chosen = positionals.length > 0 ? positionals : full ? [...parts, ...furtherParts] : parts;

console.log(`Node ${process.version}, ${process.platform}, ${cpus().length} x ${cpus()[0]?.model.trim()}\n`);
const tmpfs = 0x01021994;
if (statfsSync(tmpdir()).type === tmpfs) {
	console.log(`${tmpdir()} is in memory, where fdatasync costs nothing. Name a directory on a disk: TMPDIR=…\n`);
}
const tables: Table[] = [];
for (const name of chosen) {
	const { measure } = (await import(`./parts/${name}.ts`)) as Part;
	try {
		for await (const table of measure({ full })) {
			tables.push(table);
			console.log(`${markdownOf(table)}\n`);
		}
	} catch (error) {
		console.error(error);
		console.log(`The part ${name} could not be measured: ${(error as Error).message}\n`);
		process.exitCode = 1;
	}
}
const verdicts = tables.flatMap(({ rows }) => rows.map(isMet)).filter((met) => met !== undefined);
console.log(`${verdicts.filter((met) => met).length} of ${verdicts.length} goals are met.`);
if (compare) console.log(`\n${compareWithBaseline(tables)}`);
if (save) saveBaseline(tables);
