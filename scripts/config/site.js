/**
 * Makes TypeDoc a site of guides and reference. `docs/README.md` is its home page, and the navigation has the same
 * headings and the same order of pages.
 *
 * TypeDoc's pages have relative links and load the search index as a script. So the site works from any folder,
 * without a server too.
 */
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { Converter, KindRouter, MarkdownEvent } from "typedoc";
import { linkSections } from "./addresses.js";

const docs = resolve(import.meta.dirname, "../../docs");
const read = (path) => readFileSync(resolve(docs, path), "utf8");

/** The pages of the site in their order, with their headings in the navigation. @returns {Map<string, string>} */
function sectionsByPage() {
	const sections = new Map();
	let section = "";
	for (const line of read("README.md").split("\n")) {
		section = /^## (.*)$/.exec(line)?.[1] ?? section;
		for (const [, path] of line.matchAll(/\]\(([\w/-]+\.md)\)/g)) if (!sections.has(path)) sections.set(path, section);
	}
	return sections;
}

/** @param {import("typedoc").Application} app */
export function load(app) {
	const sections = sectionsByPage();
	/** The addresses of pages, without ".html": as the files in `docs`. */
	const paths = new Map();
	let specification;
	app.renderer.defineRouter(
		"site",
		class extends KindRouter {
			getIdealBaseName(reflection) {
				return paths.get(reflection) ?? super.getIdealBaseName(reflection);
			}
		},
	);
	app.on("bootstrapEnd", () => {
		app.options.setValue(
			"projectDocuments",
			Array.from(sections.keys(), (path) => resolve(docs, path)),
		);
		const order = [...new Set(sections.values())];
		order.splice(order.indexOf("Reference") + 1, 0, app.options.getValue("defaultCategory"));
		app.options.setValue("categoryOrder", order);
	});
	// The first heading of a page is its title.
	app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
		const path = relative(docs, page.project.files.getReflectionPath(page)).replaceAll("\\", "/");
		page.name = /^# (.*)$/m.exec(page.content[0].text)[1];
		paths.set(page, path.slice(0, -".md".length));
		page.frontmatter.category = sections.get(path);
		if (path === "interface.md") specification = page;
	});
	// "Spec §2.4" leads to that section.
	app.renderer.on(
		MarkdownEvent.PARSE,
		(event) => {
			if (specification === undefined || event.page.model === specification) return;
			const address = app.renderer.router.relativeUrl(event.page.model, specification);
			event.parsedText = linkSections(event.parsedText, (anchor, text) => `<a href="${address}#${anchor}">${text}</a>`);
		},
		-100,
	);
}
