import type { Properties } from "outlinekit";

/** A Markdown file of a page: the properties of the page, and the text without them. */
export interface PageText {
	readonly properties: Properties;
	readonly text: string;
}

const frontMatter = /^---\n((?:.*\n){0,1000}?)(?:---|\.\.\.)(?:\n|$)/;
const entry = /^([^\s:#-][^:]{0,63}):(?:[ \t]+(.*))?$/;
/** The lines of Logseq at the beginning of a page, as they are or in a block of their own. */
const pageProperties = /^(?:(?:- | {2})?[^\s:]{1,64}::(?:[ \t].*)?\n)+/;

/** Takes the properties from the beginning of a Markdown file: front matter, or the lines of Logseq. */
export function pageText(markdown: string): PageText {
	const text = `${markdown.replace(/\r\n?/g, "\n")}\n`;
	const [matter, lines] = frontMatter.exec(text) ?? [];
	const read = lines === undefined ? undefined : entriesOf(lines);
	if (matter !== undefined && read !== undefined) return { properties: read, text: text.slice(matter.length) };
	const [found = ""] = pageProperties.exec(text) ?? [];
	// A first block with a text of its own has the properties, and not the page.
	if (found === "" || /^(?: {2}|\t)\S/.test(text.slice(found.length))) return { properties: {}, text };
	const properties: Properties = {};
	for (const line of found.trimEnd().split("\n")) {
		const [, key = "", value = ""] = /^(?:- | {2})?([^\s:]+)::[ \t]*(.*)$/.exec(line) ?? [];
		properties[key] = value;
	}
	return { properties, text: text.slice(found.length) };
}

/** Reads the simple part of YAML: texts, and lists of texts. Undefined if there is more. */
function entriesOf(lines: string): Properties | undefined {
	const properties: Properties = {};
	let list: string[] | undefined;
	for (const line of lines.split("\n")) {
		const [, item] = /^\s*-[ \t]+(.*)$/.exec(line) ?? [];
		const [, key, value = ""] = entry.exec(line) ?? [];
		if (line.trim() === "" || line.startsWith("#")) continue;
		if (item !== undefined && list !== undefined) list.push(plain(item));
		else if (key === undefined || /^[|>{&*!]/.test(value)) return undefined;
		else if (value.trim() === "") {
			list = [];
			properties[key.trim()] = list;
		} else {
			list = undefined;
			const [, items] = /^\[(.*)\]$/.exec(value.trim()) ?? [];
			properties[key.trim()] = items === undefined ? plain(value) : items.split(",").map(plain).filter(Boolean);
		}
	}
	return properties;
}

/** A text without the quotation marks around it. */
function plain(value: string): string {
	return value.trim().replace(/^(["'])(.*)\1$/, "$2");
}
