import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The Markdown pages below a folder. */
export function pagesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".md") && !/node_modules|\bdist\b/.test(name))
		.map((name) => join(folder, name).replaceAll("\\", "/"))
		.sort();
}

/** The files below a folder whose names end so. */
export function sourcesBelow(folder: string, ending = ".ts"): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(ending) && !name.includes("node_modules"))
		.map((name) => join(folder, name));
}

/** The pages that a person reads. `awesome.md` is what an example imports. */
export const pages = [
	"README.md",
	"CONTRIBUTING.md",
	"CHANGELOG.md",
	"AGENTS.md",
	".github/SECURITY.md",
	"bench/README.md",
	"test/README.md",
	...pagesBelow("docs"),
	...pagesBelow("examples"),
].filter((page) => !page.endsWith("awesome.md"));

/** The pages that npm puts into the package. */
export const packedPages = pages.filter((page) => /^(?:README|CHANGELOG|AGENTS)\.md$|^docs\//.test(page));

/** The text of a page without its blocks of code. */
export const prose = (page: string): string => read(page).replace(/^```.*?^```$/gms, "");

/** The targets of the links and images of a page, as written. */
export function targetsIn(page: string): string[] {
	const written = prose(page).replace(/`[^`\n]*`/g, "");
	const links = Array.from(written.matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target!);
	const tags = Array.from(written.matchAll(/<[^>]*\b(?:src|srcset|href)="([^"]+)"/g), ([, target]) => target!);
	return [...links, ...tags].filter((target) => !/^[a-z]+:/i.test(target));
}

/** The file that a link leads to, and the anchor in it. */
export function destination(page: string, target: string): { readonly file: string; readonly anchor?: string } {
	const [path, anchor] = target.split("#") as [string, string?];
	const file = path === "" ? page : join(dirname(page), decodeURIComponent(path)).replaceAll("\\", "/");
	return anchor === undefined ? { file } : { file, anchor };
}

/** The anchors of the headings of a page. Headings with code have none, because hosts make different ones. */
export function anchorsOf(page: string): string[] {
	return Array.from(prose(page).matchAll(/^#+ ([^`\n]*)$/gm), ([, heading]) =>
		heading!
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, "")
			.replaceAll(" ", "-"),
	);
}

/** Why a target leads nowhere; undefined if it leads somewhere. */
export function flaw(page: string, target: string): string | undefined {
	const { file, anchor } = destination(page, target);
	if (!existsSync(join(root, file))) return `${page} names ${target}, and there is no ${file}`;
	if (anchor === undefined || statSync(join(root, file)).isDirectory()) return undefined;
	return anchorsOf(file).includes(anchor) ? undefined : `${page} names ${target}, and ${file} has no such heading`;
}
