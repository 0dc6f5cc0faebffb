import {
	createHttpHandler,
	type HttpHandlerOptions,
	type ProblemCode,
	type WireNode,
} from "../../../adapters/http/index.js";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { asDescribed, rememberBody } from "./described.js";

/** A response after its body was read. */
export interface Reply {
	readonly status: number;
	readonly headers: Headers;
	readonly body: Record<string, unknown>;
}

/** A user of a service, with the calls that most tests need. */
export interface Client {
	ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
	/** Creates a node and returns its id. */
	create(body: object): Promise<string>;
	/** Mirrors a node and returns the mirror's id. */
	mirror(id: string, parentId: string): Promise<string>;
	node(id: string): Promise<WireNode>;
	/** The children of a node, or of the top level, in order. */
	nodes(parentId?: string): Promise<WireNode[]>;
}

/** The date of every test: a Saturday. */
export const today = Date.UTC(2026, 10, 21, 12);

/** An outline with fixed settings over a storage of its own. */
export function testOutline(storage: StorageAdapter = createMemoryStorage()): Outline {
	return new Outline({ storage, timeZone: "UTC", appUrl: "https://notes.example", now: () => today });
}

/**
 * A handler for the users `ann` and `bob`, whose API keys are their names. It checks all requests and answers
 * against the OpenAPI document.
 */
export function service(options: Partial<HttpHandlerOptions> = {}, outline: Outline = testOutline()) {
	const outlines = new Map([
		["ann", outline],
		["bob", testOutline()],
	]);
	const authenticate = (apiKey: string) => outlines.get(apiKey) ?? null;
	const handle = asDescribed(createHttpHandler({ authenticate, ...options }));
	return { handle, authenticate, outline, ann: client(handle, "ann"), bob: client(handle, "bob") };
}

/** A service with an origin that has a child, and a mirror of it below another node. */
export async function mirrored() {
	const served = service();
	const origin = await served.ann.create({ name: "origin" });
	const child = await served.ann.create({ parent_id: origin, name: "child" });
	const place = await served.ann.create({ name: "place" });
	return { ...served, origin, child, place, mirror: await served.ann.mirror(origin, place) };
}

/** Counts the listeners of an outline from now on. */
export function listenersOf(outline: Outline): { count: number } {
	const listeners = { count: 0 };
	const subscribe = outline.subscribe.bind(outline);
	outline.subscribe = (listener) => {
		listeners.count += 1;
		const stop = subscribe(listener);
		return () => {
			listeners.count -= 1;
			stop();
		};
	};
	return listeners;
}

/** A request of a user. Sends a body as JSON, and a text unchanged. */
export function request(
	apiKey: string | null,
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> = {},
): Request {
	const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
	const made = new Request(`https://api.example${path}`, {
		method,
		headers: {
			...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
			...(body === undefined ? {} : { "content-type": "application/json" }),
			...headers,
		},
		...(text === undefined ? {} : { body: text }),
	});
	return rememberBody(made, text ?? "");
}

/** Reads a response to its end. */
export async function reply(response: Response): Promise<Reply> {
	return {
		status: response.status,
		headers: response.headers,
		body: (await response.json()) as Record<string, unknown>,
	};
}

/** The expected status and body of an error response. */
export function problem(status: number, code: ProblemCode): object {
	return { status, body: { type: "about:blank", status, code } };
}

function client(handle: (request: Request) => Promise<Response>, apiKey: string): Client {
	async function ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> {
		return reply(await handle(request(apiKey, method, path, body, headers)));
	}

	async function value<T>(field: string, method: string, path: string, body?: object): Promise<T> {
		const { status, body: answer } = await ask(method, path, body);
		if (status !== 200) throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(answer)}`);
		return answer[field] as T;
	}

	return {
		ask,
		create: (body) => value("item_id", "POST", "/api/v1/nodes", body),
		mirror: (id, parentId) => value("item_id", "POST", `/api/v1/nodes/${id}/mirror`, { parent_id: parentId }),
		node: (id) => value("node", "GET", `/api/v1/nodes/${id}`),
		nodes: (parentId) =>
			value(
				"nodes",
				"GET",
				`/api/v1/nodes${parentId === undefined ? "" : `?parent_id=${encodeURIComponent(parentId)}`}`,
			),
	};
}
