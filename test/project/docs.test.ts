import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { routes } from "../../adapters/http/endpoints/routes.js";
import { statuses } from "../../adapters/http/server/problem.js";
import { createMemoryStorage } from "../../adapters/memory.js";
import { Outline } from "../../src/outline.js";
import { problemKinds } from "../../src/verify/problem.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

function pagesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
		.map((name) => join(folder, name));
}

const sourcesBelow = (folder: string) =>
	readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".ts"))
		.map((name) => join(folder, name));

/** The pages that a person reads. `awesome.md` is what an example imports. */
const pages = [
	"README.md",
	"CONTRIBUTING.md",
	"CHANGELOG.md",
	"bench/README.md",
	"test/README.md",
	...pagesBelow("docs"),
	...pagesBelow("examples"),
].filter((page) => !page.endsWith("awesome.md"));

/** The text of a page without its blocks of code. */
const prose = (page: string) => read(page).replace(/^```.*?^```$/gms, "");

/** The targets of the links and images of a page, as written. */
function targetsIn(page: string): string[] {
	const written = prose(page).replace(/`[^`\n]*`/g, "");
	const links = Array.from(written.matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target!);
	const tags = Array.from(written.matchAll(/<[^>]*\b(?:src|srcset|href)="([^"]+)"/g), ([, target]) => target!);
	return [...links, ...tags].filter((target) => !/^[a-z]+:/i.test(target));
}

/** The anchors of the headings of a page. */
function anchorsOf(page: string): string[] {
	return Array.from(prose(page).matchAll(/^#+ (.*)$/gm), ([, heading]) =>
		heading!
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, "")
			.replaceAll(" ", "-"),
	);
}

/** Why a target leads nowhere; undefined if it leads somewhere. */
function flaw(page: string, target: string): string | undefined {
	const [path, anchor] = target.split("#") as [string, string?];
	const file = path === "" ? page : join(dirname(page), decodeURIComponent(path));
	if (!existsSync(join(root, file))) return `${page} names ${target}, and there is no ${file}`;
	if (anchor === undefined || statSync(join(root, file)).isDirectory()) return undefined;
	return anchorsOf(file).includes(anchor) ? undefined : `${page} names ${target}, and ${file} has no such heading`;
}

describe("the documentation", () => {
	test("links and shows only what is there", () => {
		const targets = pages.flatMap((page) => targetsIn(page).map((target) => [page, target] as const));
		expect(targets.length).toBeGreaterThan(40);
		expect(targets.flatMap(([page, target]) => flaw(page, target) ?? [])).toEqual([]);
	});

	test("has every page and every example in its table of contents, and every image on a page", () => {
		const contents = targetsIn("docs/README.md").map((target) => join("docs", target));
		const isListed = (path: string) => contents.some((target) => target === path || target.startsWith(`${path}/`));
		const others = pagesBelow("docs").filter((page) => page !== "docs/README.md");
		const examples = readdirSync(join(root, "examples")).map((name) => join("examples", name));
		expect([...others, ...examples].filter((path) => !isListed(path))).toEqual([]);
		const shown = pagesBelow("docs").flatMap(targetsIn);
		const images = readdirSync(join(root, "docs/images")).map((name) => `images/${name}`);
		expect(images.filter((image) => !shown.includes(image))).toEqual([]);
	});

	test("names only files that are there", () => {
		const named = pagesBelow("docs").flatMap((page) =>
			Array.from(prose(page).matchAll(/`((?:src|adapters|test|examples|bench)\/[\w./-]+)`/g), ([, path]) => path!),
		);
		expect(named.length).toBeGreaterThan(40);
		expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});

	test("has a heading for each section of the interface that is referred to", () => {
		const folders = ["src", "adapters", "test", "examples"];
		const texts = [...folders.flatMap(sourcesBelow), ...pages].map((file) => [file, read(file)] as const);
		const referred = texts.flatMap(([file, text]) =>
			Array.from(text.matchAll(/§(\d+(?:\.\d+)*)/g), ([, section]) => [file, section!] as const),
		);
		expect(referred.length).toBeGreaterThan(100);
		const headings = prose("docs/interface.md").matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm);
		const sections = new Set(Array.from(headings, ([, section]) => section!));
		expect(referred.filter(([, section]) => !sections.has(section))).toEqual([]);
	});

	test("tells of every request of the interface, and the status of every code", () => {
		const page = read("docs/interface.md");
		const requests = routes.flatMap(({ segments, methods }) =>
			Object.keys(methods).map((method) => `${method} /${segments.join("/")}`),
		);
		const named = page.matchAll(/`(GET|POST|DELETE) (?:\/api\/v1)?(\/[^\s?`]*)/g);
		const told = new Set(Array.from(named, ([, method, path]) => `${method} /api/v1${path}`));
		expect(requests.filter((request) => !told.has(request))).toEqual([]);
		const table = page.slice(page.indexOf("| status | codes |"), page.indexOf("## 8."));
		const listed = Array.from(table.matchAll(/^\| (\d+) \| (.*) \|$/gm), ([, status, codes]) =>
			Array.from(codes!.matchAll(/`(\w+)`/g), ([, code]) => [code!, Number(status)] as const).filter(
				([code]) => code in statuses,
			),
		).flat();
		expect(Object.fromEntries(listed)).toEqual(statuses);
	});

	test("tells of each thing that can be wrong with an outline, in the order in which it is mended", () => {
		const page = read("docs/data-model.md");
		const table = page.slice(page.indexOf("## Rules"));
		expect(Array.from(table.matchAll(/^\| `(\w+)` \|/gm), ([, kind]) => kind)).toEqual([...problemKinds]);
	});

	test("tells every field of a node record", () => {
		const record = /interface NodeRecord \{(.*?)^\}/ms.exec(read("src/storage.ts"))![1]!;
		const fields = Array.from(record.matchAll(/readonly (\w+):/g), ([, field]) => field!);
		const page = read("docs/data-model.md");
		const section = page.slice(page.indexOf("## Nodes"), page.indexOf("**Order.**"));
		const told = Array.from(section.matchAll(/^\| ([^|]*) \|/gm), ([, cell]) =>
			Array.from(cell!.matchAll(/`(\w+)`/g), ([, field]) => field!),
		).flat();
		expect(told.sort()).toEqual(fields.sort());
	});

	test("tells the costs of an operation beside it as the table of costs does", () => {
		const comments = new Map(
			Array.from(
				read("src/outline.ts").matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\n\t(?:async )?(\w+)\(/gs),
				([, text, name]) => [name!, text!.replace(/\s*\n\s*\* ?/g, " ")],
			),
		);
		const rows = Array.from(read("docs/costs.md").matchAll(/^\| (`.*)\|$/gm), ([, row]) =>
			row!.split("|").map((cell) => cell.trim()),
		);
		expect(rows.length).toBeGreaterThan(15);
		for (const [operation, reads, commits, records, written] of rows) {
			const many = (amount: string, unit: string) => `${amount} ${unit}${amount === "1" ? "" : "s"}`;
			const trips = commits === "0" ? many(reads!, "read") : `${many(reads!, "read")}, ${commits} commit`;
			const cost = `${trips}; ${many(records!, "record")} read`;
			const writes = commits === "0" ? "" : `, ${written === "0" ? "none" : written} written`;
			for (const [, name] of operation!.matchAll(/`(\w+)`/g)) {
				// One row of create says the same as another.
				expect(comments.get(name!), name).toContain(cost + writes);
			}
		}
	});

	test("shows code that compiles", { timeout: 120_000 }, () => {
		const shown = pagesBelow("docs").flatMap((page) =>
			Array.from(read(page).matchAll(/^```ts\n(import .*?)^```$/gms), ([, code]) => [page, code!] as const),
		);
		const commented = sourcesBelow("src").flatMap((source) =>
			Array.from(read(source).matchAll(/^\s*\* ```ts\n(.*?)^\s*\* ```$/gms), ([, code]) => {
				const example = code!.replaceAll(/^\s*\* ?/gm, "");
				return [source, example.startsWith("import ") ? example : `${outlineAtHand}${example}`] as const;
			}),
		);
		expect(shown.length).toBeGreaterThan(3);
		expect(commented.length).toBeGreaterThan(3);
		const programs = [...shown, ...commented].map(
			([file, code], number) => [join(root, "docs", `${file.replaceAll("/", " ")} ${number}.ts`), code] as const,
		);
		expect(complaints(new Map(programs))).toEqual([]);
	});

	test("shows of mirrors what they do", async () => {
		const [, code] = /^```ts\n(.*?)^```$/ms.exec(read("docs/mirrors.md"))!;
		const expected = Array.from(code!.matchAll(/ \/\/ (.*)$/gm), ([, said]) => said);
		const lines: string[] = [];
		const body = code!.replaceAll(/^import .*\n/gm, "");
		const AsyncFunction = (async () => {}).constructor as new (
			...source: string[]
		) => (...values: unknown[]) => Promise<void>;
		await new AsyncFunction("Outline", "createMemoryStorage", "console", body)(Outline, createMemoryStorage, {
			log: (value: unknown) => lines.push(inspect(value)),
		});
		expect(lines.length).toBeGreaterThan(2);
		expect(lines).toEqual(expected);
	});
});

/** The first lines of an example in a comment that creates no outline. */
const outlineAtHand = 'import { Outline } from "outlinekit";\ndeclare const outline: Outline;\n';

/** The declarations that a page leaves to its reader. */
const yours = "declare function createMyStorage(options: { name: string }): import('outlinekit').StorageAdapter;";

/** The compiler's errors about some programs, except for missing types of a client. */
function complaints(programs: ReadonlyMap<string, string>): string[] {
	const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
	const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
	const sources = new Map([...programs, [join(root, "docs", "yours.d.ts"), yours]]);
	const host = ts.createCompilerHost(options);
	const { fileExists, getSourceFile, readFile } = host;
	host.fileExists = (name) => sources.has(name) || fileExists(name);
	host.readFile = (name) => sources.get(name) ?? readFile(name);
	host.getSourceFile = (name, version, ...rest) => {
		const text = sources.get(name);
		return text === undefined ? getSourceFile(name, version, ...rest) : ts.createSourceFile(name, text, version);
	};
	const program = ts.createProgram([...sources.keys()], { ...options, noUnusedLocals: false }, host);
	return [...programs.keys()].flatMap((name) => {
		const file = program.getSourceFile(name)!;
		return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
			.filter(({ code }) => code !== withoutTypes)
			.map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
	});
}

/** The compiler's number for a module that has no types. */
const withoutTypes = 7016;
