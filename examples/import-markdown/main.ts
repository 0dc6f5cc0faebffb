import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { Outline } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { createMemoryStorage } from "outlinekit/memory";
import { importMarkdown, treeLines } from "./import.ts";
import { inProcess, overHttp } from "./target.ts";

const usage = `npm run example:import -- [options] [file.md]

Imports a Markdown file (or the sample beside this program) and prints the tree.
  --into FILE     an outline file to keep it in; without it, it is only shown
  --url ADDRESS   a server to send it to, such as http://127.0.0.1:3000
  --key KEY       the server's API key`;

try {
	const { values, positionals } = parseArgs({
		options: { into: { type: "string" }, url: { type: "string" }, key: { type: "string" }, help: { type: "boolean" } },
		allowPositionals: true,
	});
	if (values.help) {
		console.log(usage);
		process.exit(0);
	}

	const path = positionals[0] ?? new URL("awesome.md", import.meta.url);
	const storage = values.into === undefined ? createMemoryStorage() : createFileStorage(values.into);
	const outline = new Outline({ storage });
	const target = values.url === undefined ? inProcess(outline) : overHttp(values.url, values.key ?? "");

	const started = performance.now();
	const title = basename(String(path));
	const root = await importMarkdown(target, title, await readFile(path, "utf8"));
	const seconds = (performance.now() - started) / 1000;

	let count = 1;
	console.log(title);
	for await (const line of treeLines(target, root)) {
		count += 1;
		console.log(line);
	}
	console.error(`${count} nodes imported in ${seconds.toFixed(2)} s.`);
	await outline.close();
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
