import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PlainRecord } from "./plain-map.ts";

/**
 * Reads the lines of {@link AppendedMap} into a Map, and returns the names at the top level. It can do
 * nothing else.
 */
export async function topOfJsonLines(directory: string): Promise<string[]> {
	const records = new Map<string, PlainRecord>();
	for (const line of (await readFile(join(directory, "records.jsonl"), "utf8")).split("\n")) {
		if (line === "") continue;
		const record = JSON.parse(line) as PlainRecord;
		records.set(record.id, record);
	}
	const top = [...records.values()].filter(({ parentId }) => parentId === null);
	return top.sort((left, right) => left.priority - right.priority).map(({ name }) => name);
}
