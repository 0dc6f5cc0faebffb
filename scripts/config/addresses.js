/**
 * The addresses of the repository and of the site. `package.json` alone sets them. `npm run addresses` changes
 * them there, and wherever a page names them.
 */
import { readFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const { repository, homepage } = JSON.parse(read("package.json"));

/** The repository, without a slash at the end. */
export const repositoryAddress = repository.url.replace(/^git\+|\.git$/g, "");

/** The site of the documentation, with a slash at the end. */
export const siteAddress = homepage;

/** The address of a file or folder of the repository. */
export const sourceAddress = (path) => `${repositoryAddress}/blob/main/${path}`;

/**
 * Turns each section of the interface that a text names, such as §2.4, into a link.
 *
 * @param {string} text
 * @param {(anchor: string, text: string) => string} link
 */
export function linkSections(text, link) {
	anchors ??= anchorsOfInterface();
	return text.replace(/§(\d[\d.]*\d|\d)/g, (text, number) =>
		anchors.has(number) ? link(anchors.get(number), text) : text,
	);
}

/** @type {Map<string, string> | undefined} */
let anchors;

/** The anchors of the sections of the interface by their numbers. @returns {Map<string, string>} */
function anchorsOfInterface() {
	const headings = read("docs/interface.md").matchAll(/^#+ ((\d[\d.]*?)\.? .*)$/gm);
	return new Map(
		Array.from(headings, ([, text, number]) => [
			number,
			text
				.toLowerCase()
				.replace(/[^\w\s-]/g, "")
				.replaceAll(" ", "-"),
		]),
	);
}
