import type { Answer, Query } from "../../src/storage.js";
import { assertParentsFirst, assertSameNodes } from "./agreement.js";
import { assert, assertEqual } from "./assertion.js";
import { type Ledger, scanned } from "./ledger.js";
import type { Cases } from "./options.js";
import { idOf, key, node, nodes, shortIdOf } from "./records.js";
import type { Trial } from "./trial.js";

/** Returns nodes of which each is the child of the one before. */
async function deep(trial: Trial): Promise<Ledger> {
	const ledger = await trial.ledger();
	const { levels } = trial.sizes;
	await ledger.commit({
		put: nodes(levels, (number) => ({ parentId: number === 0 ? null : idOf(number - 1) })),
		point: [key("top", 0), key("bottom", levels - 1), key("middle", levels >> 1)],
	});
	return ledger;
}

/**
 * Queries about very many children, by their numbers: node 0 is the parent, and the priorities are the
 * numbers.
 */
async function wide(trial: Trial): Promise<Ledger> {
	const ledger = await trial.ledger();
	await ledger.commit({
		put: nodes(trial.sizes.siblings + 1, (number) => ({ parentId: number === 0 ? null : idOf(0) })),
	});
	return ledger;
}

async function answer<const Q extends Query>(ledger: Ledger, query: Q): Promise<Answer<Q>> {
	const { results } = await ledger.storage.read([query]);
	return (results as readonly [Answer<Q>])[0];
}

const numbersFrom = (start: number, end: number) => Array.from({ length: end - start }, (_, place) => start + place);

/** Outlines that are very deep, very wide, or full of mirrors. */
export const shapes: Cases = {
	"a deep outline has all its ancestors and its whole subtree, and can be moved and deleted as a whole": async (
		trial,
	) => {
		const ledger = await deep(trial);
		const { levels } = trial.sizes;
		const half = levels >> 1;
		const ids = numbersFrom(0, levels).map(idOf);
		assertEqual(await answer(ledger, { type: "ancestors", of: { key: "bottom" } }), ids.toReversed(), "ancestors");
		const nearest = await answer(ledger, { type: "ancestors", of: { key: "bottom" }, limit: 2 });
		assertEqual(nearest.slice(0, 2), ids.toReversed().slice(0, 2), "the two nearest ancestors");
		const subtree = await answer(ledger, { type: "subtree", of: { key: "middle" } });
		assertEqual(
			subtree.nodes.map(({ record }) => record.id),
			ids.slice(half),
			"the subtree of the middle",
		);
		assertEqual(subtree.keys.map((each) => each.key).sort(), ["bottom", "middle"], "its keys");
		await ledger.commit({ put: [node(half, { parentId: null })] });
		assertEqual(
			await answer(ledger, { type: "ancestors", of: { key: "bottom" } }),
			ids.slice(half).toReversed(),
			"ancestors after the move",
		);
		const above = await answer(ledger, { type: "subtree", of: { key: "top" } });
		assertEqual(above.nodes.length, half, "what stays above");
		await ledger.commit({ remove: numbersFrom(half, levels), drop: ["middle", "bottom"] });
		assertEqual(await answer(ledger, { type: "ancestors", of: { id: idOf(levels - 1) } }), [], "ancestors of nothing");
		const { nodes: left, deleted } = await answer(ledger, { type: "changes", since: 0, limit: levels * 2 });
		assertEqual([left.length, deleted.length], [half, levels - half], "what is left and what is gone");
	},
	"a wide outline returns its children completely, from either end and from the middle": async (trial) => {
		const ledger = await wide(trial);
		const { siblings } = trial.sizes;
		const check = async (range: object, expected: number[]) => {
			const found = await answer(ledger, { type: "children", of: { id: idOf(0) }, scope: "own", ...range });
			assertEqual(
				found.map(({ record }) => record.priority),
				expected,
				`the children ${JSON.stringify(range)}`,
			);
		};
		await check({}, numbersFrom(1, siblings + 1));
		await check({ limit: 2 }, [1, 2]);
		await check({ limit: 2, fromLast: true }, [siblings - 1, siblings]);
		const middle = siblings >> 1;
		await check({ after: middle, limit: 1 }, [middle + 1]);
		await check({ before: middle, limit: 2, fromLast: true }, [middle - 2, middle - 1]);
		await check({ after: middle - 3, before: middle + 3 }, numbersFrom(middle - 2, middle + 3));
	},
	"a wide outline returns all of its nodes at once: related, taken, subtree, scan, changes": async (trial) => {
		const ledger = await wide(trial);
		const numbers = numbersFrom(0, trial.sizes.siblings + 1);
		const all = nodes(numbers.length, (number) => ({ parentId: number === 0 ? null : idOf(0), revision: 1 })).map(
			(record) => ({ record, origin: null, mirrorIds: [] }),
		);
		assertSameNodes(await answer(ledger, { type: "related", ids: numbers.map(idOf) }), all, "related");
		const shortIds = numbers.map(shortIdOf);
		const asked = [...shortIds, ...numbers.map((number) => shortIdOf(number + numbers.length)), ...shortIds];
		assertEqual((await answer(ledger, { type: "taken", shortIds: asked })).toSorted(), shortIds.sort(), "taken");
		const subtree = await answer(ledger, { type: "subtree", of: { id: idOf(0) } });
		assertParentsFirst(subtree, "subtree");
		assertSameNodes(subtree.nodes, all, "subtree");
		assertSameNodes(await scanned(ledger.storage), all, "scan");
		const changes = await answer(ledger, { type: "changes", since: 0, limit: 1 });
		assertEqual(changes.nodes.length, numbers.length, "the changes of one commit, of which there is no half");
	},
	"a wide outline can be deleted in one commit": async (trial) => {
		const ledger = await wide(trial);
		const numbers = numbersFrom(0, trial.sizes.siblings + 1);
		await ledger.commit({ remove: numbers });
		assertEqual(await scanned(ledger.storage), [], "scan");
		const { deleted } = await answer(ledger, { type: "changes", since: 1, limit: 1 });
		assertEqual(
			deleted,
			numbers
				.map(idOf)
				.sort()
				.map((id) => ({ id, revision: 2 })),
			"the tombstones",
		);
	},
	"a node with many mirrors lists them all, and each shows its own children among its origin's": async (trial) => {
		const ledger = await trial.ledger();
		const { mirrors } = trial.sizes;
		const mirror = (number: number) => node(number, { originId: idOf(0) });
		const below = (number: number, parent: number) => node(number, { parentId: idOf(parent), priority: number % 7 });
		await ledger.commit({
			put: [
				node(0),
				...numbersFrom(1, mirrors).map(mirror),
				...numbersFrom(0, 5).map((number) => below(2 * mirrors + number, 0)),
				...numbersFrom(1, mirrors).map((number) => below(4 * mirrors + number, number)),
			],
		});
		const check = async () => {
			const ids = Array.from(ledger.records.nodes.values())
				.filter(({ originId }) => originId === idOf(0))
				.map(({ id }) => id);
			const origin = await answer(ledger, { type: "node", at: { id: idOf(0) } });
			assertEqual(origin?.mirrorIds, ids.sort(), "the mirrors of the origin");
			const related = await answer(ledger, { type: "related", ids: [idOf(0)] });
			assert(related.length === ids.length + 1, "related doesn't give the origin and all its mirrors");
			await ledger.check(
				...[0, 1, 2, mirrors - 1].flatMap((number): Query[] => [
					{ type: "children", of: { id: idOf(number) }, scope: "visible" },
					{ type: "children", of: { id: idOf(number) }, scope: "own" },
					{ type: "children", of: { id: idOf(number) }, scope: "visible", limit: 1, fromLast: true },
				]),
			);
		};
		await check();
		await ledger.commit({ remove: [3, 4 * mirrors + 3, 4, 4 * mirrors + 4], put: [node(0)] });
		await check();
		await ledger.commit({ put: [mirror(mirrors), node(2, { originId: idOf(5) }), node(6), node(0)] });
		await check();
		await ledger.checkAll();
	},
};
