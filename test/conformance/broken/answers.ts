import type { Query, StoredNode } from "../../../src/storage.js";
import { aWhile, type Faults, misanswering, misunderstanding } from "./fault.js";

const byName = (left: StoredNode, right: StoredNode) => (left.record.name < right.record.name ? -1 : 1);

/** Storages that answer queries wrongly. */
export const answers: Faults = {
	"returns children in the order of their names": {
		rejectedBy: ["reading: children are in", "random: after random commits all"],
		broken: misanswering("children", (nodes) => [...nodes].sort(byName)),
	},
	"compares priorities as texts": {
		rejectedBy: ["reading: children are in", "shapes: a wide outline returns its", "exactness: numbers"],
		broken: misanswering("children", (nodes) =>
			[...nodes].sort((left, right) => (`${left.record.priority}` < `${right.record.priority}` ? -1 : 1)),
		),
	},
	"ignores the limit of children": {
		rejectedBy: ["reading: children are in", "reading: visible children", "shapes: a wide outline returns its"],
		broken: misunderstanding("children", ({ limit: _, ...query }) => query),
	},
	"returns the last children in reverse order": {
		rejectedBy: ["reading: children are in", "shapes: a wide outline returns its", "random: after random commits all"],
		broken: misanswering("children", (nodes, { fromLast }) => (fromLast ? nodes.toReversed() : nodes)),
	},
	"returns the first children if the query asks for the last": {
		rejectedBy: ["reading: children are in", "outline: an outline on it handles"],
		broken: misunderstanding("children", (query) => ({ ...query, fromLast: false })),
	},
	"treats the bounds of priorities as inclusive": {
		rejectedBy: ["reading: children are in", "shapes: a wide outline returns its"],
		broken: misunderstanding("children", (query) => ({
			...query,
			...(query.after !== undefined && { after: query.after - 1 }),
			...(query.before !== undefined && { before: query.before + 1 }),
		})),
	},
	"forgets a mirror's own children": {
		rejectedBy: ["reading: visible children", "shapes: a node with many mirrors"],
		broken: misanswering("children", (nodes, { of, scope }, records) => {
			const parent = of === null ? null : records.answer({ type: "node", at: of });
			if (scope === "own" || !parent?.origin) return nodes;
			return nodes.filter(({ record }) => record.parentId !== parent.record.id);
		}),
	},
	"returns a mirror's own children after its origin's": {
		rejectedBy: ["reading: visible children", "random: after random commits all"],
		broken: misanswering("children", (nodes, { of, scope }, records) => {
			const parent = of === null ? null : records.answer({ type: "node", at: of });
			if (scope === "own" || !parent?.origin) return nodes;
			const own = ({ record }: StoredNode) => record.parentId === parent.record.id;
			return [...nodes.filter((node) => !own(node)), ...nodes.filter(own)];
		}),
	},
	"returns the origin's children if the query asks for the mirror's own": {
		rejectedBy: ["reading: visible children", "shapes: a node with many mirrors", "random: after random commits all"],
		broken: misunderstanding("children", (query) => ({ ...query, scope: "visible" })),
	},
	"lists ancestors from the top": {
		rejectedBy: ["reading: ancestors", "shapes: a deep outline"],
		broken: misanswering("ancestors", (ids) => ids.toReversed()),
	},
	"finds no more than 50 ancestors": {
		rejectedBy: ["shapes: a deep outline", "outline: an outline on it handles"],
		broken: misanswering("ancestors", (ids) => ids.slice(0, 50)),
	},
	"returns one ancestor fewer than the limit": {
		rejectedBy: ["shapes: a deep outline"],
		broken: misanswering("ancestors", (ids, { limit }) => (limit === undefined ? ids : ids.slice(0, limit - 1))),
	},
	"returns only the keys of the root of a subtree": {
		rejectedBy: ["reading: subtree", "shapes: a deep outline", "random: after random commits all"],
		broken: misanswering("subtree", ({ nodes, keys }) => ({
			nodes,
			keys: keys.filter(({ nodeId }) => nodeId === nodes[0]?.record.id),
		})),
	},
	"returns children before their parents in a subtree": {
		rejectedBy: ["reading: subtree", "shapes: a deep outline"],
		broken: misanswering("subtree", ({ nodes, keys }) => ({ nodes: nodes.toReversed(), keys })),
	},
	"includes the children of a mirror's origin in a subtree": {
		rejectedBy: ["reading: subtree", "random: after random commits all"],
		broken: misanswering("subtree", ({ nodes, keys }, _, records) => {
			const { origin } = nodes[0] ?? {};
			if (!origin) return { nodes, keys };
			const more = records.answer({ type: "children", of: { id: origin.id }, scope: "own" });
			return { nodes: [...nodes, ...more], keys };
		}),
	},
	"leaves out the mirrors of related nodes": {
		rejectedBy: ["reading: related", "shapes: a node with many mirrors"],
		broken: misanswering("related", (nodes, { ids }) =>
			nodes.filter(({ record }) => ids.includes(record.id) || record.originId === null),
		),
	},
	"returns nodes twice that are related in two ways": {
		rejectedBy: ["reading: related"],
		broken: misanswering("related", (nodes, { ids }) =>
			nodes.flatMap((node) => (node.mirrorIds.some((id) => ids.includes(id)) ? [node, node] : [node])),
		),
	},
	"fails for more than 500 ids at once": {
		rejectedBy: ["shapes: a wide outline returns all"],
		broken: misanswering("related", (nodes, { ids }) => {
			if (ids.length > 500) throw new Error("too many variables");
			return nodes;
		}),
	},
	"returns a short id as often as the query has it": {
		rejectedBy: ["reading: taken", "random: after random commits all"],
		broken: misanswering("taken", (taken, { shortIds }) => shortIds.filter((each) => taken.includes(each))),
	},
	"returns the keys of every group": {
		rejectedBy: ["reading: keys", "random: after random commits all"],
		broken: misanswering("keys", (_, __, records) =>
			Array.from(records.keys.values(), (record) => ({
				record,
				node: records.answer({ type: "node", at: { id: record.nodeId } }),
			})),
		),
	},
	"finds keys in any letter case": {
		rejectedBy: ["exactness: keys"],
		broken: misanswering("node", (node, { at }, records) => {
			if (node !== null || !("key" in at)) return node;
			const found = [...records.keys.values()].find(({ key }) => key.toLowerCase() === at.key.toLowerCase());
			return found === undefined ? null : records.answer({ type: "node", at: { id: found.nodeId } });
		}),
	},
	"lists mirrors in the order of their creation": {
		rejectedBy: ["reading: node is found", "shapes: a node with many mirrors"],
		broken: misanswering("node", (node, _, records) => {
			if (node === null) return null;
			const mirrors = [...records.nodes.values()].filter(({ originId }) => originId === node.record.id);
			return { ...node, mirrorIds: mirrors.map(({ id }) => id) };
		}),
	},
	"returns undefined for a missing node": {
		rejectedBy: ["factory: create returns an", "reading: node is found"],
		broken: misanswering("node", (node) => node ?? undefined),
	},
	"returns more fields than the contract has": {
		rejectedBy: ["reading: node is found"],
		broken: misanswering("node", (node) => node && { ...node, record: { outline: 1, ...node.record } }),
	},
	"fails for a read without queries": {
		rejectedBy: ["reading: a read without"],
		broken: (storage) => ({
			async read(queries) {
				if (queries.length === 0) throw new Error("There is nothing to ask for.");
				return storage.read(queries);
			},
		}),
	},
	"answers reads at the same time with the last one's answers": {
		rejectedBy: ["reading: reads at the same time"],
		broken: (storage) => {
			let last: readonly Query[] = [];
			return {
				async read(queries) {
					last = queries;
					await aWhile();
					return storage.read(last) as never;
				},
			};
		},
	},
	"returns the revision of the last change of a node as the current one": {
		rejectedBy: ["changes: changes include the keys"],
		broken: misanswering("changes", (changes, _, records) => {
			const { nodes, deleted } = records.changedAfter(0);
			const last = Math.max(0, ...[...nodes, ...deleted].map(({ revision }) => revision));
			return { ...changes, revision: Math.min(changes.revision, last) };
		}),
	},
	"ends changes within a commit": {
		rejectedBy: ["changes: changes end only", "shapes: a wide outline returns all"],
		broken: misanswering("changes", ({ nodes, deleted, revision }, { limit }) => ({
			nodes: nodes.slice(0, limit),
			deleted: deleted.slice(0, Math.max(0, limit - nodes.length)),
			revision,
		})),
	},
	"returns the current revision although changes were left out": {
		rejectedBy: ["changes: changes end only", "changes: changes, continued from", "random: after random commits all"],
		broken: misanswering("changes", (changes, _, { revision }) => ({ ...changes, revision })),
	},
	"returns changes in the order of ids": {
		rejectedBy: ["changes: changes are the", "random: after random commits all"],
		broken: misanswering("changes", ({ nodes, ...rest }) => ({
			nodes: nodes.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
			...rest,
		})),
	},
};
