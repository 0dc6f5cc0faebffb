import type { OutlineNode } from "outlinekit";
import { toText } from "outlinekit/markup";
import type { Output } from "./output.ts";

/** Characters that could change the terminal: all controls except tabs and line ends. */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Returns a text of the outline as a terminal may show it. Other people may have written it. */
export function printable(text: string): string {
	return text.replace(controls, "\ufffd");
}

/** Returns the name of a node in one line. */
export function nameLine(node: Pick<OutlineNode, "name">): string {
	return printable(toText(node.name).replace(/\s+/g, " "));
}

/** Returns a node as a terminal shows it: the sign, the text, the short id, and the note below. */
export function nodeLines(node: OutlineNode, depth: number, output: Output): string {
	const indentation = "  ".repeat(depth);
	const [first = "", ...rest] = printable(toText(node.name)).split("\n");
	const isHeading = /^h\d$/.test(node.layoutMode);
	const style = node.completed ? "dim" : isHeading ? "bold" : undefined;
	const styled = (text: string) => (style === undefined ? text : output.styled(style, text));
	const notes = node.note === null ? [] : printable(node.note).split("\n");
	return [
		`${indentation}${signOf(node)} ${styled(first)}  ${output.styled("dim", node.id.slice(-12))}`,
		...rest.map((line) => `${indentation}  ${styled(line)}`),
		...notes.map((line) => `${indentation}  ${output.styled("dim", line)}`),
	].join("\n");
}

function signOf({ layoutMode, completed, mirror }: OutlineNode): string {
	if (completed) return layoutMode === "todo" ? "☑" : "✓";
	if (layoutMode === "todo") return "☐";
	return mirror?.originId === undefined ? "•" : "◆";
}
