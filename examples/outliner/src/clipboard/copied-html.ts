import { escaped } from "../text/fragment.js";
import type { CopiedNode } from "./copied-node.js";

/** The attribute of a list that carries the nodes without loss. */
const attribute = "data-outlinekit";
/** The attribute behind it that carries cut nodes as a file. */
const cutAttribute = "data-outlinekit-cut";
const layoutTags: { readonly [layoutMode: string]: string } = {
	h1: "h1",
	h2: "h2",
	h3: "h3",
	"quote-block": "blockquote",
	"code-block": "pre",
};
const layoutModes: readonly string[] = ["bullets", "todo", ...Object.keys(layoutTags)];

/** The nodes that the clipboard carries. */
export interface OwnNodes {
	readonly nodes: readonly CopiedNode[];
	/** The same nodes as a file that moves them, if they were cut. */
	readonly cut: string | undefined;
}

/**
 * Copied nodes as nested lists, for other programs. The outermost list carries them without loss.
 *
 * @param cut - the nodes as a file, if they are cut
 */
export function htmlOf(copied: readonly CopiedNode[], cut?: string): string {
	const quoted = (text: string) => `"${escaped(text).replaceAll('"', "&quot;")}"`;
	const file = cut === undefined ? "" : ` ${cutAttribute}=${quoted(cut)}`;
	let html = `<ul ${attribute}=${quoted(jsonOf(copied))}${file}>`;
	for (const [index, node] of copied.entries()) {
		const next = copied[index + 1]?.depth ?? -1;
		html += `<li>${contentOf(node)}`;
		html += next > node.depth ? "<ul>" : `</li>${"</ul></li>".repeat(Math.max(0, node.depth - Math.max(0, next)))}`;
	}
	return `${html}</ul>`;
}

/** Copied nodes as HTML that carries all their fields, for this outliner. */
export function jsonOf(copied: readonly CopiedNode[]): string {
	return JSON.stringify(copied);
}

/**
 * The nodes that the clipboard's HTML carries; undefined if another program wrote it, or has changed its texts or
 * a part of it was copied there. Doesn't parse it, as it may be very long.
 */
export function nodesOfHtml(html: string): OwnNodes | undefined {
	const start = html.indexOf(` ${attribute}="`);
	if (start < 0) return undefined;
	const from = start + attribute.length + 3;
	const end = html.indexOf('"', from);
	try {
		const nodes: unknown = JSON.parse(unescaped(html.slice(from, end)));
		if (!Array.isArray(nodes) || nodes.length === 0 || !nodes.every(isCopied)) return undefined;
		if (lettersIn(html) !== lettersIn(htmlOf(nodes))) return undefined;
		const isCut = html.startsWith(` ${cutAttribute}="`, end + 1);
		const cutFrom = end + cutAttribute.length + 4;
		return { nodes, cut: isCut ? unescaped(html.slice(cutFrom, html.indexOf('"', cutFrom))) : undefined };
	} catch {
		return undefined;
	}
}

/** The texts in HTML without blanks, which programs change. */
function lettersIn(html: string): string {
	return unescaped(html.replace(/<(?:[^<>"']|"[^"]*"|'[^']*')*>/g, "")).replace(/\s+/g, "");
}

/** A text or an attribute's value, as browsers and this outliner encode it. */
function unescaped(value: string): string {
	const characters: { readonly [name: string]: string } = { quot: '"', lt: "<", gt: ">", nbsp: "\u00a0", amp: "&" };
	return value.replace(/&(quot|lt|gt|nbsp|amp);/g, (_, name: string) => characters[name]!);
}

// Any program can write to the clipboard.
function isCopied(node: unknown, index: number, nodes: readonly unknown[]): node is CopiedNode {
	if (typeof node !== "object" || node === null) return false;
	const { depth, name, note, layoutMode, completed, properties, expanded, originId } = node as Record<
		keyof CopiedNode,
		unknown
	>;
	const deepest = index === 0 ? 0 : (nodes[index - 1] as CopiedNode).depth + 1;
	return (
		Number.isInteger(depth) &&
		(depth as number) >= 0 &&
		(depth as number) <= deepest &&
		typeof name === "string" &&
		(note === null || typeof note === "string") &&
		layoutModes.includes(layoutMode as string) &&
		typeof completed === "boolean" &&
		(properties === undefined || (typeof properties === "object" && !Array.isArray(properties))) &&
		typeof expanded === "boolean" &&
		(originId === null || typeof originId === "string")
	);
}

function contentOf({ name, note, layoutMode, completed }: CopiedNode): string {
	const tag = layoutTags[layoutMode];
	const lines = name.replaceAll("\n", tag === "pre" ? "\n" : "<br>");
	const mark = completed ? "☑ " : layoutMode === "todo" ? "☐ " : "";
	const text = tag === undefined ? mark + lines : `<${tag}>${lines}</${tag}>`;
	return note === null ? text : `${text}<p><small>${escaped(note).replaceAll("\n", "<br>")}</small></p>`;
}
