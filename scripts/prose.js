/**
 * Counts habits of style in comments, test names, error messages and Markdown pages, per 1,000 words.
 *
 *     node scripts/prose.js [--list] [--root <folder>] [--staged | --since <commit>] [<path> ...]
 *
 * Prints a table by folder. `--list` prints each place instead. `--staged` and `--since` count new lines
 * alone.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";

/** @typedef {{ line: number, text: string }} Line */
/** @typedef {{ kind: string, lines: Line[] }} Passage - some lines of prose that belong together */
/** @typedef {{ habit: string, phrase: string, from: number, to: number }} Place */

const participles =
	"told|given|asked|known|kept|made|taken|said|shown|found|held|handed|put|left|brought|done|looked at|let go";

/** Phrases that one expression finds, by the habit that they show. */
const phrases = new Map([
	["who", /\b(?:whoever|whomever|somebody|nobody|anybody|everybody|others|those|who)\b/gi],
	[
		"passive",
		new RegExp(`\\b(?:is|are|was|were|be|been|being)(?: (?:not|never|only|also))? (?:${participles})\\b`, "gi"),
	],
	["stand", /\b(?:stands?|stood|standing|lies?|lying)\b/gi],
	[
		"anew",
		/\b(?:anew|as good as|nothing of|by itself|by themselves|let(?:s|ting)? go of|hear(?:s|d)? of|ha(?:s|ve|d) a part in|com(?:es?|ing) to be|becomes? of)\b/gi,
	],
]);

const habits = ["who", "what", "passive", "stand", "anew", "long", "wide"];
const kinds = ["doc comments", "// comments", "test names", "error messages", "Markdown"];

/**
 * The most words of a sentence, and the most columns of a comment's line. A tab is as wide as for the
 * formatter.
 */
const longest = 25;
const widest = 110;
const tab = "  ";

const skipped = new Set(["node_modules", "dist", "coverage", "outline-data", "awesome.md"]);

/** The names of the files below a folder, or of the file itself. @returns {string[]} */
function filesBelow(path) {
	if (!statSync(path).isDirectory()) return [path];
	return readdirSync(path)
		.filter((name) => !name.startsWith(".") && !skipped.has(name))
		.flatMap((name) => filesBelow(join(path, name)))
		.filter((name) => /\.(?:tsx?|js|md)$/.test(name));
}

/** Prose without code, links and tags. Code counts as one word. */
function plain(text) {
	return text
		.replace(/`[^`]*`/g, "code")
		.replace(/\{@link ([^}]*)\}/g, "$1")
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
		.replace(/<\/?[a-z][^>]*>/gi, "")
		.replace(/https?:\S+/g, "address");
}

/**
 * Lines with a break before each list item, tag, heading and row of a table: they begin sentences.
 *
 * @returns {Line[]}
 */
function broken(lines) {
	let isCode = false;
	return lines.flatMap(({ line, text }) => {
		const isFence = /^\s*```/.test(text);
		if (isFence) isCode = !isCode;
		if (isFence || isCode || /^\s*\|[\s|:-]*$/.test(text)) return [{ line, text: "\n" }];
		const isRow = /^\s*\|/.test(text);
		const begins = isRow || /^\s*(?:#|[-*] |\d+\. |@|$)/.test(text);
		const stripped = text.replace(/^\s*(?:#+|[-*]|\d+\.)\s/, "").replace(/@param \S+ -|@\w+/g, "");
		const words = plain(stripped)
			.replaceAll("**", "")
			.replaceAll(isRow ? "|" : "\n", "\n");
		return [
			{ line, text: (begins ? "\n" : " ") + words.replace(/[ \t]+/g, " ").replace(/^ /, "") + (isRow ? "\n" : "") },
		];
	});
}

/** The words of a text. */
const wordsOf = (text) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];

/**
 * Counts the words of a passage by line, and finds its places.
 *
 * @returns {{ words: { line: number, count: number }[], places: Place[] }}
 */
function measure({ kind, lines }) {
	const pieces = broken(lines);
	const text = pieces.map((piece) => piece.text).join("");
	const starts = [];
	let length = 0;
	for (const piece of pieces) {
		starts.push(length);
		length += piece.text.length;
	}
	const lineAt = (offset) => pieces[starts.findLastIndex((start) => start <= offset)].line;
	const places = [];
	const add = (habit, phrase, from, to) => {
		places.push({ habit, phrase: phrase.replace(/\s+/g, " "), from: lineAt(from), to: lineAt(Math.max(from, to - 1)) });
	};
	for (const [habit, expression] of phrases) {
		for (const { 0: phrase, index } of text.matchAll(expression)) add(habit, phrase, index, index + phrase.length);
	}
	let isFirst = true;
	for (const match of text.matchAll(/[^\n]*?(?:[.!?]["”)]*(?=\s|$)|(?=\n)|$)/g)) {
		const sentence = match[0].trim();
		if (sentence === "") continue;
		const from = match.index + match[0].indexOf(sentence);
		const opener = isFirst && kind !== "Markdown" ? /^(?:What|How|Who)\b/i : /^What\b/;
		if (opener.test(sentence) && !sentence.endsWith("?")) add("what", sentence.split(" ", 3).join(" "), from, from + 4);
		const count = wordsOf(sentence).length;
		if (count > longest) add("long", `${count} words: ${sentence.slice(0, 50)} ...`, from, from + sentence.length);
		isFirst = false;
	}
	return { words: pieces.map((piece) => ({ line: piece.line, count: wordsOf(piece.text).length })), places };
}

/** The text of a page. @returns {Passage[]} */
function passagesOfPage(source) {
	return [{ kind: "Markdown", lines: source.split("\n").map((text, index) => ({ line: index + 1, text })) }];
}

/** The passages of a program: its comments, test names and messages. @returns {Passage[]} */
function passagesOfProgram(name, source) {
	const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
	const lineAt = (offset) => file.getLineAndCharacterOfPosition(offset).line + 1;
	const passages = [];
	/** Ranges in which nothing is a comment. @type {Map<number, number>} */
	const texts = new Map();
	const visit = (node) => {
		const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
		if (isText || ts.isRegularExpressionLiteral(node)) texts.set(node.getStart(), node.end);
		if (ts.isJsxText(node)) texts.set(node.pos, node.end);
		const kind = kindOf(node);
		if (kind !== undefined) {
			for (const argument of node.arguments ?? []) {
				const text = textOf(argument);
				if (text?.includes(" ")) passages.push({ kind, lines: [{ line: lineAt(argument.getStart()), text }] });
				if (kind === "test names") break;
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return [...commentsIn(source, texts, lineAt), ...passages];
}

/** The kind of prose among the arguments of a call, if any. */
function kindOf(node) {
	if (ts.isNewExpression(node)) return /Error$/.test(node.expression.getText()) ? "error messages" : undefined;
	if (!ts.isCallExpression(node)) return undefined;
	const callee = node.expression.getText();
	if (callee === "invalidArgument") return "error messages";
	return /^(?:test|it|describe)\b/.test(callee) ? "test names" : undefined;
}

/** The words of a text or a template. */
function textOf(node) {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map((span) => `X${span.literal.text}`).join("");
}

/** The comments of a program. `//` comments on consecutive lines are one. @returns {Passage[]} */
function commentsIn(source, texts, lineAt) {
	const comments = [];
	let last;
	for (let at = 0; at < source.length; at++) {
		const end = texts.get(at);
		if (end !== undefined) at = end - 1;
		if (end !== undefined || source[at] !== "/") continue;
		const [comment] = source.startsWith("//", at)
			? [source.slice(at).split("\n", 1)[0]]
			: (/^\/\*.*?\*\//s.exec(source.slice(at)) ?? []);
		if (comment === undefined) continue;
		const line = lineAt(at);
		const isDoc = comment.startsWith("/**");
		const lines = comment
			.replace(/^\/\/+|^\/\*+|\*+\/$/g, "")
			.split("\n")
			.map((text, index) => ({ line: line + index, text: text.replace(/^\s*\* ?/, "") }));
		const follows = !isDoc && last?.kind === "// comments" && last.lines.at(-1).line === line - 1;
		if (follows) last.lines.push(...lines);
		else if (!/biome-ignore|@ts-|<reference|@vitest/.test(comment)) {
			last = { kind: isDoc ? "doc comments" : "// comments", lines };
			comments.push(last);
		}
		at += comment.length - 1;
	}
	return comments;
}

/** The lines of a comment that are too wide. @returns {Place[]} */
function wideLines({ kind, lines }, written) {
	if (kind !== "doc comments" && kind !== "// comments") return [];
	return lines
		.map(({ line }) => ({ line, text: written[line - 1].replaceAll("\t", tab) }))
		.filter(({ text }) => text.length > widest && /^\s*(?:\/?\*|\/\/)/.test(text))
		.map(({ line, text }) => ({ habit: "wide", phrase: `${text.length} columns`, from: line, to: line }));
}

/**
 * The lines that are new, by file; undefined if all count.
 *
 * @returns {Map<string, Set<number>> | undefined}
 */
function newLines(root, { staged, since }) {
	if (!staged && since === undefined) return undefined;
	const options = ["diff", "--unified=0", "--no-color", "--no-ext-diff", "--relative", staged ? "--cached" : since];
	const diff = execFileSync("git", [...options, "--"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
	const lines = new Map();
	let file = "";
	for (const row of diff.split("\n")) {
		const [, name] = /^\+\+\+ b\/(.*)$/.exec(row) ?? [];
		if (name !== undefined) file = name;
		const [, start, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(row) ?? [];
		if (start === undefined) continue;
		const added = lines.get(file) ?? new Set();
		for (let line = Number(start); line < Number(start) + Number(count); line++) added.add(line);
		lines.set(file, added);
	}
	return lines;
}

/** Measures a file. @returns {{ kind: string, words: number, places: Place[] }[]} */
function measureFile(root, name, isCounted) {
	const source = readFileSync(join(root, name), "utf8");
	const written = source.split("\n");
	const passages = name.endsWith(".md") ? passagesOfPage(source) : passagesOfProgram(name, source);
	return passages.map((passage) => {
		const { words, places } = measure(passage);
		return {
			kind: passage.kind,
			words: words.filter(({ line }) => isCounted(line)).reduce((sum, { count }) => sum + count, 0),
			places: [...places, ...wideLines(passage, written)].filter(({ from, to }) => {
				for (let line = from; line <= to; line++) if (isCounted(line)) return true;
				return false;
			}),
		};
	});
}

/** A row of the table: words, and the rate of each habit. */
function row(name, { words, counts }) {
	const rate = (habit) => ((1000 * (counts.get(habit) ?? 0)) / Math.max(words, 1)).toFixed(1);
	return [name.padEnd(24), ...[words, ...habits.map(rate)].map((cell) => String(cell).padStart(8))].join("");
}

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		list: { type: "boolean", default: false },
		staged: { type: "boolean", default: false },
		since: { type: "string" },
		root: { type: "string", default: resolve(import.meta.dirname, "..") },
	},
});
const added = newLines(values.root, values);
const names = (positionals.length > 0 ? positionals : ["."])
	.flatMap((path) => filesBelow(resolve(values.root, path)))
	.map((path) => relative(values.root, path).replaceAll("\\", "/"))
	.filter((name) => added === undefined || added.has(name));
const groups = new Map();
const totals = new Map(kinds.concat("total").map((kind) => [kind, { words: 0, counts: new Map() }]));
for (const name of names) {
	const folder = name.split("/").slice(0, -1).slice(0, 2).join("/") || ".";
	if (!groups.has(folder)) groups.set(folder, { words: 0, counts: new Map() });
	const measured = measureFile(values.root, name, (line) => added?.get(name).has(line) ?? true);
	for (const { kind, words, places } of measured) {
		for (const sum of [groups.get(folder), totals.get(kind), totals.get("total")]) {
			sum.words += words;
			for (const { habit } of places) sum.counts.set(habit, (sum.counts.get(habit) ?? 0) + 1);
		}
	}
	if (!values.list) continue;
	const rank = ({ from, habit }) => from * habits.length + habits.indexOf(habit);
	const places = measured.flatMap((each) => each.places).sort((left, right) => rank(left) - rank(right));
	for (const { habit, phrase, from } of places) console.log(`${name}:${from}: ${habit}: ${phrase}`);
}
if (!values.list) {
	console.log(["per 1,000 words".padEnd(24), ...["words", ...habits].map((cell) => cell.padStart(8))].join(""));
	for (const [name, sum] of [...groups].filter(([, { words }]) => words > 0).sort()) console.log(row(name, sum));
	console.log();
	for (const [name, sum] of totals) console.log(row(name, sum));
}
