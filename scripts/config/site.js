/**
 * Makes TypeDoc a site of guides and reference. `docs/README.md` is the home page, and its lists of links are the
 * navigation: each heading is a section, each linked page an entry.
 */
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { Converter, MarkdownEvent } from "typedoc";

const docs = resolve(import.meta.dirname, "../../docs");

/** The pages of the site by their paths, in their order, with the sections that they are in. */
function sections() {
	const pages = new Map();
	let section = "";
	for (const line of readFileSync(`${docs}/README.md`, "utf8").split("\n")) {
		const [, heading] = /^## (.*)$/.exec(line) ?? [];
		if (heading !== undefined) section = heading;
		for (const [, path] of line.matchAll(/\]\(([\w/-]+\.md)\)/g)) {
			if (!pages.has(path)) pages.set(path, section);
		}
	}
	return pages;
}

/** Prepares the pages and the links to the interface. @param {import("typedoc").Application} app */
export function load(app) {
	const pages = sections();
	app.on("bootstrapEnd", () => {
		app.options.setValue("projectDocuments", [...pages.keys()].map((path) => `${docs}/${path}`));
		app.options.setValue("categoryOrder", [...new Set(pages.values()), "*"]);
	});
	let specification;
	app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
		const path = relative(docs, page.project.files.getReflectionPath(page) ?? "").replaceAll("\\", "/");
		const [first] = page.content;
		const [heading, title] = /^# (.*)\n/.exec(first.text);
		page.name = title;
		first.text = first.text.slice(heading.length);
		page.frontmatter.category = pages.get(path);
		if (path === "interface.md") specification = page;
	});
	app.renderer.on(MarkdownEvent.PARSE, (event) => {
		if (specification === undefined) return;
		const { router, theme } = app.renderer;
		event.parsedText = event.parsedText.replace(/Spec §([\d.]*\d)/g, (words, section) => {
			return `${words}`;
		});
	});
}
