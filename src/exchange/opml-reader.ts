import { SaxesParser } from "saxes";
import { OutlineError } from "../errors.js";
import type { Settings } from "../settings.js";
import type { DraftNode } from "../tree.js";
import { arrivalOf } from "./drafts.js";
import type { Arrival, FormatReader } from "./format-module.js";
import { atLine, malformed } from "./line-error.js";
import type { LossCount } from "./loss.js";
import { draftOf, namespace } from "./opml-attributes.js";

/** Reads OPML, strictly as XML. A document type is not looked into, so the only entities are the five of XML. */
export class OpmlReader implements FormatReader {
	readonly #settings: Settings;
	readonly #lost: LossCount;
	readonly #parser = new SaxesParser();
	readonly #drafts: DraftNode[] = [];
	/** The names of the open elements. */
	readonly #open: string[] = [];
	/** How many of them are outlines. */
	#depth = 0;
	/** The line in which the last tag has begun. */
	#line = 1;
	#isOwn = false;
	#hasBody = false;

	constructor(settings: Settings, lost: LossCount) {
		this.#settings = settings;
		this.#lost = lost;
		const parser = this.#parser;
		parser.on("doctype", () => lost.add("doctype"));
		parser.on("opentagstart", () => {
			// A line ending right behind the name has been read already.
			this.#line = parser.line - (parser.column === 0 ? 1 : 0);
		});
		parser.on("opentag", ({ name, attributes }) => this.#openTag(name, attributes));
		parser.on("closetag", () => this.#closeTag());
		parser.on("text", (text) => this.#text(text));
		parser.on("cdata", (text) => this.#text(text));
	}

	get nodes(): number {
		return this.#drafts.length;
	}

	write(piece: string): void {
		this.#parse(() => this.#parser.write(piece));
	}

	end(): Arrival {
		const { line } = this.#parser;
		this.#parse(() => this.#parser.close());
		if (!this.#hasBody) throw malformed(line, "The file has no body element, so it is no OPML.");
		return arrivalOf(this.#drafts);
	}

	#parse(step: () => unknown): void {
		try {
			step();
		} catch (error) {
			if (error instanceof OutlineError) throw error;
			const { line, column } = this.#parser;
			const what = error instanceof Error ? error.message.replace(/^\d+:\d+: /, "") : String(error);
			throw malformed(line, `Column ${column}: this is no XML: ${what}`, error);
		}
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
			const dialect = { settings: this.#settings, lost: this.#lost, isOwn: this.#isOwn };
			this.#drafts.push(atLine(this.#line, () => draftOf(attributes, this.#depth, dialect)));
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
		this.#lost.add(this.#open[1] === "head" ? `head ${this.#open[2] ?? ""}`.trim() : "text");
	}
}
