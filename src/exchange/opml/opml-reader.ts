import { SaxesParser } from "saxes";
import type { Settings } from "../../engine/settings.js";
import { OutlineError } from "../../errors.js";
import type { Steps } from "../../pace.js";
import { Drafts } from "../drafts.js";
import type { FormatReader, ParsedFile } from "../format-module.js";
import { inLine, malformed } from "../lines.js";
import type { LossCount } from "../loss.js";
import { draftOf, namespace } from "./opml-attributes.js";

/** The number of characters that the parser reads at once. */
const parsedAtOnce = 4096;
/** The maximum number of attributes of an element. An outline has about a dozen. */
const attributeLimit = 10_000;

/** An outline element whose start tag has been read. */
interface Outline {
	readonly line: number;
	readonly depth: number;
	readonly attributes: Readonly<Record<string, string>>;
}

/** Reads OPML strictly as XML. It ignores the document type, so the only entities are the five of XML. */
export class OpmlReader implements FormatReader {
	readonly #settings: Settings;
	readonly #lost: LossCount;
	readonly #parser = new SaxesParser();
	readonly #drafts: Drafts;
	/** The outline elements that aren't nodes yet. */
	#outlines: Outline[] = [];
	/** The names of the open elements. */
	readonly #open: string[] = [];
	/** The number of open elements that are outlines. */
	#depth = 0;
	/** The line in which the last tag began. */
	#line = 1;
	#isOwn = false;
	#isDynalist = false;
	#hasBody = false;

	constructor(settings: Settings, lost: LossCount) {
		this.#settings = settings;
		this.#lost = lost;
		this.#drafts = new Drafts(settings);
		const parser = this.#parser;
		let attributes = 0;
		parser.on("attribute", () => {
			attributes += 1;
			if (attributes > attributeLimit)
				throw malformed(this.#line, `The element has more than ${attributeLimit} attributes, which no outline has.`);
		});
		parser.on("doctype", () => lost.add("doctype"));
		parser.on("opentagstart", () => {
			// If a line ends right after the name, the parser has already counted it.
			this.#line = parser.line - (parser.column === 0 ? 1 : 0);
			attributes = 0;
		});
		parser.on("opentag", ({ name, attributes }) => this.#openTag(name, attributes));
		parser.on("closetag", () => this.#closeTag());
		parser.on("text", (text) => this.#text(text));
		parser.on("cdata", (text) => this.#text(text));
	}

	get nodes(): number {
		return this.#drafts.count;
	}

	*write(piece: string): Steps<void> {
		for (let start = 0; start < piece.length; start += parsedAtOnce) {
			yield* this.#parse(() => this.#parser.write(piece.slice(start, start + parsedAtOnce)));
			yield;
		}
	}

	*end(): Steps<ParsedFile> {
		const { line } = this.#parser;
		yield* this.#parse(() => this.#parser.close());
		if (!this.#hasBody) throw malformed(line, "The file has no body element, so it is no OPML.");
		return this.#drafts.parsedFile();
	}

	*#parse(step: () => unknown): Steps<void> {
		let failure: unknown;
		try {
			step();
		} catch (error) {
			failure = error instanceof OutlineError ? error : this.#failure(error);
		}
		// Report an error in an outline before an error after it.
		const outlines = this.#outlines;
		this.#outlines = [];
		for (const outline of outlines) yield* inLine(outline.line, this.#add(outline));
		if (failure !== undefined) throw failure;
	}

	#failure(error: unknown): OutlineError {
		const { line, column } = this.#parser;
		const what = error instanceof Error ? error.message.replace(/^\d+:\d+: /, "") : String(error);
		return malformed(line, `Column ${column}: this is no XML: ${what.replace(/\.?$/, ".")}`, error);
	}

	*#add({ depth, attributes }: Outline): Steps<void> {
		const dialect = {
			settings: this.#settings,
			lost: this.#lost,
			isOwn: this.#isOwn,
			isDynalist: this.#isDynalist,
		};
		this.#drafts.add(yield* draftOf(attributes, depth, dialect));
	}

	get #isInBody(): boolean {
		return this.#open[1] === "body";
	}

	#openTag(name: string, attributes: Readonly<Record<string, string>>): void {
		if (this.#open.length === 0) {
			if (name !== "opml") throw malformed(this.#line, `The file begins with <${name}>, and OPML begins with <opml>.`);
			this.#isOwn = attributes["xmlns:outlinekit"] === namespace;
		} else if (this.#open.length === 1) {
			if (name === "body") this.#hasBody = true;
			else if (name !== "head") this.#lost.add(`element ${name}`);
		} else if (this.#isInBody && name === "outline") {
			this.#outlines.push({ line: this.#line, depth: this.#depth, attributes });
			this.#depth += 1;
		} else if (this.#isInBody) this.#lost.add(`element ${name}`);
		this.#open.push(name);
	}

	#closeTag(): void {
		const isOutline = this.#isInBody && this.#open.length > 2 && this.#open.at(-1) === "outline";
		if (isOutline) this.#depth -= 1;
		this.#open.pop();
	}

	#text(text: string): void {
		if (text.trim() === "") return;
		if (this.#open[1] === "head" && /^(?:dynalist|https:\/\/dynalist\.io\/?)$/.test(text.trim())) {
			this.#isDynalist = true;
			return;
		}
		this.#lost.add(this.#open[1] === "head" ? `head ${this.#open[2] ?? ""}`.trim() : "text");
	}
}
