import type { Settings } from "../../engine/settings.js";
import { sliceEnd, sliceLength } from "../../markup/long-text.js";
import { propertiesIn } from "../../properties.js";
import type { ExportedTree } from "../exported-tree.js";
import type { FormatReader, Written } from "../format-module.js";
import type { LossCount } from "../loss.js";
import { type JsonHeader, jsonFormat, jsonVersion } from "./json-lines.js";
import { JsonReader } from "./json-reader.js";

/** Returns a reader of JSON Lines. */
export function createReader(settings: Settings, lost: LossCount): FormatReader {
	return new JsonReader(settings, lost);
}

/** Writes a tree as JSON Lines: the header, the nodes, the keys. Nothing is lost. */
export function* written({ nodes, size, keys }: ExportedTree): Written {
	const header: JsonHeader = { format: jsonFormat, version: jsonVersion, nodes: size, keys: keys.length };
	yield `${JSON.stringify(header)}\n`;
	for (const { node, depth } of nodes) {
		const { id, parentId, priority, name, note, layoutMode, properties, createdAt, modifiedAt, completedAt, originId } =
			node.record;
		const place = { id, parentId: depth === 0 ? null : parentId, priority };
		const rest = {
			layoutMode,
			...(properties !== null && { properties: propertiesIn(properties) }),
			createdAt,
			modifiedAt,
			completedAt,
			originId,
		};
		if (name.length + (note?.length ?? 0) <= sliceLength)
			yield `${JSON.stringify({ ...place, name, note, ...rest })}\n`;
		else {
			yield `${JSON.stringify(place).slice(0, -1)},"name":`;
			yield* textWritten(name);
			yield ',"note":';
			if (note === null) yield "null";
			else yield* textWritten(note);
			yield `,${JSON.stringify(rest).slice(1)}\n`;
		}
	}
	for (const { key, group, nodeId } of keys) yield `${JSON.stringify({ key, group, nodeId })}\n`;
}

/** Writes a text in slices. */
function* textWritten(text: string): Written {
	yield '"';
	for (let start = 0; start < text.length; ) {
		const end = sliceEnd(text, start);
		yield JSON.stringify(text.slice(start, end)).slice(1, -1);
		start = end;
	}
	yield '"';
}
