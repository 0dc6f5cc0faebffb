import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { dependencies, peerDependencies, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
	dependencies: Record<string, string>;
	peerDependencies: Record<string, string>;
	exports: Record<string, unknown>;
};

interface Import {
	readonly file: string;
	/** A path from the project's folder, or the name of a module. */
	readonly of: string;
	readonly types: boolean;
}

function importsBelow(folder: string): Import[] {
	const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((name) =>
		/\.tsx?$/.test(name),
	);
	return files.flatMap((name) => {
		const file = join(folder, name);
		const source = readFileSync(join(root, file), "utf8");
		return Array.from(
			source.matchAll(
				/^\s*(?:import|export)\s(type\s)?[^;]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gms,
			),
			(match) => {
				const name = (match[2] ?? match[3] ?? match[4])!;
				const of = name.startsWith(".")
					? relative(root, join(root, dirname(file), name)).replace(/\.js$/, ".ts")
					: name;
				return { file, of, types: match[1] !== undefined };
			},
		);
	});
}

const packageOf = (name: string) =>
	name
		.split("/")
		.slice(0, name.startsWith("@") ? 2 : 1)
		.join("/");

/** The folders above a file, inside the project. */
function foldersAbove(file: string): string[] {
	const above = dirname(file);
	return above === "." ? [] : [above, ...foldersAbove(above)];
}

/** A circle among imports, in words; an empty text if there is none. */
function circleIn(imported: ReadonlyMap<string, ReadonlySet<string>>): string {
	const visited = new Set<string>();
	const from = (name: string, path: readonly string[]): string => {
		if (path.includes(name)) return [...path.slice(path.indexOf(name)), name].join(" imports ");
		if (visited.has(name)) return "";
		visited.add(name);
		for (const other of imported.get(name) ?? []) {
			const circle = from(other, [...path, name]);
			if (circle !== "") return circle;
		}
		return "";
	};
	for (const name of imported.keys()) {
		const circle = from(name, []);
		if (circle !== "") return circle;
	}
	return "";
}

/** The files of `src` itself that every room may use, and the two that use all rooms. */
const ground = "the files of src";
const face = "outline.ts";

/** The rooms of the core. Each imports itself and the rooms before it. */
const rooms = [
	ground,
	"markup",
	"engine",
	"reference",
	"place",
	"operations",
	"read",
	"history",
	"exchange",
	"read/search",
	"verify",
	"scope",
	"sync",
	face,
	"live",
	"sync/replica",
];

function roomOf(path: string): string {
	const [, name, inside] = path.split("/");
	// A server settles below the outline; a replica works on one.
	if (name === "sync" && (inside === "replica" || inside === "index.ts")) return "sync/replica";
	// The search may use more than the other operations that read, and they don't use it.
	if (name === "read" && inside === "search") return "read/search";
	if (inside !== undefined) return name!;
	return name === "outline.ts" || name === "index.ts" ? face : ground;
}

/** The files of the outliner that put everything together: the page, and the table of dialogs. */
const page = "the page";

/** The folders of the outliner. Each imports itself and the folders before it. */
const outlinerRooms = [
	"text",
	"filter",
	"workspace",
	"clipboard",
	"commands",
	"view",
	"moving",
	"dialogs",
	"server",
	"trash",
	"trust",
	"welcome",
	"sidebar",
	"links",
	"backup",
	"files",
	"offline",
	page,
];

/** The contract of storages, orders and searches in them, errors, checks of arguments, listeners, and slices of time. */
const forAdapters = [
	"storage",
	"siblings",
	"engine/binary-search",
	"engine/ascending",
	"engine/listeners",
	"errors",
	"fields",
	"pace",
].map((name) => `src/${name}.ts`);

describe("layers", () => {
	test("the core imports nothing but itself and the runtime dependencies", () => {
		const imports = importsBelow("src");
		expect(imports.length).toBeGreaterThan(50);
		const typesOnly = new Set(["mdast", "micromark-util-types"]);
		for (const { file, of, types } of imports) {
			const allowed = of.startsWith("src/") || packageOf(of) in dependencies || (types && typesOnly.has(of));
			expect(allowed, `${file} imports ${of}`).toBe(true);
		}
	});

	test("the rooms of the core import downwards only", () => {
		for (const { file, of } of importsBelow("src")) {
			if (!of.startsWith("src/")) continue;
			expect(rooms.indexOf(roomOf(of)), `${file} imports ${of}`).toBeLessThanOrEqual(rooms.indexOf(roomOf(file)));
		}
	});

	test("no files or folders import each other in a circle, not even by modules that load on first use", () => {
		const imports = ["src", "adapters", "examples/outliner/src"].flatMap(importsBelow).filter(({ file, of }) => {
			// An error may carry a node, and the values of a node are checked with errors.
			if (file === "src/errors.ts" && of === "src/node.ts") return false;
			// A replica takes outlines, and an outline serves replicas.
			return !(file.startsWith("src/sync/replica/") && of === "src/outline.ts");
		});
		expect(imports.length).toBeGreaterThan(2000);
		const folders = new Set(imports.flatMap(({ file }) => foldersAbove(file)));
		for (const folder of folders) {
			const within = (path: string) => path.slice(folder.length + 1).replace(/\.tsx?$|(?<=\/).*/g, "");
			const imported = new Map<string, Set<string>>();
			for (const { file, of } of imports) {
				if (![file, of].every((path) => path.startsWith(`${folder}/`)) || within(file) === within(of)) continue;
				imported.set(within(file), (imported.get(within(file)) ?? new Set()).add(within(of)));
			}
			expect(circleIn(imported), `in ${folder}`).toBe("");
		}
	});

	test("the core has one file or room for each noun, at most twelve of each", () => {
		const entries = readdirSync(join(root, "src"), { withFileTypes: true });
		const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
		expect(folders.sort()).toEqual(
			rooms.filter((room) => room !== ground && room !== face && !room.includes("/")).sort(),
		);
		expect(folders.length).toBeLessThanOrEqual(12);
		expect(entries.filter(({ name }) => name.endsWith(".ts")).length).toBeLessThanOrEqual(12);
	});

	test("the top level has at most seventeen entries that a reader sees", () => {
		// Files that `.gitignore` names, such as the build, don't count. Each line there is one pattern.
		const ignored = readFileSync(join(root, ".gitignore"), "utf8")
			.split("\n")
			.filter((line) => line !== "")
			.map((line) =>
				line
					.replace(/^\/|\/$/g, "")
					.replaceAll(".", "\\.")
					.replaceAll("*", ".*"),
			);
		const isUnseen = new RegExp(`^(\\..*|${ignored.join("|")})$`);
		expect(readdirSync(root).filter((name) => !isUnseen.test(name)).length).toBeLessThanOrEqual(17);
	});

	test("storages and the HTTP handler import a few files of the core, public types, and themselves", () => {
		const isOther = (path: string) => /^adapters\/(bindings|cli)\//.test(path);
		const imports = importsBelow("adapters").filter(({ file }) => !isOther(file));
		expect(imports.length).toBeGreaterThan(20);
		for (const { file, of, types } of imports) {
			const allowed =
				(of.startsWith("adapters/") && !isOther(of)) ||
				forAdapters.includes(of) ||
				// Storages convert the receipts that earlier versions kept in tables and lists of their own.
				(of === "src/operations/receipt-document.ts" && /(schema|earlier-version)\.ts$/.test(file)) ||
				(["src/operations/description.ts", "src/engine/lazy-module.ts"].includes(of) &&
					file.startsWith("adapters/http/")) ||
				(of.startsWith("src/") && types) ||
				(of === "idb" && file.startsWith("adapters/indexeddb/")) ||
				(of.startsWith("node:") && /^adapters\/file[./]/.test(file));
			expect(allowed, `${file} imports values of ${of}. Import only types from there`).toBe(true);
		}
	});

	test("bindings import live values, a timer, listeners, the checks of arguments, public types, and each its own framework", () => {
		const imports = importsBelow("adapters/bindings");
		expect(imports.length).toBeGreaterThan(20);
		const frameworks: Record<string, string> = { solid: "solid-js" };
		for (const { file, of, types } of imports) {
			const [, name] = /(\w+)\.ts$/.exec(file)!;
			const allowed =
				of === "adapters/bindings/shared.ts" ||
				of.startsWith("src/live/") ||
				["src/engine/listeners.ts", "src/engine/promises.ts", "src/errors.ts", "src/fields.ts"].includes(of) ||
				(of.startsWith("src/") && types) ||
				packageOf(of) === (frameworks[name!] ?? name);
			expect(allowed, `${file} imports ${of}`).toBe(true);
		}
	});

	test("the conformance suite imports the core and itself, so that it runs wherever a storage does", () => {
		const published = new Set<string>();
		const imports = importsBelow("test/conformance");
		const collect = (file: string) => {
			if (published.has(file)) return;
			published.add(file);
			for (const { of } of imports.filter((each) => each.file === file)) {
				if (of.startsWith("test/")) collect(of);
				else expect(of.startsWith("src/"), `${file} imports ${of}`).toBe(true);
			}
		};
		collect("test/conformance/index.ts");
		expect(published.size).toBeGreaterThan(3);
	});

	test("the folders of the outliner import downwards only, and no file is long", () => {
		const folder = "examples/outliner/src";
		const imports = importsBelow(folder).filter(({ of }) => of.startsWith(folder) && !of.endsWith(".css"));
		expect(imports.length).toBeGreaterThan(100);
		const roomOf = (path: string) => {
			const inside = relative(folder, path);
			return inside.includes("/") ? dirname(inside) : page;
		};
		for (const { file, of } of imports) {
			expect(outlinerRooms, file).toContain(roomOf(file));
			expect(outlinerRooms.indexOf(roomOf(of)), `${file} imports ${of}`).toBeLessThanOrEqual(
				outlinerRooms.indexOf(roomOf(file)),
			);
		}
		for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
			if (!/\.(tsx?|css)$/.test(name)) continue;
			const lines = readFileSync(join(root, folder, name), "utf8").split("\n").length - 1;
			expect(lines, `the lines of ${name}`).toBeLessThanOrEqual(300);
		}
		const told = readFileSync(join(root, "examples/outliner/README.md"), "utf8");
		const rows = Array.from(told.matchAll(/^\| `src\/(\w+)` \|/gm), ([, name]) => name);
		expect(rows).toEqual(outlinerRooms.filter((room) => room !== page));
	});

	test("the program imports the package by its public names, so that its build can do so too", () => {
		const publicNames = Object.keys(exports).map((path) => join("outlinekit", path));
		const optional = [...Object.keys(peerDependencies), "node:"];
		const imports = importsBelow("adapters/cli");
		expect(imports.length).toBeGreaterThan(50);
		for (const { file, of } of imports) {
			const allowed =
				of.startsWith("adapters/cli/") || publicNames.includes(of) || optional.some((name) => of.startsWith(name));
			expect(allowed, `${file} imports ${of}`).toBe(true);
		}
	});

	test("examples import the package by its public names", () => {
		const publicNames = Object.keys(exports).map((path) => join("outlinekit", path));
		const imports = importsBelow("examples");
		expect(imports.some(({ of }) => of === "outlinekit")).toBe(true);
		for (const { file, of } of imports) {
			const inside = of.startsWith("examples/");
			if (of.startsWith("outlinekit")) expect(publicNames, file).toContain(of);
			else expect(inside || !/^(src|adapters|test)\//.test(of), `${file} imports ${of}`).toBe(true);
		}
	});
});
