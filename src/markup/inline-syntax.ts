import type { Literal } from "mdast";
import type { CompileContext, Token, Extension as TreeExtension } from "mdast-util-from-markdown";
import { attention, codeText } from "micromark-core-commonmark";
import type { Construct, Extension as SyntaxExtension } from "micromark-util-types";
import { decodeReferences } from "./character-reference.js";
import { createCodeSpanReader } from "./code-span.js";
import { createMarkupReader } from "./tag.js";

/** A character that stands for itself: from a backslash escape or a character reference. */
export interface LiteralNode extends Literal {
	type: "literal";
}

declare module "mdast" {
	interface PhrasingContentMap {
		literal: LiteralNode;
	}
	interface RootContentMap {
		literal: LiteralNode;
	}
}

const replaced = ["attention", "codeText", "htmlText"];
const blockConstructs = [
	"blockQuote",
	"list",
	"codeIndented",
	"codeFenced",
	"definition",
	"headingAtx",
	"htmlFlow",
	"setextUnderline",
	"thematicBreak",
];

/**
 * Inline Markdown alone, for one piece of text: emphasis with `*` only, and code spans and HTML only where they surely end,
 * since micromark runs to the end of the text for each one that doesn't.
 */
export function inlineSyntax(text: string): SyntaxExtension {
	return {
		disable: { null: [...replaced, ...blockConstructs] },
		text: {
			42: { ...attention, name: "starAttention" },
			60: htmlConstruct(createMarkupReader(text)),
			96: codeSpanConstruct(createCodeSpanReader(text)),
		},
	};
}

/** Keeps escapes and character references apart from the text, so that they can't make up a date, as {@link LiteralNode}. */
export const literalNodes: TreeExtension = {
	enter: { characterEscape: enterLiteral, characterReference: enterLiteral },
	exit: {
		characterEscape: exitLiteral,
		characterEscapeValue: ignore,
		characterReference: exitLiteral,
		characterReferenceMarkerHexadecimal: ignore,
		characterReferenceMarkerNumeric: ignore,
		characterReferenceValue: ignore,
	},
};

function codeSpanConstruct(codeEnd: (start: number) => number): Construct {
	return {
		...codeText,
		name: "endingCodeText",
		tokenize(effects, ok, nok) {
			if (codeEnd(this.now().offset) === -1) return nok;
			return codeText.tokenize.call(this, effects, ok, nok);
		},
	};
}

function htmlConstruct(markupEnd: (start: number) => number): Construct {
	return {
		name: "endingHtmlText",
		tokenize(effects, ok, nok) {
			const end = markupEnd(this.now().offset);
			if (end === -1) return nok;
			const consume = (code: number | null) => {
				if (this.now().offset === end) {
					effects.exit("htmlTextData");
					effects.exit("htmlText");
					return ok(code);
				}
				effects.consume(code);
				return consume;
			};
			return (code) => {
				effects.enter("htmlText");
				effects.enter("htmlTextData");
				return consume(code);
			};
		},
	};
}

function enterLiteral(this: CompileContext, token: Token): undefined {
	this.enter({ type: "literal", value: "" }, token);
}

function exitLiteral(this: CompileContext, token: Token): undefined {
	const node = this.stack.at(-1);
	const source = this.sliceSerialize(token);
	if (node?.type === "literal") {
		node.value = token.type === "characterEscape" ? source.slice(1) : decodeReferences(source);
	}
	this.exit(token);
}

function ignore(): undefined {}
