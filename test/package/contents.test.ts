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
const { exports, bin } = JSON.parse(read("package.json")) as {
	exports: Record<string, string | Record<string, string>>;
	bin: Record<string, string>;
};
const entries = Object.values(exports).flatMap((targets) =>
	typeof targets === "string" ? [] : Object.values(targets).map((target) => target.slice("./".length)),
);

/** The imports of a file of the package from the package, static and dynamic. */
function importsOf(file: string): string[] {
	const paths = read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']\.\/([^"']+)["']/g);
	return Array.from(paths, ([, path]) => `dist/${file.endsWith(".d.ts") ? path!.replace(/\.js$/, ".d.ts") : path}`);
}

test("every entry point has its module and its types", () => {
	expect(entries.length).toBeGreaterThan(15);
	expect(entries.filter((file) => !existsSync(join(installed, file)))).toEqual([]);
});

test("the build has only the entry points and their imports", () => {
	const reached = new Set<string>();
	const reach = (file: string) => {
		if (reached.has(file)) return;
		reached.add(file);
		importsOf(file).forEach(reach);
	};
	[...entries, ...Object.values(bin)].forEach(reach);
	const built = files.filter((file) => file.startsWith("dist/") && !file.endsWith(".map"));
	expect([...reached].sort()).toEqual(built);
});

test("beside it the package has its documents and its sources, to which the maps lead", () => {
	const below = (folder: string) => filesIn(join(root, folder)).map((name) => `${folder}/${name}`);
	const isOutliner = (file: string) => file.startsWith("examples/outliner/dist/");
	expect(files.filter((file) => !file.startsWith("dist/") && !isOutliner(file))).toEqual(
		[
			...[
				"AGENTS.md",
				"CHANGELOG.md",
				"LICENSE",
				"README.md",
				"SECURITY.md",
				"package.json",
				"test/model/naive-records.ts",
			],
			...["docs", "src", "adapters", "bindings", "test/conformance"].flatMap(below),
		].sort(),
	);
	const maps = files.filter((file) => file.endsWith(".map"));
	expect(maps.length).toBeGreaterThan(10);
	for (const map of maps) {
		const { sources } = JSON.parse(read(map)) as { sources: string[] };
		for (const source of sources)
			expect(existsSync(join(installed, map, "..", source)), `${map}: ${source}`).toBe(true);
	}
	// Nobody steps into the program.
	const built = files.filter((file) => /^dist\/(?!cli\b).*\.(js|d\.ts)$/.test(file));
	expect(built.filter((file) => !maps.includes(`${file}.map`))).toEqual([]);
});

test("the declarations show nothing that is internal", () => {
	const internal =
		/\b(IdSource|RunOperation|Uncommitted|Changes|Call|Prepared|ScopeHost|NamedNodes|Settings|Steps|ResidentStorage|FileJournal)\b/;
	for (const file of files.filter((name) => name.endsWith(".d.ts"))) {
		const code = read(file).replace(/\/\*[\s\S]*?\*\//g, "");
		expect(internal.exec(code)?.[0], file).toBeUndefined();
	}
});
