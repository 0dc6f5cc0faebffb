import { newRecord } from "../../../../src/node.js";
import type { NodeRecord } from "../../../../src/storage.js";
import { numberedId } from "../../../support/ids.js";

/** Returns the short id of a numbered node. */
export function shortIdOf(number: number): string {
	return numberedId(number).slice(-12);
}

/** Returns a numbered node: a blank bullet at the top level, with these changes. Its number is its time. */
export function recordOf(number: number, given: Partial<NodeRecord> = {}): NodeRecord {
	return newRecord({ id: numberedId(number), parentId: null, priority: number, name: "", ...given }, number);
}
