import type {
	Answer,
	Batch,
	ChangedSince,
	KeyRecord,
	Locator,
	NodeRecord,
	Query,
	Receipt,
	StoredKey,
	StoredNode,
	Subtree,
} from "../../src/storage.js";

interface Dated {
	readonly id: string;
	readonly revision: number;
}

/** The records of an outline, every query answered by looking through all of them. */
export class NaiveRecords {
	revision = 0;
	readonly nodes = new Map<string, NodeRecord>();
	readonly keys = new Map<string, KeyRecord>();
	/** When which node was deleted. */
	readonly deleted = new Map<string, number>();
	readonly receipts = new Map<string, Receipt>();

	/** The same records once more, to be changed on their own. */
	copy(): NaiveRecords {
		const copy = new NaiveRecords();
		copy.revision = this.revision;
		for (const [id, record] of this.nodes) copy.nodes.set(id, record);
		for (const [key, record] of this.keys) copy.keys.set(key, record);
		for (const [id, revision] of this.deleted) copy.deleted.set(id, revision);
		for (const [key, receipt] of this.receipts) copy.receipts.set(key, receipt);
		return copy;
	}

	/** Applies a batch. The base isn't checked. */
	apply({ base, nodes, keys, receipts }: Batch): void {
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
			if (after === null) this.keys.delete(before!.key);
			else this.keys.set(after.key, after);
		}
		for (const key of receipts?.dropped ?? []) this.receipts.delete(key);
		for (const receipt of receipts?.added ?? []) this.receipts.set(receipt.key, receipt);
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
	changedAfter(since: number): { nodes: NodeRecord[]; deleted: Dated[] } {
		const deleted = Array.from(this.deleted, ([id, revision]) => ({ id, revision }));
		return {
			nodes: this.#all(({ revision }) => revision > since).sort(byRevision),
			deleted: deleted.filter(({ revision }) => revision > since).sort(byRevision),
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
			case "receipt":
				return { receipt: this.receipts.get(query.key) ?? null, expired: this.#expired(query.expiry) };
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

	#expired(expiry: number): string[] {
		return [...this.receipts.values()]
			.filter(({ createdAt }) => createdAt < expiry)
			.sort((left, right) => left.createdAt - right.createdAt)
			.slice(0, 100)
			.map(({ key }) => key);
	}

	#changes({ since, limit }: Extract<Query, { type: "changes" }>): ChangedSince {
		const { nodes, deleted } = this.changedAfter(since);
		const revisions = [...nodes, ...deleted].map(({ revision }) => revision).sort((left, right) => left - right);
		const last = revisions[limit - 1] ?? this.revision;
		const until = revisions.some((revision) => revision > last) ? last : this.revision;
		const within = ({ revision }: Dated) => revision <= until;
		return { nodes: nodes.filter(within), deleted: deleted.filter(within), revision: until };
	}
}

function byRevision(left: Dated, right: Dated): number {
	return left.revision - right.revision || (left.id < right.id ? -1 : 1);
}
