import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
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

test("the build has only the entry points and their imports, and no maps of sources", () => {
	const reached = new Set<string>();
	const reach = (file: string) => {
		if (reached.has(file)) return;
		reached.add(file);
		importsOf(file).forEach(reach);
	};
	[...entries, ...Object.values(bin)].forEach(reach);
	expect([...reached].sort()).toEqual(files.filter((file) => file.startsWith("dist/")));
});

test("the module of the search doesn't load the Markdown parser", () => {
	const loaded = new Set<string>();
	const load = (file: string) => {
		if (loaded.has(file)) return;
		loaded.add(file);
		for (const [, path] of read(file).matchAll(/\bfrom ["']\.\/([^"']+)["']/g)) load(`dist/${path}`);
	};
	const parsers = () => [...loaded].filter((file) => read(file).includes("mdast-util-from-markdown"));
	load(files.find((file) => file.startsWith("dist/outline-search-"))!);
	expect(loaded.size).toBeGreaterThan(5);
	expect(parsers()).toEqual([]);
	load("dist/markup.js");
	expect(parsers()).toHaveLength(1);
});

test("beside it the package has its documents, and the outliner", () => {
	const isOutliner = (file: string) => file.startsWith("examples/outliner/dist/");
	// Only the README shows the film, by its address in the repository.
	const documents = filesIn(join(root, "docs"))
		.filter((name) => name !== "images/devices.webp")
		.map((name) => `docs/${name}`);
	expect(files.filter((file) => !file.startsWith("dist/") && !isOutliner(file))).toEqual(
		["AGENTS.md", "CHANGELOG.md", "LICENSE", "README.md", "package.json", ...documents].sort(),
	);
	expect(files.filter((file) => file.endsWith(".map"))).toEqual([]);
});

test("has at most 3.2 MB, and as much as the page on performance says", () => {
	const bytes = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
	expect(bytes).toBeLessThan(3_200_000);
	const [, said] = /The installed package has ([\d.]+) MB/.exec(
		readFileSync(join(root, "docs/guides/performance.md"), "utf8"),
	)!;
	expect(Math.abs(Number(said) - bytes / 1_000_000)).toBeLessThanOrEqual(0.1);
});

test("npm runs no script when it installs the package, and warns of none", () => {
	const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
	const atInstall = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];
	expect(atInstall.filter((name) => name in scripts)).toEqual([]);
});

test("each section of the interface that a declaration names is a link to the site", () => {
	const { homepage } = JSON.parse(read("package.json")) as { homepage: string };
	const declarations = files
		.filter((file) => file.endsWith(".d.ts"))
		.map(read)
		.join("\n");
	const named = declarations.match(/§\d/g)!;
	expect(named.length).toBeGreaterThan(30);
	const links = Array.from(declarations.matchAll(/\[§[\d.]+\]\(([^)#]*)#[\w-]+\)/g), ([, page]) => page);
	expect(links).toEqual(named.map(() => `${homepage}interface.html`));
});

test("the declarations show nothing that is internal", () => {
	const internal =
		/\b(IdSource|RunOperation|Uncommitted|Changes|Call|Prepared|ScopeHost|NamedNodes|Settings|Steps|ResidentStorage|FileJournal)\b/;
	for (const file of files.filter((name) => name.endsWith(".d.ts"))) {
		const code = read(file).replace(/\/\*[\s\S]*?\*\//g, "");
		expect(internal.exec(code)?.[0], file).toBeUndefined();
	}
});
