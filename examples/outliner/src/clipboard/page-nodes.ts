import { formatsOf, linkTo, styleOf, trim, unseen } from "../text/foreign.js";
import { foreignImage } from "../text/foreign-image.js";
import { escaped, fragmentOf } from "../text/fragment.js";
import type { CopiedNode } from "./copied-node.js";

/** Without any of these a page says no more than its text. */
const telling =
	"li, h1, h2, h3, h4, h5, h6, blockquote, pre, td, b, strong, i, em, s, del, code, a[href], img, [style*=mso-list]";
/** The elements that begin a new line. */
const block =
	"address, article, aside, dd, div, dl, dt, figure, figcaption, footer, header, hr, li, main, nav, p, section, table, tr";
/** A character before and behind the description of an image, that no text has. */
const imageEdge = "\ufdd0";
/** The text of a marker before an item of a list. */
const mark = /^\s*(?:[-*+\u00b7\u2022-\u2043\u2500-\u27bf\uf0a7\uf0b7]|\[[ xX]?\]|o(?=\t)|\p{L}[.)]|\d+[.)])\s+/gmu;

/**
 * The nodes of a page of several lines, with the formatting that names may have. Undefined if the page has no
 * more than its text, or other words than the text: then a part is hidden, and the text is safer.
 */
export function nodesOfPage({ body }: Document, text: string): CopiedNode[] | undefined {
	if (body.querySelector(telling) === null) return undefined;
	const reader = new PageReader();
	reader.read(body);
	reader.endLine();
	return isText(reader.text, lettersOf(text)) ? reader.nodes : undefined;
}

/**
 * Whether a page has these letters. Some browsers copy the descriptions of some images as text, others of none.
 */
function isText(page: string, letters: string): boolean {
	// Every second part is the description of an image.
	const parts = page.replace(mark, "").split(imageEdge).map(lettersOf);
	if (parts.filter((_, index) => index % 2 === 0).join("") === letters) return true;
	let end = 0;
	for (const [index, part] of parts.entries()) {
		if (letters.startsWith(part, end)) end += part.length;
		else if (index % 2 === 0) return false;
	}
	return end === letters.length;
}

function lettersOf(text: string): string {
	return text.replace(mark, "").replace(/\P{L}/gu, "");
}

/** The position of a line on a page. */
type Place = Pick<CopiedNode, "depth" | "layoutMode" | "completed">;

/** Reads a page from its beginning to its end, line by line. */
class PageReader {
	readonly nodes: CopiedNode[] = [];
	/** The words of the page, with the descriptions of images between two of {@link imageEdge}. */
	text = "";
	/** The words of a line, with its formatting. */
	#line = document.createDocumentFragment();
	#place: Place = { depth: 0, layoutMode: "bullets", completed: false };
	/** Whether the line is in a list. */
	#isListed = false;
	/** The levels of the headings above the line. */
	readonly #headings: number[] = [];

	/** @param formats - elements that the contents are in, the outermost first */
	read(parent: Node, formats: readonly Element[] = []): void {
		for (const node of parent.childNodes) {
			if (node.nodeType === Node.TEXT_NODE) this.#write((node as Text).data, formats);
			else if (node.nodeType === Node.ELEMENT_NODE) this.#readElement(node as HTMLElement, formats);
		}
	}

	/** Makes a node of what has been read of a line, if there is anything. */
	endLine(): void {
		const line = this.#line;
		this.#line = document.createDocumentFragment();
		this.text += "\n";
		trim(line);
		if (line.textContent!.trim() !== "") this.#add(fragmentOf(line), this.#place);
	}

	#readElement(element: HTMLElement, outer: readonly Element[]): void {
		// Word writes these before an item of a list.
		if (element.matches(unseen) || styleOf(element, "mso-list") === "ignore") return;
		const { tagName } = element;
		const inner = formatsOf(element).filter((each) => outer.every((other) => other.tagName !== each.tagName));
		const formats = [...outer, ...inner];
		const read = () => this.read(element, formats);
		const heading = this.#isListed ? undefined : /^H([1-6])$/.exec(tagName)?.[1];
		if (tagName === "BR") this.endLine();
		else if (tagName === "IMG") this.#readImage(element, formats);
		else if (tagName === "PRE") this.#readCode(element);
		else if (tagName === "UL" || tagName === "OL") this.#readList(read);
		else if (heading !== undefined) this.#readHeading(Number(heading), read);
		else if (tagName === "BLOCKQUOTE") this.#readAt({ layoutMode: "quote-block" }, read);
		else if (element.matches("[aria-checked]")) this.#readAt(todo(element.ariaChecked === "true"), read);
		else if (element.matches("input[type=checkbox]")) {
			this.#place = { ...this.#place, ...todo(element.hasAttribute("checked")) };
		} else if (element.matches(block)) this.#readAt({ depth: this.#place.depth + levelOf(element) }, read);
		else read();
		if (tagName === "TD" || tagName === "TH") this.#write(" ", []);
	}

	#readAt(change: Partial<Place>, read: () => void): void {
		this.endLine();
		const outer = this.#place;
		this.#place = { ...outer, ...change };
		read();
		this.endLine();
		this.#place = outer;
	}

	#readList(read: () => void): void {
		const isNested = this.#isListed;
		this.#isListed = true;
		this.#readAt({ depth: this.#place.depth + Number(isNested) }, read);
		this.#isListed = isNested;
	}

	#readHeading(level: number, read: () => void): void {
		this.endLine();
		while ((this.#headings.at(-1) ?? 0) >= level) this.#headings.pop();
		this.#readAt({ layoutMode: (["h1", "h2", "h3"] as const)[Math.min(level, 3) - 1]! }, read);
		this.#headings.push(level);
	}

	#readCode(element: HTMLElement): void {
		this.endLine();
		const code = element.textContent!.replace(/\n$/, "");
		this.text += `${code}\n`;
		if (code.trim() !== "") this.#add(escaped(code), { ...this.#place, layoutMode: "code-block" });
	}

	#readImage(element: Element, formats: readonly Element[]): void {
		const image = foreignImage(element);
		if (image === undefined) return;
		const isLink = image.href !== undefined && formats.every(({ tagName }) => tagName !== "A");
		this.#append(image.text, isLink ? [...formats, linkTo(image.href)] : formats);
		this.text += imageEdge + image.said.replaceAll(imageEdge, "") + imageEdge;
	}

	#add(name: string, place: Place): void {
		const deepest = this.nodes.length === 0 ? 0 : this.nodes.at(-1)!.depth + 1;
		const depth = Math.min(this.#headings.length + place.depth, deepest);
		this.nodes.push({ ...place, depth, name, note: null, expanded: true, originId: null });
	}

	#write(text: string, formats: readonly Element[]): void {
		this.text += text.replaceAll(imageEdge, "");
		this.#append(text, formats);
	}

	#append(text: string, formats: readonly Element[]): void {
		let node: Node = document.createTextNode(text.replace(/[\t\n\f\r ]+/g, " "));
		for (const format of formats.toReversed()) {
			const around = format.cloneNode(false);
			around.appendChild(node);
			node = around;
		}
		this.#line.append(node);
	}
}

function todo(completed: boolean): Partial<Place> {
	return { layoutMode: "todo", completed };
}

/** The depth of a paragraph of Word in a list. */
function levelOf(element: Element): number {
	const level = /level(\d)/.exec(styleOf(element, "mso-list"))?.[1];
	return level === undefined ? 0 : Number(level) - 1;
}
