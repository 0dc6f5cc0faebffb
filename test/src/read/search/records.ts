import { newRecord } from "../../../../src/node.js";
import type { NodeRecord } from "../../../../src/storage.js";
import { numberedId } from "../../../support/ids.js";

/** Returns a numbered node: a blank bullet at the top level, with these changes. Its number is its time. */
export function recordOf(number: number, given: Partial<NodeRecord> = {}): NodeRecord {
	return newRecord({ id: numberedId(number), parentId: null, priority: number, name: "", ...given }, number);
}
