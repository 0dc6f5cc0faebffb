import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryAddress, siteAddress } from "../../scripts/config/addresses.js";
import { temporaryFolder } from "../support/temporary.js";
import { pages, read, root, sourcesBelow } from "./pages.js";

const manifest = JSON.parse(read("package.json")) as {
	version: string;
	license: string;
	bugs: string;
	homepage: string;
	repository: { url: string };
	exports: Record<string, { types: string } | string>;
};

/** The files that may name the project's addresses. */
const files = [
	...pages,
	"scripts/config/jsr.json",
	...sourcesBelow("scripts", ".js"),
	...sourcesBelow("examples", ".html"),
	...sourcesBelow(".github", ".yml"),
].filter((file) => !file.includes("dist"));

/** The addresses in a file that name the project. A host of npm packages isn't one of them. */
const named = files
	.flatMap((file) =>
		Array.from(read(file).matchAll(/https?:\/\/[^\s)"'`>]*outlinekit[^\s)"'`>]*/g), ([address]) => ({ file, address })),
	)
	.filter(({ address }) => !address.includes("/npm/"));

describe("the addresses of the project", () => {
	test("are those of package.json, wherever a file names one", () => {
		expect(manifest.repository.url).toBe(`git+${repositoryAddress}.git`);
		expect(manifest.bugs).toBe(`${repositoryAddress}/issues`);
		expect(manifest.homepage).toBe(siteAddress);
		expect(named.length).toBeGreaterThan(20);
		const example = /you/; // in the documentation of the script that changes them
		const others = named.filter(
			({ address }) =>
				!address.startsWith(repositoryAddress) && !address.startsWith(siteAddress) && !example.test(address),
		);
		expect(others).toEqual([]);
	});

	test("lead to files of the repository, and to pages of the site", () => {
		const paths = named.flatMap(({ file, address }) => {
			const [, path] = /\/(?:blob|raw|tree)\/main\/([^#]*)/.exec(address) ?? [];
			const [page] = address.startsWith(siteAddress) ? address.slice(siteAddress.length).split("#") : [];
			if (path !== undefined) return [{ file, path }];
			return page?.endsWith(".html") ? [{ file, path: `docs/${page.replace(/html$/, "md")}` }] : [];
		});
		expect(paths.length).toBeGreaterThan(10);
		expect(paths.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
	});

	test("are changed in all files by one script", () => {
		const folder = temporaryFolder();
		const git = (...words: string[]) => execFileSync("git", words, { cwd: folder });
		writeFileSync(join(folder, "package.json"), read("package.json"));
		writeFileSync(join(folder, "page.md"), `[a](${siteAddress}faq.html) [b](${repositoryAddress}/blob/main/README.md)`);
		git("init", "--quiet");
		git("add", ".");
		const script = join(root, "scripts/set-addresses.js");
		const run = (...words: string[]) =>
			execFileSync(process.execPath, [script, ...words], { cwd: folder, stdio: "pipe" });
		expect(() => run("https://example.org/a/")).toThrow("without a slash");
		run("https://example.org/a", "https://example.net/");
		expect(readFileSync(join(folder, "page.md"), "utf8")).toBe(
			"[a](https://example.net/faq.html) [b](https://example.org/a/blob/main/README.md)",
		);
		expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({
			homepage: "https://example.net/",
			bugs: "https://example.org/a/issues",
			repository: { url: "git+https://example.org/a.git" },
		});
	});
});

test("the manifest for JSR has the version, the licence and the entry points of the package, by their sources", () => {
	const jsr = JSON.parse(read("scripts/config/jsr.json")) as {
		version: string;
		license: string;
		exports: Record<string, string>;
	};
	expect([jsr.version, jsr.license]).toEqual([manifest.version, manifest.license]);
	const built = Object.entries(manifest.exports).filter(([, target]) => typeof target !== "string");
	expect(Object.keys(jsr.exports)).toEqual(built.map(([path]) => path));
	const { paths } = (JSON.parse(read("tsconfig.json")) as { compilerOptions: { paths: Record<string, [string]> } })
		.compilerOptions;
	for (const [path, source] of Object.entries(jsr.exports)) {
		expect(paths[join("outlinekit", path)], path).toEqual([source]);
	}
});
