import { attributes, tags } from "./fragment.js";

/** What isn't text, although there is text in it. */
const unseen = "script, style, head, template, title, noscript, iframe, object, textarea, select";
const schemes: readonly string[] = ["http:", "https:", "mailto:"];

/** The longest page that is looked at for its formatting, in characters, and the deepest. */
const longest = 500_000;
const deepest = 200;
/** A tag, and whether it ends an element. */
const tagName = /<(\/?)([a-z][^\s/>]*)/gi;
const childless = /^(?:area|br|col|embed|hr|img|input|link|meta|wbr)$/i;

/**
 * A page as the clipboard has it, which neither runs nor loads anything. Undefined for one so long or deep that reading it, for
 * which browsers take quadratic time, could take minutes.
 */
export function parsed(html: string): Document | undefined {
	if (html.length > longest) return undefined;
	let depth = 0;
	const open = new Map<string, number>();
	for (const [, ends, name] of html.matchAll(tagName)) {
		const key = name!.toLowerCase();
		const count = open.get(key) ?? 0;
		if (childless.test(key) || (ends && count === 0)) continue;
		open.set(key, ends ? count - 1 : count + 1);
		depth += ends ? -1 : 1;
		if (depth > deepest) return undefined;
	}
	return new DOMParser().parseFromString(html, "text/html");
}

/**
 * What of a foreign page may come into a name: text and the elements that a name may hold, made anew. Undefined unless that
 * shows exactly the text which the page is said to show: then something is hidden, or drawn by styles, and the text is safer.
 */
export function formattedText(page: Document, text: string): DocumentFragment | undefined {
	const shown = plain(text);
	for (const isCollapsed of [false, true]) {
		const contents = document.createDocumentFragment();
		reduce(page.body, contents, isCollapsed);
		if (isCollapsed) trim(contents);
		if (plain(contents.textContent!) === shown) return contents;
	}
	return undefined;
}

/** Text as it is compared: pages keep spaces as such that don't break. */
function plain(text: string): string {
	return text.replaceAll("\u00a0", " ");
}

/** Puts what of a node's contents may come into a name into something. */
function reduce(parent: Node, into: DocumentFragment | Element, isCollapsed: boolean): void {
	for (const node of parent.childNodes) {
		if (node.nodeType === Node.TEXT_NODE) {
			const { data } = node as Text;
			into.append(isCollapsed ? data.replace(/[\t\n\f\r ]+/g, " ") : data);
		} else if (node.nodeType === Node.ELEMENT_NODE && !(node as Element).matches(unseen)) {
			const element = formatOf(node as Element);
			if (element !== undefined) into.append(element);
			reduce(node, element ?? into, isCollapsed);
		}
	}
}

/** An element that formats as another one does; undefined if that is nothing a name may hold. */
function formatOf(element: Element): Element | undefined {
	const tag = tags[element.tagName];
	// Some wrap all that they copy in bold text that isn't.
	if (tag === undefined || (tag === "b" && /^(?:normal|400)$/.test((element as HTMLElement).style.fontWeight))) return;
	const made = document.createElement(tag);
	const attribute = attributes[tag];
	if (attribute === undefined) return made;
	const value = element.getAttribute(attribute);
	if (value === null || (tag === "a" && !isSafe(value))) return;
	made.setAttribute(attribute, value);
	return made;
}

function isSafe(href: string): boolean {
	return URL.canParse(href) && schemes.includes(new URL(href).protocol);
}

/** Takes off the spaces that a page doesn't show: at both ends, and behind others. */
function trim(contents: DocumentFragment): void {
	const texts = document.createTreeWalker(contents, NodeFilter.SHOW_TEXT);
	const all: Text[] = [];
	while (texts.nextNode() !== null) all.push(texts.currentNode as Text);
	let wasSpace = true;
	for (const text of all) {
		if (wasSpace) text.data = text.data.replace(/^ /, "");
		if (text.data !== "") wasSpace = text.data.endsWith(" ");
	}
	for (const text of all.toReversed()) {
		text.data = text.data.replace(/ $/, "");
		if (text.data !== "") break;
	}
}
