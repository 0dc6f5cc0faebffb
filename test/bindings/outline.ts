import { Outline, OutlineError, type SearchHitOf, type SearchInput } from "outlinekit";
import type { Rows } from "outlinekit/live";
import { createMemoryStorage } from "outlinekit/memory";
import { createReplica, type Replica, type ReplicaOptions } from "outlinekit/sync";

/** An outline in memory that counts its listeners. Its reads can fail or wait. */
export class WatchedOutline extends Outline {
	/** The number of subscriptions that are open. */
	open = 0;
	/** The number of all subscriptions so far. */
	made = 0;
	/** The number of open listeners to the history. */
	historyListeners = 0;
	/** The error of each read; undefined if reads work. */
	error: Error | undefined;
	/** Each read waits for it. */
	gate: Promise<void> = Promise.resolve();

	constructor() {
		super({ storage: createMemoryStorage(), timeZone: "UTC" });
	}

	/** Creates nodes at the end of the top level, or of a parent. Returns their ids. */
	async plant(names: readonly string[], parent: string | null = null): Promise<string[]> {
		const ids: string[] = [];
		for (const name of names) ids.push((await this.create({ name, parent, position: "bottom" })).id);
		return ids;
	}

	/** Makes reads wait until the returned function is called. */
	hold(): () => void {
		let release = () => {};
		this.gate = new Promise((resolve) => {
			release = resolve;
		});
		return release;
	}

	/** The names of the top level, as a query reads them. */
	async names(): Promise<string> {
		return (await this.list()).nodes.map(({ name }) => name).join();
	}

	override subscribe(...args: Parameters<Outline["subscribe"]>): () => void {
		const stop = super.subscribe(...args);
		let subscribed = true;
		this.open += 1;
		this.made += 1;
		return () => {
			if (subscribed) this.open -= 1;
			subscribed = false;
			stop();
		};
	}

	override watchHistory(...args: Parameters<Outline["watchHistory"]>): () => void {
		const stop = super.watchHistory(...args);
		this.historyListeners += 1;
		return () => {
			this.historyListeners -= 1;
			stop();
		};
	}

	override async list(...args: Parameters<Outline["list"]>): ReturnType<Outline["list"]> {
		await this.#pass();
		return super.list(...args);
	}

	override async get(...args: Parameters<Outline["get"]>): ReturnType<Outline["get"]> {
		await this.#pass();
		return super.get(...args);
	}

	override async search<const Input extends SearchInput>(query: string, input?: Input): Promise<SearchHitOf<Input>[]> {
		await this.#pass();
		return super.search(query, input);
	}

	async #pass(): Promise<void> {
		const { error } = this;
		await this.gate;
		if (error !== undefined) throw error;
	}
}

/** The rows as a text: indented by depth, with a sign for those that have children. */
export function drawn(rows: Rows | undefined): string {
	if (rows === undefined) return "…";
	if (rows.rows.length === 0) return "nothing";
	return rows.rows
		.map(({ node, depth, hasChildren }) => `${"-".repeat(depth)}${node.name}${hasChildren ? ">" : ""}`)
		.join();
}

/** A replica whose server can't be reached. */
export function offlineReplica(): Replica {
	const unreachable = async () => {
		throw new OutlineError("storage_unavailable", "offline");
	};
	// biome-ignore lint/correctness/useYield: it fails before there is anything to yield
	async function* image(): AsyncGenerator<string> {
		await unreachable();
	}
	const remote: ReplicaOptions["remote"] = { push: unreachable, image };
	return createReplica({ local: createMemoryStorage(), remote, auto: false });
}
