import { urlsIn } from "outlinekit/markup";
import { contentsOf, fragmentOf, textsIn } from "./fragment.js";
import { insert } from "./insertion.js";

/** Elements in whose text an address stays text. */
const closed = "a, code, time";

/**
 * Makes a link of the address before the caret, if a blank or the end of the line follows it. Returns whether
 * there is one.
 *
 * @param keep - called before, while the text is as it was typed
 */
export function linkTyped(element: HTMLElement, keep?: () => void): boolean {
	const selection = getSelection();
	const text = selection?.anchorNode;
	if (!(text instanceof Text) || !selection!.isCollapsed || text.parentElement!.closest(closed) !== null) return false;
	const caret = selection!.anchorOffset;
	const before = text.data.slice(0, caret);
	const end = before.trimEnd().length;
	const url = urlsIn(before.slice(0, end)).at(-1);
	if (url === undefined || /\s/.test(before.slice(url.end, end)) || !URL.canParse(url.href)) return false;
	// It may be in Markdown that isn't finished yet.
	if (/\]\($|^[^`]*`(?:[^`]*`[^`]*`)*[^`]*$/.test(before.slice(0, url.start))) return false;
	keep?.();
	const range = document.createRange();
	range.setStart(text, url.start);
	range.setEnd(text, url.end);
	range.surroundContents(linkTo(url.href));
	const rest = range.endContainer.childNodes[range.endOffset] as Text;
	selection!.collapse(rest, caret - url.end);
	element.normalize();
	return true;
}

/** Makes links of the addresses in contents from elsewhere, and of the links and images in Markdown. */
export function withLinks(contents: DocumentFragment | string): DocumentFragment {
	const fragment = document.createDocumentFragment();
	fragment.append(contents);
	for (const text of textsIn(fragment)) {
		if (text.parentElement?.closest(closed)) continue;
		for (const { href, label, start, end } of linksIn(text.data).toReversed()) {
			const range = document.createRange();
			range.setStart(text, start);
			range.setEnd(text, end);
			range.deleteContents();
			const link = linkTo(href);
			link.textContent = label;
			range.insertNode(link);
		}
	}
	return fragment;
}

/** A link or an image in Markdown: its label, and its address. */
const markdownLink = /(!?)\[([^[\]\n]*)\]\((https?:\/\/(?:[^\s()]|\([^\s()]*\))+)(?:\s+"[^"\n]*")?\)/gi;

/** The links in a text, in order. */
function linksIn(text: string): { href: string; label: string; start: number; end: number }[] {
	const links = [...text.matchAll(markdownLink)].map(({ 0: { length }, 1: image, 2: label, 3: href = "", index }) => {
		return { href, label: label || (image ? "Image" : href), start: index, end: index + length };
	});
	const isIn = (at: number) => links.some(({ start, end }) => start <= at && at < end);
	const bare = urlsIn(text).filter(({ start }) => !isIn(start));
	return [...links, ...bare.map(({ href, start, end }) => ({ href, label: text.slice(start, end), start, end }))]
		.filter(({ href }) => URL.canParse(href))
		.sort((left, right) => left.start - right.start);
}

/** A name with links in place of its addresses. */
export function nameWithLinks(name: string): string {
	if (!/https?:\/\/|www\./i.test(name)) return name;
	return fragmentOf(withLinks(contentsOf(name)));
}

/** The selected text of a field as a link, if an address is pasted over it. */
export function selectedAsLink(pasted: string): DocumentFragment | undefined {
	const range = getSelection()!.getRangeAt(0);
	const address = pasted.trim();
	const [url] = urlsIn(address);
	const isWhole = url !== undefined && url.start === 0 && url.end === address.length && URL.canParse(url.href);
	const contents = range.cloneContents();
	const selected = contents.textContent!;
	// An address replaces an address.
	if (!isWhole || selected.trim() === "" || isClosed(range) || urlsIn(selected)[0]?.start === 0) return undefined;
	for (const element of contents.querySelectorAll("a, time")) element.replaceWith(...element.childNodes);
	const link = linkTo(url.href);
	link.append(contents);
	const fragment = document.createDocumentFragment();
	fragment.append(link);
	return fragment;
}

/** Puts a link at the caret of a field, or makes one of the selected text. */
export function insertLink(field: HTMLElement, href: string, label: string): void {
	const link = linkTo(href);
	link.textContent = getSelection()!.toString() || label;
	const fragment = document.createDocumentFragment();
	fragment.append(link);
	insert(field, fragment);
}

/** Whether the selection is in an element that holds no links. */
export function isClosed(range = getSelection()!.getRangeAt(0)): boolean {
	const { commonAncestorContainer: node } = range;
	return (node instanceof Element ? node : node.parentElement)!.closest(closed) !== null;
}

function linkTo(href: string): HTMLAnchorElement {
	const link = document.createElement("a");
	link.setAttribute("href", href);
	return link;
}
