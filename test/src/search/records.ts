import { newRecord } from "../../../src/node.js";
import type { NodeRecord } from "../../../src/storage.js";

/** Returns the id of a numbered node. */
export function idOf(number: number): string {
	return `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** Returns the short id of a numbered node. */
export function shortIdOf(number: number): string {
	return number.toString(16).padStart(12, "0");
}

/** Returns a numbered node: a blank bullet at the top level, with these changes. Its number is its time. */
export function recordOf(number: number, given: Partial<NodeRecord> = {}): NodeRecord {
	return newRecord({ id: idOf(number), parentId: null, priority: number, name: "", ...given }, number);
}
