// Run it with: npx tsx examples/import-opml/main.ts

import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Outline } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { createMemoryStorage } from "outlinekit/memory";
import { importOpml } from "./import.ts";
import { linesOf } from "./lines.ts";

const usage = `npx tsx examples/import-opml/main.ts [options] [file.opml ...]

Imports what another outliner has exported as OPML (or samples of WorkFlowy, Dynalist and OmniOutliner), and says what came
over and what was lost.
  --into FILE  an outline file to keep it in; without it, nothing is kept
  --show       prints what came over, as Markdown`;

const samples = ["workflowy", "dynalist", "omnioutliner"].map((name) =>
	fileURLToPath(new URL(`samples/${name}.opml`, import.meta.url)),
);

try {
	const { values, positionals } = parseArgs({
		options: { into: { type: "string" }, show: { type: "boolean" }, help: { type: "boolean" } },
		allowPositionals: true,
	});
	if (values.help) {
		console.log(usage);
		process.exit(0);
	}
	const storage = values.into === undefined ? createMemoryStorage() : createFileStorage(values.into);
	const outline = new Outline({ storage });
	try {
		for (const path of positionals.length > 0 ? positionals : samples) {
			const report = await importOpml(outline, createReadStream(path));
			console.log(linesOf(basename(path), report).join("\n"));
			if (values.show) await print(outline, report.rootIds);
		}
	} finally {
		await outline.close();
	}
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}

async function print(outline: Outline, rootIds: readonly string[]): Promise<void> {
	for (const root of rootIds) {
		for await (const piece of outline.exportAs("markdown", { root })) process.stdout.write(piece);
	}
}
