import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { routes } from "../../adapters/http/endpoints/routes.js";
import { statuses } from "../../adapters/http/server/problem.js";
import { problemKinds } from "../../src/verify/problem.js";
import {
	destination,
	flaw,
	packedPages,
	pages,
	pagesBelow,
	prose,
	read,
	root,
	sourcesBelow,
	targetsIn,
} from "./pages.js";

describe("the documentation", () => {
	test("links and shows only what is there", () => {
		const targets = pages.flatMap((page) => targetsIn(page).map((target) => [page, target] as const));
		expect(targets.length).toBeGreaterThan(40);
		expect(targets.flatMap(([page, target]) => flaw(page, target) ?? [])).toEqual([]);
	});

	test("has every page and every example in its table of contents, and every image on a page", () => {
		const contents = targetsIn("docs/README.md").map((target) => destination("docs/README.md", target).file);
		const others = pagesBelow("docs").filter((page) => page !== "docs/README.md");
		expect(others.filter((page) => !contents.includes(page))).toEqual([]);
		const examples = readdirSync(join(root, "examples")).map((name) => `\`examples/${name}\``);
		expect(examples.filter((example) => !read("docs/README.md").includes(example))).toEqual([]);
		const shown = pages.flatMap((page) => targetsIn(page).map((target) => destination(page, target).file));
		const images = readdirSync(join(root, "docs/images")).map((name) => `docs/images/${name}`);
		expect(images.filter((image) => !shown.includes(image))).toEqual([]);
	});

	test("links from pages of the package only to files of the package", () => {
		const { files } = JSON.parse(read("package.json")) as { files: string[] };
		const isPacked = (file: string) => files.some((each) => file === each || file.startsWith(`${each}/`));
		const targets = packedPages.flatMap((page) => targetsIn(page).map((target) => ({ page, target })));
		expect(targets.length).toBeGreaterThan(100);
		expect(targets.filter(({ page, target }) => !isPacked(destination(page, target).file))).toEqual([]);
	});

	test("links to each example that a page names", () => {
		const bare = packedPages.flatMap((page) =>
			Array.from(prose(page).matchAll(/(?<!\[)`(examples\/[\w-]+)`/g), ([, example]) => ({ page, example })),
		);
		expect(bare.filter(({ page }) => page !== "docs/architecture.md" && page !== "CHANGELOG.md")).toEqual([]);
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
		const texts = [...folders.flatMap((folder) => sourcesBelow(folder)), ...pages].map(
			(file) => [file, read(file)] as const,
		);
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
		const requests = routes.flatMap(({ path, methods }) => Object.keys(methods).map((method) => `${method} ${path}`));
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
				read("src/outline.ts").matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\n\t(?:async )?(\w+)[(<]/gs),
				([, text, name]): [string, string] => [name!, text!.replace(/\s*\n\s*\* ?/g, " ")],
				// The first comment of a method with several forms counts.
			).reverse(),
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
});
