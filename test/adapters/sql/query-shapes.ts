import type { Locator, Query } from "../../../src/storage.js";

/** The things that queries ask for. */
export interface Subjects {
	readonly id: string;
	/** Ids of more nodes, one of which may be missing. */
	readonly others: readonly string[];
	readonly key: string;
	readonly group: string;
	/** Priorities, the lower first. */
	readonly bounds: readonly [after: number, before: number];
	readonly since: readonly number[];
}

/** Returns queries of every shape, each with its own statement in SQL. */
export function queryShapes({ id, others, key, group, bounds: [after, before], since }: Subjects): Query[] {
	const locators: readonly Locator[] = [{ id }, { shortId: id.slice(-12) }, { key }];
	const ranges = [{}, { after }, { before }, { after, before }];
	const ends = [{}, { limit: 2 }, { limit: 1, fromLast: true }, { limit: 16, fromLast: true }];
	const scopes = ["own", "visible"] as const;
	const shapes: { readonly [T in Query["type"]]: readonly Query[] } = {
		node: locators.map((at) => ({ type: "node", at })),
		children: [null, ...locators].flatMap((of) =>
			scopes.flatMap((scope) =>
				ranges.flatMap((range) => ends.map((end): Query => ({ type: "children", of, scope, ...range, ...end }))),
			),
		),
		ancestors: locators.map((of) => ({ type: "ancestors", of })),
		subtree: locators.map((of) => ({ type: "subtree", of })),
		related: [[id], [id, ...others]].map((ids) => ({ type: "related", ids })),
		taken: [{ type: "taken", shortIds: [id, ...others].map((each) => each.slice(-12)) }],
		keys: [{ type: "keys", group }],
		documents: [{}, { limit: 1 }, { after: "a" }, { after: "a", limit: 2 }].map((range) => {
			return { type: "documents", prefix: "a", ...range };
		}),
		changes: since.flatMap((revision) => [
			{ type: "changes", since: revision, limit: 2 },
			{ type: "changes", since: revision, limit: 1000 },
		]),
	};
	return Object.values(shapes).flat();
}
