import type { Settings } from "../settings.js";
import type { ExportedTree } from "./exported-tree.js";
import type { FormatReader } from "./format-module.js";
import { type JsonHeader, jsonFormat, jsonVersion } from "./json-lines.js";
import { JsonReader } from "./json-reader.js";
import type { LossCount } from "./loss.js";

/** Begins to read JSON Lines. */
export function createReader(settings: Settings, lost: LossCount): FormatReader {
	return new JsonReader(settings, lost);
}

/** A tree as JSON Lines: the header, the nodes, the keys. Nothing is lost. */
export function* written({ nodes, size, keys }: ExportedTree): Iterable<string> {
	const header: JsonHeader = { format: jsonFormat, version: jsonVersion, nodes: size, keys: keys.length };
	yield `${JSON.stringify(header)}\n`;
	for (const { node, depth } of nodes) {
		const { id, parentId, priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId } =
			node.record;
		const place = { id, parentId: depth === 0 ? null : parentId, priority };
		const line = { ...place, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId };
		yield `${JSON.stringify(line)}\n`;
	}
	for (const { key, group, nodeId } of keys) yield `${JSON.stringify({ key, group, nodeId })}\n`;
}
