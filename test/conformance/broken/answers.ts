import type { Query, StoredNode } from "../../../src/storage.js";
import { aWhile, type Fault, misanswering, misunderstanding } from "./fault.js";

const byName = (left: StoredNode, right: StoredNode) => (left.record.name < right.record.name ? -1 : 1);

/** Storages that answer queries wrongly. */
export const answers: readonly Fault[] = [
	{
		name: "gives children in the order of their names",
		rejectedBy: ["reading: children come", "random: after random commits all"],
		broken: misanswering("children", (nodes) => [...nodes].sort(byName)),
	},
	{
		name: "compares priorities as texts",
		rejectedBy: ["reading: children come", "shapes: a wide outline gives its children", "exactness: numbers"],
		broken: misanswering("children", (nodes) =>
			[...nodes].sort((left, right) => (`${left.record.priority}` < `${right.record.priority}` ? -1 : 1)),
		),
	},
	{
		name: "ignores the limit of children",
		rejectedBy: ["reading: children come", "reading: visible children", "shapes: a wide outline gives its children"],
		broken: misunderstanding("children", ({ limit: _, ...query }) => query),
	},
	{
		name: "gives the last children from the end",
		rejectedBy: [
			"reading: children come",
			"shapes: a wide outline gives its children",
			"random: after random commits all",
		],
		broken: misanswering("children", (nodes, { fromLast }) => (fromLast ? nodes.toReversed() : nodes)),
	},
	{
		name: "gives the first children where the last are wanted",
		rejectedBy: ["reading: children come", "outline: an outline on it goes through deep"],
		broken: misunderstanding("children", (query) => ({ ...query, fromLast: false })),
	},
	{
		name: "takes the bounds of priorities as inclusive",
		rejectedBy: ["reading: children come", "shapes: a wide outline gives its children"],
		broken: misunderstanding("children", (query) => ({
			...query,
			...(query.after !== undefined && { after: query.after - 1 }),
			...(query.before !== undefined && { before: query.before + 1 }),
		})),
	},
	{
		name: "forgets a mirror's own children",
		rejectedBy: ["reading: visible children", "shapes: a node with many mirrors"],
		broken: misanswering("children", (nodes, { of, scope }, records) => {
			const parent = of === null ? null : records.answer({ type: "node", at: of });
			if (scope === "own" || !parent?.origin) return nodes;
			return nodes.filter(({ record }) => record.parentId !== parent.record.id);
		}),
	},
	{
		name: "gives a mirror's own children behind its origin's",
		rejectedBy: ["reading: visible children", "random: after random commits all"],
		broken: misanswering("children", (nodes, { of, scope }, records) => {
			const parent = of === null ? null : records.answer({ type: "node", at: of });
			if (scope === "own" || !parent?.origin) return nodes;
			const own = ({ record }: StoredNode) => record.parentId === parent.record.id;
			return [...nodes.filter((node) => !own(node)), ...nodes.filter(own)];
		}),
	},
	{
		name: "gives the origin's children where the mirror's own are wanted",
		rejectedBy: ["reading: visible children", "shapes: a node with many mirrors", "random: after random commits all"],
		broken: misunderstanding("children", (query) => ({ ...query, scope: "visible" })),
	},
	{
		name: "names ancestors from the top",
		rejectedBy: ["reading: ancestors", "shapes: a deep outline"],
		broken: misanswering("ancestors", (ids) => ids.toReversed()),
	},
	{
		name: "goes up no further than 50 levels",
		rejectedBy: ["shapes: a deep outline", "outline: an outline on it goes through deep"],
		broken: misanswering("ancestors", (ids) => ids.slice(0, 50)),
	},
	{
		name: "gives of a subtree only the keys of its root",
		rejectedBy: ["reading: subtree", "shapes: a deep outline", "random: after random commits all"],
		broken: misanswering("subtree", ({ nodes, keys }) => ({
			nodes,
			keys: keys.filter(({ nodeId }) => nodeId === nodes[0]?.record.id),
		})),
	},
	{
		name: "gives children before their parents in a subtree",
		rejectedBy: ["reading: subtree", "shapes: a deep outline"],
		broken: misanswering("subtree", ({ nodes, keys }) => ({ nodes: nodes.toReversed(), keys })),
	},
	{
		name: "goes from a mirror down into its origin's children in a subtree",
		rejectedBy: ["reading: subtree", "random: after random commits all"],
		broken: misanswering("subtree", ({ nodes, keys }, _, records) => {
			const { origin } = nodes[0] ?? {};
			if (!origin) return { nodes, keys };
			const more = records.answer({ type: "children", of: { id: origin.id }, scope: "own" });
			return { nodes: [...nodes, ...more], keys };
		}),
	},
	{
		name: "leaves out the mirrors among what is related",
		rejectedBy: ["reading: related", "shapes: a node with many mirrors"],
		broken: misanswering("related", (nodes, { ids }) =>
			nodes.filter(({ record }) => ids.includes(record.id) || record.originId === null),
		),
	},
	{
		name: "gives twice what is related in two ways",
		rejectedBy: ["reading: related"],
		broken: misanswering("related", (nodes, { ids }) =>
			nodes.flatMap((node) => (node.mirrorIds.some((id) => ids.includes(id)) ? [node, node] : [node])),
		),
	},
	{
		name: "fails when it is asked about more than 500 ids at once",
		rejectedBy: ["shapes: a wide outline can be asked for all"],
		broken: misanswering("related", (nodes, { ids }) => {
			if (ids.length > 500) throw new Error("too many variables");
			return nodes;
		}),
	},
	{
		name: "names a short id as often as it was asked for",
		rejectedBy: ["reading: taken", "random: after random commits all"],
		broken: misanswering("taken", (taken, { shortIds }) => shortIds.filter((each) => taken.includes(each))),
	},
	{
		name: "gives the keys of every group",
		rejectedBy: ["reading: keys", "random: after random commits all"],
		broken: misanswering("keys", (_, __, records) =>
			Array.from(records.keys.values(), (record) => ({
				record,
				node: records.answer({ type: "node", at: { id: record.nodeId } }),
			})),
		),
	},
	{
		name: "finds keys in any letter case",
		rejectedBy: ["exactness: keys"],
		broken: misanswering("node", (node, { at }, records) => {
			if (node !== null || !("key" in at)) return node;
			const found = [...records.keys.values()].find(({ key }) => key.toLowerCase() === at.key.toLowerCase());
			return found === undefined ? null : records.answer({ type: "node", at: { id: found.nodeId } });
		}),
	},
	{
		name: "names mirrors in the order of their creation",
		rejectedBy: ["reading: node is found", "shapes: a node with many mirrors"],
		broken: misanswering("node", (node, _, records) => {
			if (node === null) return null;
			const mirrors = [...records.nodes.values()].filter(({ originId }) => originId === node.record.id);
			return { ...node, mirrorIds: mirrors.map(({ id }) => id) };
		}),
	},
	{
		name: "gives undefined for a node that isn't there",
		rejectedBy: ["factory: create gives a storage that is empty", "reading: node is found"],
		broken: misanswering("node", (node) => node ?? undefined),
	},
	{
		name: "gives more fields than the contract has",
		rejectedBy: ["reading: node is found"],
		broken: misanswering("node", (node) => node && { ...node, record: { outline: 1, ...node.record } }),
	},
	{
		name: "answers no read of nothing",
		rejectedBy: ["reading: a read of no queries"],
		broken: (storage) => ({
			async read(queries) {
				if (queries.length === 0) throw new Error("There is nothing to ask for.");
				return storage.read(queries);
			},
		}),
	},
	{
		name: "answers reads at the same time with what was asked last",
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
	{
		name: "takes the revision of the last change of a node for the current one",
		rejectedBy: ["changes: changes of a commit that wrote only keys"],
		broken: misanswering("changes", (changes, _, records) => {
			const { nodes, deleted } = records.changedAfter(0);
			const last = Math.max(0, ...[...nodes, ...deleted].map(({ revision }) => revision));
			return { ...changes, revision: Math.min(changes.revision, last) };
		}),
	},
	{
		name: "cuts changes within a commit",
		rejectedBy: ["changes: changes are cut", "shapes: a wide outline can be asked for all"],
		broken: misanswering("changes", ({ nodes, deleted, revision }, { limit }) => ({
			nodes: nodes.slice(0, limit),
			deleted: deleted.slice(0, Math.max(0, limit - nodes.length)),
			revision,
		})),
	},
	{
		name: "says to go on from the current revision when changes were cut",
		rejectedBy: ["changes: changes are cut", "changes: changes, followed", "random: after random commits all"],
		broken: misanswering("changes", (changes, _, { revision }) => ({ ...changes, revision })),
	},
	{
		name: "gives changes in the order of ids",
		rejectedBy: ["changes: changes are the nodes", "random: after random commits all"],
		broken: misanswering("changes", ({ nodes, ...rest }) => ({
			nodes: nodes.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
			...rest,
		})),
	},
];
