import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const examples = join(root, "examples");
const table = readFileSync(join(examples, "README.md"), "utf8");

/** The paths that files import or load: modules, style sheets, pages and workers. */
const paths = /(?:from|import|require|URL|path|src|href)\s*(?:=|\()?\s*["'](\.{1,2}\/[^"']+)["']/g;

/** Where the paths in a file lead, from the project's folder on. */
function pathsIn(file: string): string[] {
	return Array.from(readFileSync(join(examples, file), "utf8").matchAll(paths), ([, path]) =>
		relative(root, join(examples, dirname(file), path!)),
	);
}

describe("the examples", () => {
	test("are exactly the folders in their table", () => {
		const rows = Array.from(table.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \| [^|]+ \| [^|]+ \|$/gm));
		for (const [, name, address] of rows) expect(address).toBe(name);
		const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
		expect(rows.map(([, name]) => name).sort()).toEqual(folders.map(({ name }) => name).sort());
	});

	test("are run by commands whose files are there", () => {
		const files = Array.from(table.matchAll(/\bnpx (?:tsx|vite|vitest run) (\w+\/[^\s`]+)/g), ([, file]) => file!);
		expect(files.length).toBeGreaterThan(5);
		expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
	});

	test("import no file of the package by a path", () => {
		const files = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter(
			(file) => /\.(?:[cm]?[jt]sx?|html|css)$/.test(file) && !file.split(sep).includes("dist"),
		);
		const imports = files.flatMap((file) => pathsIn(file).map((path) => ({ file, path })));
		expect(imports.length).toBeGreaterThan(100);
		expect(imports.filter(({ path }) => /^(?:src|adapters|test)(?:[/\\]|$)/.test(path))).toEqual([]);
	});
});
