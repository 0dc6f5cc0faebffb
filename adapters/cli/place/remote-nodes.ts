import {
	type CreateInput,
	type DeleteInput,
	type MoveInput,
	type Occurrence,
	Outline,
	OutlineError,
	type OutlineErrorCode,
	type OutlineNode,
	type SearchHit,
	type SearchInput,
	type UpdateInput,
	type WalkOptions,
} from "outlinekit";
import type { WireHit, WireNode } from "outlinekit/http";
import { createMemoryStorage } from "outlinekit/memory";
import { Failure } from "../failure.ts";
import type { NodeOutline } from "./node-outline.ts";
import type { ServerPlace } from "./place.ts";
import { serverFetch } from "./server-fetch.ts";

/** An answer of the server, or its problem. */
type Answer = { readonly [member: string]: unknown };

/** The number of nodes in one answer of a tree. */
const nodesAtOnce = 1000;

/**
 * The nodes of an outline on a server: each method is a request. So a key for a part of an outline will do, and
 * nothing else is loaded.
 */
export class RemoteNodes implements NodeOutline {
	readonly #place: ServerPlace;
	readonly #fetch: typeof fetch;
	readonly #settings: { readonly timeZone?: string | undefined };

	/** @param settings - the zone of this machine, for the day of today */
	constructor(place: ServerPlace, signal: AbortSignal, settings: { readonly timeZone?: string | undefined }) {
		this.#place = place;
		this.#fetch = serverFetch(place, signal);
		this.#settings = settings;
	}

	async get(ref: string): Promise<OutlineNode> {
		return nodeOf((await this.#ask("node", "GET", at(ref))).node as WireNode);
	}

	async create({ parent, ...input }: CreateInput): Promise<OutlineNode> {
		const { item_id } = await this.#ask("item_id", "POST", "/nodes", { ...input, parent_id: parent });
		return this.get(item_id as string);
	}

	async update(ref: string, input: UpdateInput = {}): Promise<OutlineNode> {
		await this.#ask("status", "POST", at(ref), input);
		return this.get(ref);
	}

	async move(ref: string, { parent, position }: MoveInput = {}): Promise<OutlineNode> {
		await this.#ask("status", "POST", at(ref, "/move"), { parent_id: parent, position });
		return this.get(ref);
	}

	async delete(ref: string, { mirrors = "reject" }: DeleteInput = {}): Promise<void> {
		await this.#ask("status", "DELETE", `${at(ref)}?mirrors=${mirrors}`);
	}

	readonly plan = {
		delete: async (ref: string, { mirrors = "reject" }: DeleteInput = {}) => {
			const { plan } = await this.#ask("plan", "GET", `${at(ref, "/deletion-plan")}?mirrors=${mirrors}`);
			return { nodeIds: (plan as { node_ids: string[] }).node_ids };
		},
	};

	async complete(ref: string): Promise<OutlineNode> {
		await this.#ask("status", "POST", at(ref, "/complete"));
		return this.get(ref);
	}

	async uncomplete(ref: string): Promise<OutlineNode> {
		await this.#ask("status", "POST", at(ref, "/uncomplete"));
		return this.get(ref);
	}

	today(): string {
		return new Outline({ storage: createMemoryStorage(), ...this.#settings }).today();
	}

	async *walk(ref: string | null, { depth, completed = true }: WalkOptions): AsyncIterable<Occurrence> {
		const path: string[] = [];
		let cursor: string | null = null;
		do {
			const query: URLSearchParams = queryOf({ root: ref, depth, completed, limit: nodesAtOnce, cursor });
			const answer = await this.#ask("nodes", "GET", `/tree?${query}`);
			for (const { path: _, depth: level, ...wire } of answer.nodes as (WireNode & {
				path: string[];
				depth: number;
			})[]) {
				// Long paths are cut in answers.
				path.splice(level, Number.POSITIVE_INFINITY, wire.id);
				yield { node: nodeOf(wire), path: [...path] };
			}
			cursor = answer.cursor as string | null;
		} while (cursor !== null);
	}

	async search(q: string, input: SearchInput): Promise<SearchHit[]> {
		const { nodes } = await this.#ask("nodes", "GET", `/search?${queryOf({ q, ...input })}`);
		return (nodes as WireHit[]).map(({ path, score, date, ancestors, ranges, ...wire }) => ({
			node: nodeOf(wire),
			path,
			score,
			...(date !== undefined && { date }),
			...(ancestors !== undefined && { ancestors }),
			...(ranges !== undefined && { ranges }),
		}));
	}

	/**
	 * Sends a request, and returns its answer, which must have a member.
	 *
	 * @throws the problem that the server names; `storage_unavailable`; `no_outline` if another program answers
	 */
	async #ask(member: string, method: string, path: string, body?: object): Promise<Answer> {
		const { url, key } = this.#place;
		const response = await this.#fetch(`${url}/api/v1${path}`, {
			method,
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const text = await response.text().catch((cause: unknown) => {
			const advice = method === "GET" ? "Try again." : "The change may be done: look before you try again.";
			throw new OutlineError("storage_unavailable", `The answer of ${url} broke off. ${advice}`, { cause });
		});
		const answer = answerIn(text);
		if (response.ok && member in answer) return answer;
		if (response.ok || typeof answer.code !== "string" || typeof answer.detail !== "string") {
			throw new Failure("no_outline", `There is no outline at ${url}: it answers with the status ${response.status}.`);
		}
		throw new OutlineError(answer.code as OutlineErrorCode, answer.detail);
	}
}

/** Returns the answer that a text has as JSON; an empty one if it has none, for example the page of a portal. */
function answerIn(text: string): Answer {
	try {
		return Object(JSON.parse(text)) as Answer;
	} catch {
		return {};
	}
}

/** Returns the path of a node, and of what can be done with it. @throws OutlineError */
function at(ref: string, suffix = ""): string {
	if (/^\.{0,2}$/.test(ref)) {
		// An address without a name, or with dots in its place, is the address of another endpoint.
		throw new OutlineError("invalid_reference", `A node can't be ${JSON.stringify(ref)} on a server. Give its id.`);
	}
	return `/nodes/${encodeURIComponent(ref)}${suffix}`;
}

/** Returns the parameters that have a value. */
function queryOf(values: Readonly<Record<string, unknown>>): URLSearchParams {
	const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
	return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

function nodeOf({ parent_id, data: { layoutMode, properties = {}, mirror }, ...rest }: WireNode): OutlineNode {
	return {
		...rest,
		parentId: parent_id,
		layoutMode,
		properties,
		...(mirror !== undefined && {
			mirror: "origin_id" in mirror ? { originId: mirror.origin_id } : { mirrorIds: mirror.mirror_ids },
		}),
	};
}
