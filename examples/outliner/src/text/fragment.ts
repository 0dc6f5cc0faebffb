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
/** The attribute of those that have one. */
export const attributes: { readonly [tag: string]: string } = { a: "href", time: "datetime" };

/** What holds the caret behind an element, where browsers would put what is typed into the element. It isn't part of the text. */
export const caretHold = "\u200b";

/** What is edited in a field, as the fragment that the outline keeps. Elements that it doesn't know count for what is in them. */
export function fragmentOf(parent: Node): string {
	let fragment = "";
	for (const node of parent.childNodes) {
		if (node instanceof Text) fragment += escaped(node.data.startsWith(caretHold) ? node.data.slice(1) : node.data);
		else if (node instanceof Element) {
			const tag = tags[node.tagName];
			const inner = fragmentOf(node);
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

/** Shows a fragment in a field: one that the outline has given, whose serializer is the only one that makes HTML. */
export function showFragment(field: HTMLElement, fragment: string): void {
	field.innerHTML = fragment;
}

/** Shows plain text. The break at the end lets the caret stand behind a last line break. */
export function showText(field: HTMLElement, text: string): void {
	field.replaceChildren(text, document.createElement("br"));
}
