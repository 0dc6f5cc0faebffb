import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { nodeBinary } from "../setup/runtimes.js";
import { short, thorough } from "../setup/soak.js";
import { failure, installed, project, root, tool } from "./project.js";

const program = join(root, "test/package/program.ts");
const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
	exports: Record<string, unknown>;
};
/** The entry points that need a framework are tested in `bindings.test.ts`. */
const names = Object.keys(exports)
	.filter((path) => !/^\.\/(package\.json|react|vue|svelte|solid)$/.test(path))
	.map((path) => `outlinekit${path.slice(1)}`);

beforeAll(() => {
	const { code } = transformSync(readFileSync(program, "utf8"), { loader: "ts" });
	writeFileSync(join(project, "main.js"), code);
	const requiring = names.map(
		(name) => `
const required = require("${name}");
import("${name}").then((imported) => {
	for (const key of Object.keys(imported)) {
		if (imported[key] !== required[key]) throw new Error("${name} has another " + key + " for require");
	}
});`,
	);
	writeFileSync(join(project, "main.cjs"), requiring.map((lines) => `{${lines}\n}`).join("\n"));
});

/** The program that the README tells its readers to save. */
function programOfReadme(): string {
	return /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(root, "README.md"), "utf8"))![1]!;
}

/** The versions of Node that the package supports. `npm test` uses the running one. */
const versions = thorough ? [20, 22, 24] : [Number(process.versions.node.split(".")[0])];

describe.each(versions)("with Node %i", (major) => {
	test("a program uses every entry point", () => {
		expect(failure(["main.js"], nodeBinary(major))).toBe("");
	});

	test("the program of the README runs as JavaScript", () => {
		writeFileSync(join(project, "readme.mjs"), programOfReadme());
		expect(failure(["readme.mjs"], nodeBinary(major))).toBe("");
	});

	test("importing the core doesn't load the cryptography of Node, which takes longer than the core", () => {
		const check = 'if (process.moduleLoadList.includes("NativeModule crypto")) throw new Error("It is loaded.");';
		writeFileSync(join(project, "importing.mjs"), `await import("outlinekit");\n${check}`);
		expect(failure(["importing.mjs"], nodeBinary(major))).toBe("");
		writeFileSync(join(project, "importing.mjs"), `import "node:crypto";\n${check}`);
		expect(failure(["importing.mjs"], nodeBinary(major))).toContain("It is loaded.");
	});

	test("require gives what import gives", () => {
		expect(failure(["--no-warnings", "main.cjs"], nodeBinary(major))).toBe("");
	});
});

const inNode = { module: "nodenext", moduleResolution: "nodenext", lib: ["es2023"], types: ["node"] };
const inBundler = { module: "esnext", moduleResolution: "bundler", lib: ["es2023", "dom"], types: [] };

/** A version of TypeScript and what resolves modules. */
const compilations = [
	{ where: "a bundler", version: 7, ...inBundler },
	...(short ? [] : [{ where: "Node", version: 5, ...inNode }]),
	...(thorough
		? [
				{ where: "Node", version: 7, ...inNode },
				{ where: "a bundler", version: 5, ...inBundler },
			]
		: []),
];
const compilers: Record<number, string> = { 5: "typescript/bin/tsc", 7: "@typescript/native/bin/tsc" };

describe("strict and without skipping the package's own declarations", () => {
	const name = "all that the package declares is sound with TypeScript $version in $where, and so are the uses of it";
	test.each(compilations)(name, ({ where, version, ...resolving }) => {
		expect(JSON.parse(readFileSync(tool(`${compilers[version]!}/../../package.json`), "utf8")).version).toMatch(
			new RegExp(`^${version}\\.`),
		);
		copyFileSync(program, join(project, "main.ts"));
		copyFileSync(join(root, "test/types/outline.ts"), join(project, "outline.ts"));
		writeFileSync(join(project, "readme.mts"), programOfReadme());
		const configuration = join(project, `tsconfig.${resolving.module}.json`);
		const compilerOptions = {
			...resolving,
			target: "es2023",
			typeRoots: [join(root, "node_modules/@types")],
			strict: true,
			exactOptionalPropertyTypes: true,
			noUncheckedIndexedAccess: true,
			skipLibCheck: false,
			noEmit: true,
		};
		writeFileSync(configuration, JSON.stringify({ compilerOptions, files: ["main.ts", "outline.ts", "readme.mts"] }));
		expect(failure([tool(compilers[version]!), "-p", configuration]), where).toBe("");
	});
});

test.runIf(!short)("an editor shows the documentation of what a program uses", async () => {
	const { default: ts } = await import("typescript");
	const file = join(project, "go.ts");
	const source = `
import { Outline } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { liveRows } from "outlinekit/live";
const outline = new Outline({ storage: createFileStorage("x") });
outline.create({ name: "a" });
outline.scope("a").walk();
liveRows(outline);
`;
	writeFileSync(file, source);
	const service = ts.createLanguageService({
		getCompilationSettings: () => ({ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true }),
		getScriptFileNames: () => [file],
		getScriptVersion: () => "1",
		getScriptSnapshot: (name) =>
			ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(name)!) : undefined,
		getCurrentDirectory: () => project,
		getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
		fileExists: ts.sys.fileExists,
		readFile: ts.sys.readFile,
		directoryExists: ts.sys.directoryExists,
		getDirectories: ts.sys.getDirectories,
	});
	const documented = ["create(", "walk(", "createFileStorage(", "liveRows(", "name:", "storage:"];
	const undocumented = documented.filter((use) => {
		const { documentation } = service.getQuickInfoAtPosition(file, source.lastIndexOf(use))!;
		return ts.displayPartsToString(documentation).length < 20;
	});
	expect(undocumented).toEqual([]);
});
