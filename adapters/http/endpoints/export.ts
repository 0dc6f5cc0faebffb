import type { OutlineNode } from "../../../src/node.js";
import { type TextWriter, textStream } from "../server/text-stream.js";
import { wireNode } from "../server/wire.js";

/** Writes nodes as a {@link textStream} of the JSON `{"nodes":[…]}`. Spec §4.11. */
export function exportStream(
	nodes: AsyncIterable<OutlineNode>,
	signal: AbortSignal,
	report: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
	return textStream(nodes, nodeListWriter(), signal, report);
}

/** Writes nodes as the JSON `{"nodes":[…]}`, followed by further members of the object. */
export function nodeListWriter(members: object = {}): TextWriter<OutlineNode> {
	let separator = '{"nodes":[';
	const ending = (Object.keys(members).length > 0 ? "," : "") + JSON.stringify(members).slice(1);
	return {
		piece(node) {
			const piece = separator + JSON.stringify(wireNode(node));
			separator = ",";
			return piece;
		},
		end: () => `${separator === "," ? "" : separator}]${ending}`,
	};
}
