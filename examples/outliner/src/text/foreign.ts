import { foreignImage } from "./foreign-image.js";
import { attributes, tags, textsIn } from "./fragment.js";
import { inert, keptStyle } from "./inert.js";

/** Elements with text that a page doesn't show. */
export const unseen = "script, style, head, template, title, noscript, iframe, object, textarea, select";
const schemes: readonly string[] = ["http:", "https:", "mailto:"];

/** The longest page whose formatting is read, in characters, and the deepest. */
const longest = 500_000;
const deepest = 200;
/** A tag, and whether it ends an element. */
const tagName = /<(\/?)([a-z][^\s/>]*)/gi;
const childless = /^(?:area|br|col|embed|hr|img|input|link|meta|wbr)$/i;

/**
 * A page of the clipboard, which neither runs nor loads anything. Undefined if it is so long or deep that
 * browsers, which take quadratic time, could need minutes.
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
	return new DOMParser().parseFromString(inert(html), "text/html");
}

/**
 * The text of a foreign page with new elements for the formatting that a name may have. Undefined unless that
 * shows exactly the text of the clipboard: otherwise a part is hidden, or drawn by styles, and the text is
 * safer.
 */
export function formattedText(page: Document, text: string): DocumentFragment | undefined {
	const shown = plain(text);
	for (const isCollapsed of [false, true]) {
		const contents = document.createDocumentFragment();
		const images = new Map<Node, string>();
		reduce(page.body, contents, isCollapsed, images);
		if (isCollapsed) trim(contents);
		if (plain(contents.textContent!) === shown) return contents;
		if (images.size === 0) continue;
		for (const said of [images, new Map([...images.keys()].map((image) => [image, ""]))]) {
			if (spaced(textOf(contents, said)) === spaced(shown)) return contents;
		}
	}
	return undefined;
}

/** The text of a node, with other texts for some nodes in it. */
function textOf(node: Node, others: ReadonlyMap<Node, string>): string {
	const inner = () => [...node.childNodes].map((child) => textOf(child, others)).join("");
	return others.get(node) ?? (node.nodeType === Node.TEXT_NODE ? (node as Text).data : inner());
}

/** Text as it is compared around images, where browsers differ in spaces. */
function spaced(text: string): string {
	return plain(text).replace(/\s+/g, " ").trim();
}

/** Text as it is compared: pages keep spaces as such that don't break. */
function plain(text: string): string {
	return text.replaceAll("\u00a0", " ");
}

/** Puts what of a node's contents may come into a name into something, and collects the texts of its images. */
function reduce(parent: Node, into: DocumentFragment | Element, isCollapsed: boolean, images: Map<Node, string>): void {
	for (const node of parent.childNodes) {
		if (node.nodeType === Node.TEXT_NODE) {
			const { data } = node as Text;
			into.append(isCollapsed ? data.replace(/[\t\n\f\r ]+/g, " ") : data);
		} else if (node.nodeType === Node.ELEMENT_NODE && !(node as Element).matches(unseen)) {
			let inner = into;
			for (const element of formatsOf(node as HTMLElement)) {
				inner.append(element);
				inner = element;
			}
			if ((node as Element).tagName === "IMG") putImage(node as Element, inner, images);
			reduce(node, inner, isCollapsed, images);
		}
	}
}

function putImage(element: Element, into: DocumentFragment | Element, images: Map<Node, string>): void {
	const image = foreignImage(element);
	if (image === undefined) return;
	let isInLink = false;
	for (let at: Node | null = into; at !== null; at = at.parentNode) isInLink ||= at.nodeName === "A";
	const shown = image.href === undefined || isInLink ? document.createElement("span") : linkTo(image.href);
	shown.append(image.text);
	images.set(shown, image.said);
	into.append(shown);
}

/** A new link to an address. */
export function linkTo(href: string): HTMLAnchorElement {
	const link = document.createElement("a");
	link.setAttribute("href", href);
	return link;
}

/** Elements that format as another one does, the outermost first; none if that is nothing a name may hold. */
export function formatsOf(element: HTMLElement): Element[] {
	const tag = tags[element.tagName];
	const made = new Set<string>();
	if (tag !== undefined && attributes[tag] === undefined) made.add(tag);
	// Some wrap all that they copy in bold text that isn't, and some say by styles alone what is.
	const weight = styleOf(element, "font-weight");
	if (/^(?:normal|400)$/.test(weight)) made.delete("b");
	else if (/^(?:bold|[6-9]00)$/.test(weight) && !/^H\d$/.test(element.tagName)) made.add("b");
	if (styleOf(element, "font-style") === "italic") made.add("i");
	if (styleOf(element, "text-decoration").includes("line-through")) made.add("s");
	const elements = [...made].map((name) => document.createElement(name));
	const attribute = tag === undefined ? undefined : attributes[tag];
	const value = attribute === undefined ? null : element.getAttribute(attribute);
	if (value === null || (tag === "a" && !isSafe(value))) return elements;
	const link = document.createElement(tag!);
	link.setAttribute(attribute!, value);
	return [link, ...elements];
}

/** The style of an element of a parsed page. */
export function styleOf(element: Element, property: string): string {
	const declarations = (element.getAttribute(keptStyle) ?? "").toLowerCase().split(";");
	const declaration = declarations.find((each) => each.split(":")[0]!.trim() === property);
	return declaration === undefined ? "" : declaration.slice(declaration.indexOf(":") + 1).trim();
}

function isSafe(href: string): boolean {
	return URL.canParse(href) && schemes.includes(new URL(href).protocol);
}

/** Removes the spaces that a page doesn't show: at both ends, and after other spaces. */
export function trim(contents: DocumentFragment): void {
	const all = textsIn(contents);
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
