import type { HitRanges, OutlineNode, SearchHit, TextRange } from "outlinekit";
import { toText } from "outlinekit/markup";
import type { Output, Style } from "./output.ts";

/** Characters that could change the terminal: all controls except tabs and line ends. */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** The style of the words that a search has found. */
const foundStyle: Style = ["bold", "yellow"];

/** Returns a text of the outline as a terminal may show it. Other people may have written it. */
export function printable(text: string): string {
	return text.replace(controls, "\ufffd");
}

/** Returns the name of a node in one line. */
export function nameLine(node: Pick<OutlineNode, "name">): string {
	return printable(toText(node.name).replace(/\s+/g, " "));
}

/** Returns a node as JSON has it: with its text beside its name, which is HTML. */
export function nodeObject<Node extends Pick<OutlineNode, "name">>(node: Node): Node & { readonly text: string } {
	return { ...node, text: toText(node.name) };
}

/** Returns a hit as JSON has it. */
export function hitObject({ node, ancestors, ...rest }: SearchHit): object {
	return { ...nodeObject(node), ...rest, ...(ancestors !== undefined && { ancestors: ancestors.map(nodeObject) }) };
}

/** Returns a node as a terminal shows it: the sign, the text, the short id, and the note below. */
export function nodeLines(node: OutlineNode, depth: number, output: Output, found?: HitRanges): string {
	const indentation = "  ".repeat(depth);
	const isHeading = /^h\d$/.test(node.layoutMode);
	const style = node.completed ? "dim" : isHeading ? "bold" : undefined;
	const [first = "", ...rest] = linesOf(toText(node.name), output, style, found?.name);
	const notes = node.note === null ? [] : linesOf(node.note, output, "dim", found?.note);
	return [
		`${indentation}${signOf(node)} ${first}  ${output.styled("dim", node.id.slice(-12))}`,
		...[...rest, ...notes].map((line) => `${indentation}  ${line}`),
	].join("\n");
}

/** Returns a hit as a terminal shows it: the node with the matches in bold, and the names above it below. */
export function hitLines({ node, ancestors = [], ranges }: SearchHit, output: Output): string {
	const lines = nodeLines(node, 0, output, ranges);
	if (ancestors.length === 0) return lines;
	return `${lines}\n  ${output.styled("dim", `in ${ancestors.map(nameLine).join(" › ")}`)}`;
}

/** Returns the lines of a text with a style, and another one for some ranges. */
function linesOf(text: string, output: Output, style: Style | undefined, ranges: readonly TextRange[] = []): string[] {
	const pieces: { readonly text: string; readonly isFound: boolean }[] = [];
	let read = 0;
	for (const { start, end } of ranges) {
		pieces.push({ text: text.slice(read, start), isFound: false }, { text: text.slice(start, end), isFound: true });
		read = end;
	}
	pieces.push({ text: text.slice(read), isFound: false });
	const styled = (line: string, isFound: boolean) => {
		const own = isFound ? foundStyle : style;
		return own === undefined ? line : output.styled(own, line);
	};
	// A style must not go over the end of a line, because an indentation follows.
	return pieces
		.map(({ text, isFound }) =>
			printable(text)
				.split("\n")
				.map((line) => styled(line, isFound))
				.join("\n"),
		)
		.join("")
		.split("\n");
}

function signOf({ layoutMode, completed, mirror }: OutlineNode): string {
	if (completed) return layoutMode === "todo" ? "☑" : "✓";
	if (layoutMode === "todo") return "☐";
	return mirror?.originId === undefined ? "•" : "◆";
}
