import type { Answer, Batch, KeyRecord, Locator, NodeRecord, Query, StoredNode, Tombstone } from "../../src/storage.js";

/** The records of an outline in plain arrays, every query answered by looking through all of them. */
export class NaiveRecords {
	revision = 0;
	nodes: NodeRecord[] = [];
	keys: KeyRecord[] = [];
	deleted: Tombstone[] = [];

	apply({ base, nodes, keys }: Batch): void {
		this.revision = base + 1;
		for (const { before, after } of nodes) {
			const id = (before ?? after)!.id;
			this.nodes = this.nodes.filter((each) => each.id !== id);
			this.deleted = this.deleted.filter((each) => each.id !== id);
			if (after === null) this.deleted.push({ id, revision: this.revision });
			else this.nodes.push(after);
		}
		for (const { before, after } of keys) {
			this.keys = this.keys.filter((each) => each.key !== (before ?? after)!.key);
			if (after !== null) this.keys.push(after);
		}
	}

	answer(query: Query): Answer<Query> {
		switch (query.type) {
			case "node": {
				const record = this.#locate(query.at);
				return record === undefined ? null : this.stored(record);
			}
			case "children": {
				const { of, scope, after = -Infinity, before = Infinity, limit = Infinity, fromLast } = query;
				const parent = of === null ? null : this.#locate(of);
				if (parent === undefined) return [];
				const origin = parent?.originId ? this.nodes.find(({ id }) => id === parent.originId) : undefined;
				const parents = new Set<string | null>();
				parents.add(parent?.id ?? null);
				if (scope !== "own" && origin !== undefined) parents.add(origin.id);
				const found = this.nodes
					.filter(({ parentId, priority }) => parents.has(parentId) && priority > after && priority < before)
					.sort((left, right) => left.priority - right.priority || (left.id < right.id ? -1 : 1));
				const kept = fromLast ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
				return kept.map((record) => this.stored(record));
			}
			case "ancestors": {
				const ids: string[] = [];
				for (let record = this.#locate(query.of); record !== undefined; ) {
					ids.push(record.id);
					const { parentId } = record;
					record = this.nodes.find(({ id }) => id === parentId);
				}
				return ids;
			}
			case "subtree": {
				const root = this.#locate(query.of);
				const inside = this.nodes.filter((node) => {
					return (
						root !== undefined &&
						(this.answer({ type: "ancestors", of: { id: node.id } }) as string[]).includes(root.id)
					);
				});
				const ids = new Set(inside.map(({ id }) => id));
				return {
					nodes: inside.map((record) => this.stored(record)),
					keys: this.keys.filter(({ nodeId }) => ids.has(nodeId)),
				};
			}
			case "related": {
				const wanted = this.nodes.filter(({ id, originId }) => {
					return (
						query.ids.includes(id) ||
						(originId !== null && query.ids.includes(originId)) ||
						this.nodes.some((mirror) => mirror.originId === id && query.ids.includes(mirror.id))
					);
				});
				return wanted.map((record) => this.stored(record));
			}
			case "keys":
				return this.keys
					.filter(({ group }) => group === query.group)
					.sort((left, right) => (left.key < right.key ? -1 : 1))
					.flatMap((record) => {
						const node = this.nodes.find(({ id }) => id === record.nodeId);
						return node === undefined ? [] : [{ record, node: this.stored(node) }];
					});
			case "changes": {
				const { since, limit } = query;
				const revisions = [...this.nodes, ...this.deleted]
					.map(({ revision }) => revision)
					.filter((each) => each > since);
				revisions.sort((left, right) => left - right);
				const last = revisions[Math.max(limit, 1) - 1] ?? this.revision;
				const until = revisions.some((each) => each > last) ? last : this.revision;
				const within = ({ revision }: { revision: number }) => revision > since && revision <= until;
				const order = (left: { revision: number; id: string }, right: { revision: number; id: string }) =>
					left.revision - right.revision || (left.id < right.id ? -1 : 1);
				return {
					nodes: this.nodes.filter(within).sort(order),
					deleted: this.deleted.filter(within).sort(order),
					revision: until,
				};
			}
		}
	}

	stored(record: NodeRecord): StoredNode {
		return {
			record,
			origin: this.nodes.find(({ id }) => id === record.originId) ?? null,
			mirrorIds: this.nodes
				.filter(({ originId }) => originId === record.id)
				.map(({ id }) => id)
				.sort(),
		};
	}

	#locate(at: Locator): NodeRecord | undefined {
		if ("shortId" in at) return this.nodes.find(({ id }) => id.endsWith(at.shortId));
		const id = "id" in at ? at.id : this.keys.find(({ key }) => key === at.key)?.nodeId;
		return this.nodes.find((node) => node.id === id);
	}
}
