import { readFileSync } from "node:fs";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../examples/import-map/server.js";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${repository}examples/import-map`;
const page = readFileSync(`${folder}/index.html`, "utf8");
const [, mapText] = /<script type="importmap">(.*?)<\/script>/s.exec(page)!;
const { imports } = JSON.parse(mapText!) as { imports: Record<string, string> };

/**
 * The direct and indirect imports of the page's script by name, each with the file that a browser loads for
 * it.
 */
async function importedByName(): Promise<Record<string, string>> {
	const [, contents] = /<script type="module">(.*?)<\/script>/s.exec(page)!;
	const { metafile } = await build({
		stdin: { contents: contents!, resolveDir: folder },
		absWorkingDir: repository,
		bundle: true,
		splitting: true,
		format: "esm",
		outdir: "nowhere",
		write: false,
		metafile: true,
		logLevel: "error",
		// As browsers do: ES modules, and the built package rather than its sources.
		platform: "browser",
		mainFields: ["main"],
		conditions: [],
		tsconfigRaw: {},
	});
	const files = Object.values(metafile.inputs);
	const named = files
		.flatMap((file) => file.imports)
		.filter(({ kind, original }) => kind !== "require-call" && original !== undefined && !original.startsWith("."));
	return Object.fromEntries(
		named
			.filter(({ path }) => metafile.inputs[path]!.format === "esm")
			.map(({ original, path }) => [original!, `../../${path}`]),
	);
}

describe("the page without a bundler", () => {
	test("maps what is imported by name to the file that is meant, and nothing else", async () => {
		expect(imports).toEqual(await importedByName());
	});

	test("names the files of a host of packages as they are mapped, in the versions that are installed", () => {
		const addresses = [...page.matchAll(/"([^"]+)": "https:\/\/[\w.]+\/npm\/([\w-]+)@([\d.]+)\/([^"]+)"/g)];
		expect(addresses.length).toBe(2);
		for (const [, name, at, version, path] of addresses) {
			const directory = at === "outlinekit" ? "" : `node_modules/${at}/`;
			const manifest = JSON.parse(readFileSync(`${repository}${directory}package.json`, "utf8")) as { version: string };
			expect(version).toBe(manifest.version);
			expect(imports[name!]).toBe(`../../${directory}${path}`);
		}
	});
});

describe("its server", () => {
	let server: RunningServer;
	beforeAll(async () => {
		server = await startServer(0);
	});
	afterAll(() => server.stop());

	/** The status for a path that is sent as it is. */
	function statusOf(path: string): Promise<number | undefined> {
		const { hostname, port } = new URL(server.address);
		return new Promise((resolve, reject) => {
			const sent = request({ hostname, port, path }, (response) => {
				response.resume();
				resolve(response.statusCode);
			});
			sent.on("error", reject).end();
		});
	}

	test("serves the page and what it loads", async () => {
		for (const path of ["/examples/import-map/", ...Object.values(imports).map((file) => file.slice("../..".length))]) {
			expect([path, await statusOf(path)]).toEqual([path, 200]);
		}
	});

	test.each([
		"/package.json",
		"/outline-data/api-key",
		"/.git/config",
		"/dist/../package.json",
		"/dist/%2e%2e/package.json",
		"/dist/..%2fpackage.json",
		"/dist/..\\package.json",
		"/node_modules/.package-lock.json",
		"//dist/index.js",
		"/examples/import-map",
		"*",
	])("doesn't serve %s", async (path) => {
		expect(await statusOf(path)).toBe(404);
	});
});
