import type { OutlineNode } from "../../src/node.js";
import { type TextWriter, textStream } from "./text-stream.js";
import { wireNode } from "./wire.js";

/** The nodes as the JSON text `{"nodes":[…]}`, as {@link textStream} gives it. Spec §4.11. */
export function exportStream(
	nodes: AsyncIterable<OutlineNode>,
	signal: AbortSignal,
	report: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
	return textStream(nodes, jsonWriter(), signal, report);
}

function jsonWriter(): TextWriter<OutlineNode> {
	let separator = '{"nodes":[';
	return {
		piece(node) {
			const piece = separator + JSON.stringify(wireNode(node));
			separator = ",";
			return piece;
		},
		end: () => (separator === "," ? "]}" : `${separator}]}`),
	};
}
