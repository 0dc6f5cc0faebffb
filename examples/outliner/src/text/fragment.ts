import { fromMarkdown } from "outlinekit/markup";
import { editedDate, showDatesInWords, storedLabel } from "./date-label.js";

/** The elements that a name may hold, by what a browser or another page calls them. */
export const tags: { readonly [name: string]: string } = {
	B: "b",
	STRONG: "b",
	I: "i",
	EM: "i",
	S: "s",
	STRIKE: "s",
	DEL: "s",
	CODE: "code",
	A: "a",
	TIME: "time",
};

/** A selector for all elements that mean the same as one of the outline. */
export function selectorOf(tag: string): string {
	return Object.keys(tags)
		.filter((name) => tags[name] === tag)
		.join();
}

/** The attribute of elements that have one. */
export const attributes: { readonly [tag: string]: string } = { a: "href", time: "datetime" };

/**
 * Holds the caret behind an element, because browsers put typed text into the element otherwise. Not part of
 * the text.
 */
export const caretHold = "\u200b";

/**
 * The edited contents of a field as a fragment for the outline. Replaces unknown elements by their contents.
 */
export function fragmentOf(parent: Node): string {
	let fragment = "";
	for (const node of parent.childNodes) {
		if (node instanceof Text) fragment += escaped(node.data.startsWith(caretHold) ? node.data.slice(1) : node.data);
		else if (node instanceof Element) {
			const tag = tags[node.tagName];
			const label = tag === "time" ? storedLabel(node as HTMLElement) : undefined;
			if (tag === "time" && label === undefined && node.hasAttribute("data-label")) {
				const words = node.textContent!;
				const edited = editedDate(words);
				fragment += edited === undefined ? escaped(words) : fromMarkdown(edited)[0]!.name;
				continue;
			}
			const inner = label ?? fragmentOf(node);
			const attribute = tag === undefined ? undefined : attributes[tag];
			const value = attribute === undefined ? null : node.getAttribute(attribute);
			if (inner === "" || tag === undefined || (attribute !== undefined && value === null)) fragment += inner;
			else if (attribute === undefined) fragment += `<${tag}>${inner}</${tag}>`;
			else fragment += `<${tag} ${attribute}="${escaped(value!).replaceAll('"', "&quot;")}">${inner}</${tag}>`;
		}
	}
	return fragment;
}

/** A text as a fragment that shows it. */
export function escaped(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A fragment as nodes of the document. */
export function contentsOf(fragment: string): DocumentFragment {
	const template = document.createElement("template");
	template.innerHTML = fragment;
	return template.content;
}

/** The texts in a node, in order. */
export function textsIn(node: Node): Text[] {
	const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
	const all: Text[] = [];
	while (texts.nextNode() !== null) all.push(texts.currentNode as Text);
	return all;
}

/** Shows a fragment from the outline in a field, with its dates in words. No other code inserts HTML. */
export function showFragment(field: HTMLElement, fragment: string): void {
	field.innerHTML = fragment;
	showDatesInWords(field);
}

/** The text of a fragment as fields show it. */
export function shownText(fragment: string): string {
	const field = document.createElement("div");
	showFragment(field, fragment);
	return field.textContent!;
}

/** The longest name in a message, in characters. */
const longestName = 40;

/** The beginning of a name, for a message. */
export function shortName(fragment: string): string {
	const text = shownText(fragment);
	return text.length > longestName ? `${text.slice(0, longestName)}…` : text || "Untitled";
}

/** Shows plain text. The break at the end lets the caret go behind a last line break. */
export function showText(field: HTMLElement, text: string): void {
	field.replaceChildren(text, document.createElement("br"));
}
