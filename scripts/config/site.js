/**
 * Makes TypeDoc a site of guides and reference. `docs/README.md` is its home page, and the navigation has the same
 * headings and the same order of pages. The playground is a page of its own.
 *
 * TypeDoc's pages have relative links and load the search index as a script. So the site works from any folder,
 * without a server too.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { Converter, IndexEvent, JSX, KindRouter, MarkdownEvent } from "typedoc";
import { buildPackage } from "../install.js";
import { buildPlayground } from "../playground.js";
import { linkSections, repositoryAddress, siteAddress, sourceAddress } from "./addresses.js";

const root = resolve(import.meta.dirname, "../..");
const docs = join(root, "docs");

/** The pages of the site in their order, with their headings in the navigation. @returns {Map<string, string>} */
function sectionsByPage() {
	const sections = new Map();
	let section = "";
	for (const line of readFileSync(join(docs, "README.md"), "utf8").split("\n")) {
		section = /^## (.*)$/.exec(line)?.[1] ?? section;
		if (section === "") continue;
		for (const [, path] of line.matchAll(/\]\(([\w/-]+\.md)\)/g)) if (!sections.has(path)) sections.set(path, section);
	}
	return sections;
}

/**
 * Returns the texts of a page for the search: its title, its headings, and the first cells of its tables, such as
 * the codes of errors.
 */
function searchFields(markdown) {
	const text = markdown.replace(/^```.*?^```$/gms, "");
	const [title = "", ...headings] = Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading]) => heading);
	const explained = [...new Set(Array.from(text.matchAll(/^\| ([^|]*) \|/gm), ([, cell]) => cell))];
	const plain = (words) => words.join("\n").replace(/[`*\\[\]()]/g, " ");
	return { title, heading: plain(headings), explained: plain(explained) };
}

/** Returns the address of the file or folder of the repository that a text names, if it names one. */
function fileNamed(text) {
	const isPath = /^(?:[\w.-]+\/)+[\w.-]*$|^[A-Z]+\.md$/.test(text);
	return isPath && existsSync(join(root, text)) ? sourceAddress(text) : undefined;
}

/** @param {import("typedoc").Application} app */
export function load(app) {
	const pages = addPages(app);
	orderEntryPoints(app);
	weighSearch(app);
	linkTexts(app, pages);
	addPlayground(app);
}

/** Adds the pages of `docs`, each in its section. Returns the page with the spec, once it is read. */
function addPages(app) {
	const sections = sectionsByPage();
	/** The addresses of pages, without ".html": as the files in `docs`. */
	const paths = new Map();
	const pages = { specification: undefined };
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
		app.options.setValue("navigationLinks", { Repository: repositoryAddress });
	});
	// The first heading of a page is its title.
	app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
		const path = relative(docs, page.project.files.getReflectionPath(page)).replaceAll("\\", "/");
		page.name = /^# (.*)$/m.exec(page.content[0].text)[1];
		paths.set(page, path.slice(0, -".md".length));
		page.frontmatter.category = sections.get(path);
		if (path === "interface.md") pages.specification = page;
	});
	return pages;
}

/** Puts the entry points in the order of package.json. */
function orderEntryPoints(app) {
	app.converter.on(
		Converter.EVENT_RESOLVE_END,
		({ project }) => {
			const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
			const names = Object.keys(exports).map((path) => `outlinekit${path.slice(1)}`);
			const isEntryPoints = ({ title }) => title === app.options.getValue("defaultCategory");
			for (const { children } of project.categories.filter(isEntryPoints)) {
				children.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
			}
		},
		-1000,
	);
}

/** Lets the title and the headings of a page count more in the search than the name of a member. */
function weighSearch(app) {
	app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
		Object.assign(event.searchFieldWeights, { title: 400, heading: 100, explained: 30 });
		event.searchResults.forEach((reflection, index) => {
			if (!reflection.isDocument()) return;
			event.searchFields[index] = searchFields(reflection.content.map(({ text }) => text).join(""));
		});
	});
}

/** Makes links of the files and of the sections of the spec that a text names. */
function linkTexts(app, pages) {
	app.renderer.on(
		MarkdownEvent.PARSE,
		(event) => {
			const { model } = event.page;
			const { router } = app.renderer;
			event.parsedText = event.parsedText
				// The playground is a part of the site.
				.replaceAll(
					`href="${siteAddress}playground/"`,
					`href="${router.baseRelativeUrl(model, "playground/index.html")}"`,
				)
				.replace(/(<a [^>]*>)?<code>([^<]*)<\/code>/g, (code, link, text) => {
					const address = link === undefined ? fileNamed(text) : undefined;
					return address === undefined ? code : `<a href="${address}">${code}</a>`;
				});
			// "Spec §2.4" leads to that section.
			const { specification } = pages;
			if (specification === undefined || model === specification) return;
			const address = router.relativeUrl(model, specification);
			event.parsedText = linkSections(event.parsedText, (anchor, text) => `<a href="${address}#${anchor}">${text}</a>`);
		},
		-100,
	);
}

/** Builds the playground beside the pages, with a link to it on each. */
function addPlayground(app) {
	app.renderer.hooks.on("sidebar.begin", (context) =>
		JSX.createElement("a", { href: context.relativeURL("playground/index.html"), class: "playground" }, "Playground"),
	);
	app.renderer.postRenderAsyncJobs.push(async ({ outputDirectory }) => {
		buildPackage();
		await buildPlayground(join(outputDirectory, "playground"));
	});
}
