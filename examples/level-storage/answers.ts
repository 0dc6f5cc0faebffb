import type {
	Answer,
	ChangedSince,
	Document,
	KeyRecord,
	Locator,
	NodeRecord,
	Query,
	StoredKey,
	StoredNode,
	Subtree,
} from "outlinekit";
import { changeAt, type Moment, pairsWith, placesUnder, sortable, type Tables } from "./rows.js";

type Children = Extract<Query, { type: "children" }>;
type Documents = Extract<Query, { type: "documents" }>;

/** The number of searches at once. */
const partSize = 256;

/** Answers queries from the tables as they were at one moment. */
export class Answers {
	readonly #tables: Tables;
	readonly #options: { readonly snapshot: Moment };

	constructor(tables: Tables, moment: Moment) {
		this.#tables = tables;
		this.#options = { snapshot: moment };
	}

	/** The revision at that moment. */
	async revision(): Promise<number> {
		return (await this.#tables.state.get("revision", this.#options)) ?? 0;
	}

	/** The answer to a query. */
	async answer(query: Query): Promise<Answer<Query>> {
		switch (query.type) {
			case "node": {
				const record = await this.#locate(query.at);
				return record === undefined ? null : (await this.stored([record]))[0]!;
			}
			case "children":
				return this.stored(await this.#children(query));
			case "ancestors":
				return this.#ancestors(query.of);
			case "subtree":
				return this.#subtree(query.of);
			case "related":
				return this.#related(query.ids);
			case "taken": {
				const shortIds = [...new Set(query.shortIds)];
				const ids = await this.#tables.shortIds.getMany(shortIds, this.#options);
				return shortIds.filter((_, place) => ids[place] !== undefined);
			}
			case "keys":
				return this.#keys(query.group);
			case "documents":
				return this.#documents(query);
			case "changes":
				return this.#changes(query.since, query.limit);
		}
	}

	/** Records with their origins and mirrors. */
	async stored(records: readonly NodeRecord[]): Promise<StoredNode[]> {
		const originIds = [...new Set(records.flatMap(({ originId }) => (originId === null ? [] : [originId])))];
		const [origins, mirrors] = await Promise.all([
			this.#records(originIds),
			this.#tables.mirrors.getMany(
				records.map(({ id }) => id),
				this.#options,
			),
		]);
		const byId = new Map(origins.map((origin) => [origin.id, origin]));
		return records.map((record, place) => ({
			record,
			origin: byId.get(record.originId ?? "") ?? null,
			mirrorIds: mirrors[place] ?? [],
		}));
	}

	/** The records with these ids, without missing ones. */
	async #records(ids: readonly string[]): Promise<NodeRecord[]> {
		const found = await this.#tables.nodes.getMany([...ids], this.#options);
		return found.filter((record) => record !== undefined);
	}

	async #locate(at: Locator): Promise<NodeRecord | undefined> {
		const { nodes, shortIds, keys } = this.#tables;
		if ("id" in at) return nodes.get(at.id, this.#options);
		const id =
			"shortId" in at ? await shortIds.get(at.shortId, this.#options) : (await keys.get(at.key, this.#options))?.nodeId;
		return id === undefined ? undefined : nodes.get(id, this.#options);
	}

	async #children(query: Children): Promise<NodeRecord[]> {
		if (query.of === null) return this.#childrenOf(null, query);
		const parent = await this.#locate(query.of);
		if (parent === undefined) return [];
		const own = await this.#childrenOf(parent.id, query);
		if (query.scope === "own" || parent.originId === null) return own;
		if ((await this.#tables.nodes.get(parent.originId, this.#options)) === undefined) return own;
		const all = [...own, ...(await this.#childrenOf(parent.originId, query))].sort(byPlace);
		const { limit = all.length, fromLast = false } = query;
		return fromLast ? all.slice(Math.max(0, all.length - limit)) : all.slice(0, limit);
	}

	async #childrenOf(parentId: string | null, { after, before, limit = -1, fromLast = false }: Children) {
		const range = { ...placesUnder(parentId, after, before), limit, reverse: fromLast, ...this.#options };
		const ids = await this.#tables.children.values(range).all();
		return this.#records(fromLast ? ids.reverse() : ids);
	}

	async #ancestors(of: Locator): Promise<string[]> {
		const ids: string[] = [];
		for (let record = await this.#locate(of); record !== undefined; ) {
			ids.push(record.id);
			if (record.parentId === null) break;
			record = await this.#tables.nodes.get(record.parentId, this.#options);
		}
		return ids;
	}

	async #subtree(of: Locator): Promise<Subtree> {
		const root = await this.#locate(of);
		const records: NodeRecord[] = [];
		const { children, pointers } = this.#tables;
		for (let generation = root === undefined ? [] : [root]; generation.length > 0; ) {
			const next: string[] = [];
			// In parts: each search holds memory until it ends, and there may be very many nodes.
			for (let start = 0; start < generation.length; start += partSize) {
				const part = generation.slice(start, start + partSize);
				const searches = part.map(({ id }) => children.values({ ...placesUnder(id), ...this.#options }).all());
				for (const ids of await Promise.all(searches)) for (const id of ids) next.push(id);
			}
			for (const record of generation) records.push(record);
			generation = await this.#records(next);
		}
		const keys = await pointers.getMany(
			records.map(({ id }) => id),
			this.#options,
		);
		const found = await this.#tables.keys.getMany(
			keys.flatMap((names) => names ?? []),
			this.#options,
		);
		return { nodes: await this.stored(records), keys: found.filter((record) => record !== undefined) };
	}

	async #related(ids: readonly string[]): Promise<StoredNode[]> {
		const [records, mirrors] = await Promise.all([
			this.#records(ids),
			this.#tables.mirrors.getMany([...ids], this.#options),
		]);
		const wanted = new Set(ids);
		for (const { originId } of records) if (originId !== null) wanted.add(originId);
		for (const mirrorIds of mirrors) for (const id of mirrorIds ?? []) wanted.add(id);
		return this.stored(await this.#records([...wanted]));
	}

	async #keys(group: string): Promise<StoredKey[]> {
		const names = await this.#tables.groups.values({ ...pairsWith(group), ...this.#options }).all();
		const records = (await this.#tables.keys.getMany(names, this.#options)).filter((record) => record !== undefined);
		const nodes = await this.stored(await this.#records(records.map(({ nodeId }) => nodeId)));
		return records.map((record, place) => ({ record, node: nodes[place]! }));
	}

	async #documents({ prefix, after = "", limit = -1 }: Documents): Promise<Document[]> {
		// A document's key has no character after "~", so all keys with the prefix come before this end.
		const range = { ...(after < prefix ? { gte: prefix } : { gt: after }), lt: `${prefix}\x7f` };
		const found = await this.#tables.documents.iterator({ ...range, limit, ...this.#options }).all();
		return found.map(([key, value]) => ({ key, value }));
	}

	async #changes(since: number, limit: number): Promise<ChangedSince> {
		const written: Record<string, string[]> = { node: [], key: [] };
		const deleted: { id: string; revision: number }[] = [];
		const droppedKeys: { key: string; revision: number }[] = [];
		let revision = await this.revision();
		let last: number | undefined;
		let count = 0;
		const feed = this.#tables.changes.iterator({ gt: `${sortable(since)}~`, ...this.#options });
		for await (const [place, what] of feed) {
			const change = changeAt(place);
			if (last !== undefined && change.revision !== last && count >= limit) {
				revision = last;
				break;
			}
			last = change.revision;
			count += 1;
			if (what === "written") written[change.kind]!.push(change.name);
			else if (change.kind === "node") deleted.push({ id: change.name, revision: change.revision });
			else droppedKeys.push({ key: change.name, revision: change.revision });
		}
		const keys = await this.#tables.keys.getMany(written.key!, this.#options);
		return {
			nodes: await this.#records(written.node!),
			deleted,
			keys: keys.filter((record) => record !== undefined).sort(byRevision),
			droppedKeys: droppedKeys.sort(byRevision),
			horizon: (await this.#tables.state.get("horizon", this.#options)) ?? 0,
			revision,
		};
	}
}

/** The order of keys in the feed. LevelDB orders some characters differently. */
function byRevision(left: Pick<KeyRecord, "key" | "revision">, right: Pick<KeyRecord, "key" | "revision">): number {
	return left.revision - right.revision || (left.key < right.key ? -1 : 1);
}

function byPlace(left: NodeRecord, right: NodeRecord): number {
	return left.priority - right.priority || (left.id < right.id ? -1 : 1);
}
