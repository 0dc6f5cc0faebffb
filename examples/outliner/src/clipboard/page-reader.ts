import { formatsOf, linkTo, styleOf, trim, unseen } from "../text/foreign.js";
import { foreignImage } from "../text/foreign-image.js";
import { escaped, fragmentOf } from "../text/fragment.js";
import type { CopiedNode } from "./copied-node.js";

/** A character before and behind the description of an image, which no text has. */
export const imageEdge = "\ufdd0";
/** The elements that begin a new line. */
const block =
	"li > span.note, address, article, aside, dd, div, dl, dt, figure, figcaption, footer, header, hr, li, main, nav, p, section, table, tr";

/** The properties that a line has from the elements around it. */
type LineContext = Pick<CopiedNode, "depth" | "layoutMode" | "completed">;

/** A node whose note may still get lines. */
interface Note {
	note: string | null;
}

/** Reads a page from its beginning to its end, line by line. */
export class PageReader {
	readonly nodes: CopiedNode[] = [];
	/** The words of the page, with the descriptions of images between two of {@link imageEdge}. */
	text = "";
	/** The words of a line, with its formatting. */
	#line = document.createDocumentFragment();
	#context: LineContext = { depth: 0, layoutMode: "bullets", completed: false };
	/** Whether the line is in a list. */
	#isListed = false;
	/** The node of the item that the line is in; null before its first line, undefined outside items. */
	#item: Note | null | undefined;
	/** Whether the line is a row of a table, which its cells don't break. */
	#isInRow = false;
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
		if (this.#isInRow) {
			this.#write(" ", []);
			return;
		}
		const line = this.#line;
		this.#line = document.createDocumentFragment();
		this.text += "\n";
		trim(line);
		if (line.textContent!.trim() === "") return;
		const item = this.#item;
		const isPlain = this.#context.layoutMode === "bullets" || this.#context.layoutMode === "todo";
		// As in Markdown, the second line of an item is its note, and lines after its children are children.
		if (item && isPlain && item === this.nodes.at(-1)) {
			item.note = (item.note === null ? "" : `${item.note}\n`) + noteOf(line);
		} else this.#add(...this.#withBox(fragmentOf(line)));
	}

	/** A line and its context; of a to-do if the line begins with a box. */
	#withBox(name: string): [name: string, context: LineContext] {
		const [box, open] = /^(?:\[[xX]\]|☑|(\[ \]|☐))\s+(?=\S)/.exec(name) ?? [];
		if (box === undefined || this.#context.layoutMode !== "bullets") return [name, this.#context];
		return [name.slice(box.length), { ...this.#context, ...todo(open === undefined) }];
	}

	#readItem(element: Element, formats: readonly Element[]): void {
		const outer = this.#item;
		this.#item = null;
		this.read(element, formats);
		this.endLine();
		this.#item = outer;
	}

	#readElement(element: HTMLElement, outer: readonly Element[]): void {
		// Word writes these before an item of a list.
		if (element.matches(unseen) || styleOf(element, "mso-list") === "ignore") return;
		const { tagName } = element;
		const inner = formatsOf(element).filter((each) => outer.every((other) => other.tagName !== each.tagName));
		const formats = [...outer, ...inner];
		const read = tagName === "LI" ? () => this.#readItem(element, formats) : () => this.read(element, formats);
		const heading = this.#isListed ? undefined : /^H([1-6])$/.exec(tagName)?.[1];
		if (tagName === "BR") this.endLine();
		else if (tagName === "IMG") this.#readImage(element, formats);
		else if (tagName === "TR" && isRow(element)) this.#readRow(element, formats);
		else if (tagName === "PRE") this.#readCode(element);
		else if (tagName === "UL" || tagName === "OL") this.#readList(read);
		else if (heading !== undefined) this.#readHeading(Number(heading), read);
		else if (tagName === "BLOCKQUOTE") this.#readAt({ layoutMode: "quote-block" }, read);
		else if (element.matches("[aria-checked]")) this.#readAt(todo(element.ariaChecked === "true"), read);
		else if (element.matches("input[type=checkbox]")) {
			this.#context = { ...this.#context, ...todo(element.hasAttribute("checked")) };
		} else if (element.matches(block)) this.#readAt({ depth: this.#context.depth + levelOf(element) }, read);
		else read();
		if (tagName === "TD" || tagName === "TH") this.#write(" ", []);
	}

	#readAt(change: Partial<LineContext>, read: () => void): void {
		this.endLine();
		const outer = this.#context;
		this.#context = { ...outer, ...change };
		read();
		this.endLine();
		this.#context = outer;
	}

	#readList(read: () => void): void {
		const isNested = this.#isListed;
		this.#isListed = true;
		this.#readAt({ depth: this.#context.depth + Number(isNested) }, read);
		this.#isListed = isNested;
	}

	#readHeading(level: number, read: () => void): void {
		this.endLine();
		while ((this.#headings.at(-1) ?? 0) >= level) this.#headings.pop();
		this.#readAt({ layoutMode: (["h1", "h2", "h3"] as const)[Math.min(level, 3) - 1]! }, read);
		this.#headings.push(level);
	}

	#readRow(row: Element, formats: readonly Element[]): void {
		this.endLine();
		this.#isInRow = true;
		const cells = [...row.children];
		const last = cells.findLastIndex((cell) => cell.textContent!.trim() !== "" || cell.querySelector("img") !== null);
		for (const [index, cell] of cells.slice(0, last + 1).entries()) {
			if (index > 0) this.#append(" | ", []);
			this.#readElement(cell as HTMLElement, formats);
		}
		this.#isInRow = false;
		this.endLine();
	}

	#readCode(element: HTMLElement): void {
		this.endLine();
		const code = element.textContent!.replace(/\n$/, "");
		this.text += `${code}\n`;
		if (code.trim() !== "") this.#add(escaped(code), { ...this.#context, layoutMode: "code-block" });
	}

	#readImage(element: Element, formats: readonly Element[]): void {
		const image = foreignImage(element);
		if (image === undefined) return;
		const isLink = image.href !== undefined && formats.every(({ tagName }) => tagName !== "A");
		this.#append(image.text, isLink ? [...formats, linkTo(image.href)] : formats);
		this.text += imageEdge + image.said.replaceAll(imageEdge, "") + imageEdge;
	}

	#add(name: string, context: LineContext): void {
		const deepest = this.nodes.length === 0 ? 0 : this.nodes.at(-1)!.depth + 1;
		const depth = Math.min(this.#headings.length + context.depth + Number(Boolean(this.#item)), deepest);
		const node = { ...context, depth, name, note: null, expanded: true, originId: null };
		this.nodes.push(node);
		if (this.#item === null) this.#item = node;
	}

	#write(text: string, formats: readonly Element[]): void {
		// Chromium copies the spaces beside an element as no-break spaces.
		const shown = text.replace(/[\t\n\f\r \u00a0]+/g, " ").replaceAll(imageEdge, "");
		this.text += shown;
		this.#append(shown, formats);
	}

	#append(text: string, formats: readonly Element[]): void {
		let node: Node = document.createTextNode(text);
		for (const format of formats.toReversed()) {
			const around = format.cloneNode(false);
			around.appendChild(node);
			node = around;
		}
		this.#line.append(node);
	}
}

/** Whether a row of a table holds data. Many pages use tables to lay out all they have. */
function isRow(row: Element): boolean {
	const isLine = (cell: Element) => cell.querySelectorAll("p, div").length <= 1;
	return (
		row.children.length > 1 &&
		row.querySelector("table, ul, ol, pre, blockquote, h1, h2, h3, h4, h5, h6") === null &&
		[...row.children].every(isLine)
	);
}

/** A line as plain text. Each link is followed by its address in parentheses. */
function noteOf(line: DocumentFragment): string {
	for (const link of line.querySelectorAll("a")) {
		const href = link.getAttribute("href")!;
		if (link.textContent !== href) link.append(` (${href})`);
	}
	return line.textContent!;
}

function todo(completed: boolean): Partial<LineContext> {
	return { layoutMode: "todo", completed };
}

/** The depth of a paragraph of Word in a list. */
function levelOf(element: Element): number {
	const level = /level(\d)/.exec(styleOf(element, "mso-list"))?.[1];
	return level === undefined ? 0 : Number(level) - 1;
}
