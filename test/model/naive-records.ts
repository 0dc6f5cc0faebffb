import type {
	Answer,
	Batch,
	ChangedSince,
	Document,
	KeyRecord,
	KeyTombstone,
	Locator,
	NodeRecord,
	Query,
	StoredKey,
	StoredNode,
	Subtree,
	Tombstone,
} from "../../src/storage.js";

/** The changes after a revision, in the order of the contract. */
type Changed = Pick<ChangedSince, "nodes" | "deleted" | "keys" | "droppedKeys">;

/** The records of an outline, every query answered by looking through all of them. */
export class NaiveRecords {
	revision = 0;
	readonly nodes = new Map<string, NodeRecord>();
	readonly keys = new Map<string, KeyRecord>();
	/** When which node was deleted. */
	readonly deleted = new Map<string, number>();
	/** The revisions in which keys were dropped. */
	readonly droppedKeys = new Map<string, number>();
	readonly documents = new Map<string, string>();
	horizon = 0;

	/** The same records once more, to be changed on their own. */
	copy(): NaiveRecords {
		const copy = new NaiveRecords();
		copy.revision = this.revision;
		for (const [id, record] of this.nodes) copy.nodes.set(id, record);
		for (const [key, record] of this.keys) copy.keys.set(key, record);
		for (const [id, revision] of this.deleted) copy.deleted.set(id, revision);
		for (const [key, revision] of this.droppedKeys) copy.droppedKeys.set(key, revision);
		for (const [key, value] of this.documents) copy.documents.set(key, value);
		copy.horizon = this.horizon;
		return copy;
	}

	/** Applies a batch. The base isn't checked. */
	apply({ base, nodes, keys, documents, horizon = 0 }: Batch): void {
		this.revision = base + 1;
		for (const { before, after } of nodes) {
			if (after === null) {
				this.nodes.delete(before!.id);
				this.deleted.set(before!.id, this.revision);
			} else {
				this.nodes.set(after.id, after);
				this.deleted.delete(after.id);
			}
		}
		for (const { before, after } of keys) {
			if (after === null) {
				this.keys.delete(before!.key);
				this.droppedKeys.set(before!.key, this.revision);
			} else {
				this.keys.set(after.key, after);
				this.droppedKeys.delete(after.key);
			}
		}
		for (const key of documents?.dropped ?? []) this.documents.delete(key);
		for (const { key, value } of documents?.put ?? []) this.documents.set(key, value);
		for (const tombstones of [this.deleted, this.droppedKeys]) {
			for (const [id, revision] of tombstones) if (revision <= horizon) tombstones.delete(id);
		}
		this.horizon = Math.max(this.horizon, horizon);
	}

	/** Returns the answer to a query. If the contract requires no order, the order is that of creation. */
	answer<Q extends Query>(query: Q): Answer<Q> {
		return this.#answer(query) as Answer<Q>;
	}

	/** A record with its origin and its mirrors. */
	stored(record: NodeRecord): StoredNode {
		return {
			record,
			origin: this.nodes.get(record.originId ?? "") ?? null,
			mirrorIds: this.#all(({ originId }) => originId === record.id)
				.map(({ id }) => id)
				.sort(),
		};
	}

	/** Returns the changes after a revision, in the order of the contract. */
	changedAfter(since: number): Changed {
		const isAfter = ({ revision }: { readonly revision: number }) => revision > since;
		const deleted = Array.from(this.deleted, ([id, revision]): Tombstone => ({ id, revision }));
		const droppedKeys = Array.from(this.droppedKeys, ([key, revision]): KeyTombstone => ({ key, revision }));
		return {
			nodes: this.#all(isAfter).sort(byRevision),
			deleted: deleted.filter(isAfter).sort(byRevision),
			keys: [...this.keys.values()].filter(isAfter).sort(byRevisionAndKey),
			droppedKeys: droppedKeys.filter(isAfter).sort(byRevisionAndKey),
		};
	}

	#answer(query: Query): Answer<Query> {
		switch (query.type) {
			case "node": {
				const record = this.#locate(query.at);
				return record === undefined ? null : this.stored(record);
			}
			case "children":
				return this.#children(query);
			case "ancestors": {
				const record = this.#locate(query.of);
				return record === undefined ? [] : this.#lineage(record);
			}
			case "subtree":
				return this.#subtree(query.of);
			case "related": {
				const ids = new Set(query.ids);
				for (const id of query.ids) ids.add(this.nodes.get(id)?.originId ?? id);
				const wanted = new Set(query.ids);
				return this.#all(({ id, originId }) => ids.has(id) || wanted.has(originId ?? "")).map((record) =>
					this.stored(record),
				);
			}
			case "taken": {
				const shortIds = new Set(query.shortIds);
				return this.#all(({ id }) => shortIds.has(id.slice(-12))).map(({ id }) => id.slice(-12));
			}
			case "keys":
				return [...this.keys.values()]
					.filter(({ group }) => group === query.group)
					.map((record): StoredKey => ({ record, node: this.stored(this.nodes.get(record.nodeId)!) }));
			case "documents":
				return this.#documents(query);
			case "changes":
				return this.#changes(query);
		}
	}

	#all(wanted: (record: NodeRecord) => boolean): NodeRecord[] {
		return [...this.nodes.values()].filter(wanted);
	}

	#locate(at: Locator): NodeRecord | undefined {
		if ("shortId" in at) return this.#all(({ id }) => id.endsWith(at.shortId))[0];
		return this.nodes.get("id" in at ? at.id : (this.keys.get(at.key)?.nodeId ?? ""));
	}

	#children(query: Extract<Query, { type: "children" }>): StoredNode[] {
		const { of, scope, after = -Infinity, before = Infinity, limit = Infinity, fromLast } = query;
		const parent = of === null ? null : this.#locate(of);
		if (parent === undefined) return [];
		const parents = new Set([parent?.id ?? null]);
		const origin = this.nodes.get(parent?.originId ?? "");
		if (scope === "visible" && origin !== undefined) parents.add(origin.id);
		const found = this.#all(
			({ parentId, priority }) => parents.has(parentId) && priority > after && priority < before,
		).sort((left, right) => left.priority - right.priority || (left.id < right.id ? -1 : 1));
		const kept = fromLast ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
		return kept.map((record) => this.stored(record));
	}

	#lineage(of: NodeRecord): string[] {
		const ids: string[] = [];
		for (let record: NodeRecord | undefined = of; record !== undefined; ) {
			ids.push(record.id);
			record = this.nodes.get(record.parentId ?? "");
		}
		return ids;
	}

	#subtree(of: Locator): Subtree {
		const root = this.#locate(of);
		const nodes = root === undefined ? [] : this.#all((record) => this.#lineage(record).includes(root.id));
		const depths = new Map(nodes.map((record) => [record.id, this.#lineage(record).length]));
		nodes.sort((left, right) => depths.get(left.id)! - depths.get(right.id)!);
		return {
			nodes: nodes.map((record) => this.stored(record)),
			keys: [...this.keys.values()].filter(({ nodeId }) => depths.has(nodeId)),
		};
	}

	#documents({ prefix, after = "", limit }: Extract<Query, { type: "documents" }>): Document[] {
		return Array.from(this.documents, ([key, value]) => ({ key, value }))
			.filter(({ key }) => key.startsWith(prefix) && key > after)
			.sort((left, right) => (left.key < right.key ? -1 : 1))
			.slice(0, limit);
	}

	#changes({ since, limit }: Extract<Query, { type: "changes" }>): ChangedSince {
		const { nodes, deleted, keys, droppedKeys } = this.changedAfter(since);
		const revisions = [...nodes, ...deleted, ...keys, ...droppedKeys].map(({ revision }) => revision);
		revisions.sort((left, right) => left - right);
		const last = revisions[limit - 1] ?? this.revision;
		const until = revisions.some((revision) => revision > last) ? last : this.revision;
		const within = ({ revision }: { readonly revision: number }) => revision <= until;
		return {
			nodes: nodes.filter(within),
			deleted: deleted.filter(within),
			keys: keys.filter(within),
			droppedKeys: droppedKeys.filter(within),
			horizon: this.horizon,
			revision: until,
		};
	}
}

function byRevision(left: Tombstone, right: Tombstone): number {
	return left.revision - right.revision || (left.id < right.id ? -1 : 1);
}

function byRevisionAndKey(left: KeyTombstone, right: KeyTombstone): number {
	return left.revision - right.revision || (left.key < right.key ? -1 : 1);
}
