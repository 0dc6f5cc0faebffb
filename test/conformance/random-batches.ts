import type { Batch, DocumentChanges, Locator, NodeRecord, Query } from "../../src/storage.js";
import type { NaiveRecords } from "../model/naive-records.js";
import type { Random } from "./random.js";
import { frozen, idOf } from "./records.js";

/** A random change, which is then adapted to the present records. */
export type Step =
	| { type: "put"; node: number; parent: number; priority: number; origin: number | null }
	| { type: "remove"; node: number }
	| { type: "key"; key: number; node: number | null }
	| { type: "document"; key: number; value: number | null }
	| { type: "prune"; age: number };

/** The nodes of random batches have numbers below this one. */
export const nodeCount = 41;

/** Returns the changes of a random commit. */
export function randomSteps(random: Random): Step[] {
	if (random.happens(0.03)) return [{ type: "prune", age: random.below(5) }];
	// Some numbers are drawn more often as parents and origins, so that these nodes have much below them.
	const popular = () => Math.floor(random.next() ** 2 * nodeCount);
	return Array.from({ length: 1 + random.below(8) }, (): Step => {
		const node = random.below(nodeCount);
		const kind = random.next();
		if (kind < 0.15) return { type: "remove", node };
		if (kind < 0.3) return { type: "key", key: random.below(7), node: random.happens(0.3) ? null : node };
		if (kind < 0.4) {
			return { type: "document", key: random.below(7), value: random.happens(0.4) ? null : random.below(40) };
		}
		const origin = random.happens(0.4) ? popular() : null;
		return { type: "put", node, parent: popular(), priority: random.below(41) - 20, origin };
	});
}

/**
 * Returns the steps as a batch based on the present records that leaves a valid outline. Parents exist and
 * have smaller numbers, so there is no cycle. Siblings have different priorities, a deletion includes the
 * subtree, and keys point at existing nodes.
 */
export function batchOf(steps: readonly Step[], records: NaiveRecords): Batch {
	const { revision } = records;
	const nodes = new Map(records.nodes);
	const keys = new Map(records.keys);
	const documents = new Map(records.documents);
	const [first] = steps;
	if (first?.type === "prune") {
		return frozen({ base: revision, nodes: [], keys: [], horizon: Math.max(0, revision - first.age) });
	}
	for (const step of steps) {
		if (step.type === "put") put(step, nodes, revision);
		else if (step.type === "remove") remove(idOf(step.node), nodes);
		else if (step.type === "document") {
			const key = `document/${step.key % 3}/${step.key}`;
			if (step.value === null) documents.delete(key);
			else documents.set(key, `${step.value}`);
		} else if (step.type === "key") {
			const key = `key ${step.key}`;
			if (step.node === null) keys.delete(key);
			else keys.set(key, { key, group: `group ${step.key % 2}`, nodeId: idOf(step.node), revision: revision + 1 });
		}
	}
	for (const { key, nodeId } of [...keys.values()]) if (!nodes.has(nodeId)) keys.delete(key);
	const changes: DocumentChanges = {
		put: Array.from(documents, ([key, value]) => ({ key, value })).filter(
			({ key, value }) => records.documents.get(key) !== value,
		),
		dropped: [...records.documents.keys()].filter((key) => !documents.has(key)),
	};
	const some = changes.put.length + changes.dropped.length > 0;
	return frozen({
		base: revision,
		nodes: differences(records.nodes, nodes),
		keys: differences(records.keys, keys),
		...(some && { documents: changes }),
	});
}

/** Returns queries of every kind about the nodes. */
export function queriesAbout(numbers: readonly number[], { revision, nodes }: NaiveRecords): Query[] {
	// The contract leaves open what `related` returns for a deleted node that mirrors still name.
	const related = (...ids: string[]) => {
		const origins = new Set(Array.from(nodes.values(), ({ originId }) => originId));
		return { type: "related", ids: ids.filter((id) => nodes.has(id) || !origins.has(id)) } as const;
	};
	return numbers.flatMap((number): Query[] => {
		const id = idOf(number);
		const ways: Locator[] = [{ id }, { shortId: id.slice(-12) }, { key: `key ${number % 7}` }];
		const at = ways[number % 3]!;
		return [
			{ type: "node", at },
			{ type: "children", of: at, scope: "own" },
			{ type: "children", of: at, scope: "visible" },
			{ type: "children", of: at, scope: "visible", limit: 2 },
			{ type: "children", of: at, scope: "visible", limit: 3, fromLast: true },
			{ type: "children", of: null, scope: "own", after: number - 25, before: number - 5 },
			{ type: "children", of: at, scope: "visible", after: number - 25, limit: 1 },
			{ type: "ancestors", of: at },
			{ type: "subtree", of: at },
			related(id, idOf(number + 1)),
			{ type: "taken", shortIds: [id, idOf(number + 1), id].map((each) => each.slice(-12)) },
			{ type: "keys", group: `group ${number % 2}` },
			{ type: "changes", since: Math.max(0, revision - number), limit: (number % 5) + 1 },
			{ type: "documents", prefix: `document/${number % 4}`, limit: 1 + (number % 3) },
			{ type: "documents", prefix: "document/", after: `document/${number % 3}/${number % 7}` },
			{ type: "changes", since: 0, limit: 1000 },
		];
	});
}

function put(
	{ node, parent, priority, origin }: Step & { type: "put" },
	nodes: Map<string, NodeRecord>,
	base: number,
): void {
	const id = idOf(node);
	const parentId = parent < node && nodes.has(idOf(parent)) ? idOf(parent) : null;
	const occupied = new Set(
		Array.from(nodes.values()).flatMap((each) => (each.parentId === parentId && each.id !== id ? [each.priority] : [])),
	);
	let place = priority;
	while (occupied.has(place)) place += 1;
	nodes.set(id, {
		id,
		parentId,
		priority: place,
		name: `name ${base}`,
		note: priority % 3 === 0 ? "note" : null,
		layoutMode: priority % 2 === 0 ? "bullets" : "todo",
		properties: priority % 5 === 0 ? `{"base":${base}}` : null,
		createdAt: node,
		modifiedAt: base,
		completedAt: priority > 10 ? base : null,
		originId: origin === null || origin === node ? null : idOf(origin),
		revision: base + 1,
	});
}

function remove(id: string, nodes: Map<string, NodeRecord>): void {
	if (!nodes.delete(id)) return;
	for (const each of [...nodes.values()]) if (each.parentId === id) remove(each.id, nodes);
}

function differences<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>) {
	return Array.from(new Set([...before.keys(), ...after.keys()]), (name) => ({
		before: before.get(name) ?? null,
		after: after.get(name) ?? null,
	})).filter((change) => change.before !== change.after);
}
