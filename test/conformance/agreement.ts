import type { Answer, ChangedSince, Query, StoredKey, StoredNode, Subtree } from "../../src/storage.js";
import type { NaiveRecords } from "../model/naive-records.js";
import { assert, assertEqual, shown } from "./assertion.js";

/** Fails unless an answer agrees with the records, apart from the order where the contract leaves it open. */
export function assertAnswer(query: Query, answer: unknown, records: NaiveRecords, what = shown(query)): void {
	const expected = records.answer(query);
	if (query.type === "changes") {
		assertChanges(query, answer as ChangedSince, records, what);
		return;
	}
	assertEqual(comparable(query, answer), comparable(query, expected), what);
	if (query.type === "subtree") assertParentsFirst(answer as Subtree, what);
}

/** Fails unless nodes are the expected ones, in any order. */
export function assertSameNodes(actual: readonly StoredNode[], expected: readonly StoredNode[], what: string): void {
	assertEqual(byId(actual), byId(expected), what);
}

/** Fails unless each node of a subtree comes after its parent. */
export function assertParentsFirst({ nodes }: Subtree, what: string): void {
	const seen = new Set<string | null>();
	for (const [place, { record }] of nodes.entries()) {
		assert(place === 0 || seen.has(record.parentId), `${what}: node ${place} of the subtree comes before its parent`);
		seen.add(record.id);
	}
}

/**
 * The revision to continue from may be any one between the last that was included and the next that wasn't.
 */
function assertChanges(
	query: Extract<Query, { type: "changes" }>,
	answer: ChangedSince,
	records: NaiveRecords,
	what: string,
): void {
	const expected = records.answer(query);
	const later = Object.values(records.changedAfter(expected.revision)).flat();
	const next = Math.min(...later.map(({ revision }) => revision));
	const { revision, ...told } = answer;
	const { revision: _, ...expectedToTell } = expected;
	assertEqual(told, expectedToTell, what);
	assert(
		Number.isFinite(next) ? revision >= expected.revision && revision < next : revision === expected.revision,
		`${what}: it says to go on from ${shown(revision)}, and must say ${expected.revision}`,
	);
}

function comparable(query: Query, answer: unknown): unknown {
	switch (query.type) {
		case "related":
			return byId(answer as Answer<typeof query>);
		case "taken":
			return [...(answer as Answer<typeof query>)].sort();
		case "keys":
			return sorted(answer as readonly StoredKey[], ({ record }) => record.key);
		case "subtree": {
			const { nodes, keys, ...rest } = answer as Subtree;
			return { nodes: byId(nodes), keys: sorted(keys, ({ key }) => key), ...rest };
		}
		default:
			return answer;
	}
}

function byId(nodes: readonly StoredNode[]): StoredNode[] {
	return sorted(nodes, ({ record }) => record.id);
}

function sorted<T>(values: readonly T[], nameOf: (value: T) => string): T[] {
	return [...values].sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
}
