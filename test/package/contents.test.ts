import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installed, root } from "./project.js";

const read = (path: string) => readFileSync(join(installed, path), "utf8");
const filesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) =>
			join(entry.parentPath, entry.name)
				.slice(folder.length + 1)
				.replaceAll("\\", "/"),
		)
		.sort();
const files = filesIn(installed);
const { exports } = JSON.parse(read("package.json")) as { exports: Record<string, string | Record<string, string>> };
const entries = Object.values(exports).flatMap((targets) =>
	typeof targets === "string" ? [] : Object.values(targets).map((target) => target.slice("./".length)),
);

/** What a file of the package imports of it, by name or when it is run. */
function importsOf(file: string): string[] {
	const paths = read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']\.\/([^"']+)["']/g);
	return Array.from(paths, ([, path]) => `dist/${file.endsWith(".d.ts") ? path!.replace(/\.js$/, ".d.ts") : path}`);
}

test("every entry point has its module and its types", () => {
	expect(entries.length).toBeGreaterThan(15);
	expect(entries.filter((file) => !existsSync(join(installed, file)))).toEqual([]);
});

test("what is built is the entry points and what they import, and nothing else", () => {
	const reached = new Set<string>();
	const reach = (file: string) => {
		if (reached.has(file)) return;
		reached.add(file);
		importsOf(file).forEach(reach);
	};
	entries.forEach(reach);
	const built = files.filter((file) => file.startsWith("dist/") && !file.endsWith(".map"));
	expect([...reached].sort()).toEqual(built);
});

test("beside it the package has its documents, and maps that bring their sources along", () => {
	const documents = filesIn(join(root, "docs")).map((name) => `docs/${name}`);
	expect(files.filter((file) => !file.startsWith("dist/"))).toEqual(
		["CHANGELOG.md", "LICENSE", "README.md", ...documents, "package.json"].sort(),
	);
	const maps = files.filter((file) => file.endsWith(".map"));
	expect(maps.length).toBeGreaterThan(10);
	for (const map of maps) {
		const { sources, sourcesContent } = JSON.parse(read(map)) as { sources: string[]; sourcesContent?: unknown[] };
		expect(sourcesContent?.filter((source) => typeof source === "string").length, map).toBe(sources.length);
	}
});
