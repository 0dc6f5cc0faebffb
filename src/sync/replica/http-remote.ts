import { after } from "../../engine/promises.js";
import { invalidArgument, OutlineError, type OutlineErrorCode, quoted } from "../../errors.js";
import { assertFunction, fieldNames, fieldsOf } from "../../fields.js";
import { withSigns } from "../phrases.js";
import type { SyncAnswer } from "../protocol.js";
import { outlineErrorOf, type Remote, type RemoteSignal } from "./remote.js";

// Browsers and servers have these, although they aren't part of ECMAScript.
declare const fetch: unknown;
declare const AbortController: new () => { readonly signal: RemoteSignal; abort(): void };
declare const TextDecoder: new () => { decode(bytes?: Uint8Array, options?: { stream: boolean }): string };
declare const CompressionStream: (new (format: "gzip") => unknown) | undefined;
declare const Blob: new (parts: readonly string[]) => { stream(): { pipeThrough(through: unknown): unknown } };
declare const Response: new (body: unknown) => { arrayBuffer(): Promise<ArrayBuffer> };

/** The request options that the remote passes to `fetch`. */
export interface FetchOptions {
	/** The method. */
	method?: string;
	/** The headers. */
	headers?: Record<string, string>;
	/** The body: a text, or bytes. */
	// biome-ignore lint/suspicious/noExplicitAny: its type differs between platforms, and `fetch` of each must fit.
	body?: any;
	/** An `AbortSignal`, which ends the request. */
	// biome-ignore lint/suspicious/noExplicitAny: as above.
	signal?: any;
}

/** The part of a response that the remote uses. */
export interface FetchResponse {
	/** Whether the status is 200 to 299. */
	readonly ok: boolean;
	/** The status. */
	readonly status: number;
	/** The headers, for `Retry-After`. */
	readonly headers?: {
		/** Returns the value of a header; `null` if there is none. */
		get(name: string): string | null;
	};
	/** Reads the body as JSON. */
	json(): Promise<unknown>;
	/**
	 * The body as a stream of bytes. It may be missing from the answer to a push: {@link FetchResponse.json} reads that
	 * then.
	 */
	readonly body: unknown;
}

/** The options of {@link createHttpRemote}. */
export interface HttpRemoteOptions {
	/** The address of the interface of the server, such as `https://notes.example/api/v1`. */
	url: string;
	/** The API key, as a bearer token. */
	apiKey: string;
	/** Sends the requests. Default: the platform's `fetch`. */
	fetch?(url: string, options: FetchOptions): Promise<FetchResponse>;
}

const optionNames = fieldNames<HttpRemoteOptions>({ url: true, apiKey: true, fetch: true });

/** The length from which a push is compressed, in characters. */
const compressedFrom = 160;

/** The longest wait for an answer after the upload, and for the next piece of a body, in milliseconds. */
const answerTimeout = 60_000;

/**
 * The slowest upload that a push waits for, in bytes a millisecond. `fetch` doesn't tell how far an upload is, and
 * an entry can't be split, so a fixed time would never let a large entry through a slow network.
 */
const slowestUpload = 8;

/** The most bytes of a character of a text, a UTF-16 code unit. */
const bytesOfCharacter = 3;

/** The codes of the server's errors that a replica understands. */
const codes: ReadonlySet<string> = new Set([
	"unauthorized",
	"forbidden",
	"wrong_outline",
	"sync_forked",
	"sync_reset",
	"sync_upgrade",
	"changes_expired",
	"too_large",
] satisfies OutlineErrorCode[]);

/** The codes of errors by the status, if the body has none that a replica understands. */
const byStatus = {
	400: "invalid_argument",
	401: "unauthorized",
	403: "forbidden",
	413: "too_large",
	415: "invalid_argument",
	426: "sync_upgrade",
} as const;

/** An error body of the server. */
interface ProblemBody {
	readonly code?: string;
	readonly detail?: string;
	readonly last?: number;
	readonly digests?: readonly (readonly [number, string])[];
}

/** Returns the way to a server over HTTP. @throws `invalid_argument` */
export function createHttpRemote(options: HttpRemoteOptions): Remote {
	assertOptions(options);
	const { apiKey } = options;
	const send = (options.fetch ?? fetch) as NonNullable<HttpRemoteOptions["fetch"]>;
	const base = options.url.replace(/\/+$/, "");

	/** Sends a request, and returns the response, or throws the error that it has. */
	async function request(
		path: string,
		fetchOptions: FetchOptions,
		running: HttpRequest,
		bodySize = 0,
	): Promise<FetchResponse> {
		const headers = { authorization: `Bearer ${apiKey}`, ...fetchOptions.headers };
		const sent = send(`${base}${path}`, { ...fetchOptions, headers, signal: running.signal });
		const response = await running.timed(sent, answerTimeout + bodySize / slowestUpload);
		if (!response.ok) throw await errorOf(response, running, base);
		return response;
	}

	return {
		async push(lines, signal) {
			const text = withSigns(lines.join("\n"));
			const headers = { "content-type": "application/x-ndjson" };
			return HttpRequest.run(signal, async (running) => {
				const isPlain = text.length < compressedFrom || typeof CompressionStream === "undefined";
				const body = isPlain ? text : await gzipped(text);
				const size = typeof body === "string" ? body.length * bytesOfCharacter : body.byteLength;
				const encoded = isPlain ? headers : { ...headers, "content-encoding": "gzip" };
				const response = await request("/sync", { method: "POST", headers: encoded, body }, running, size);
				return (await jsonOf(response, running)) as SyncAnswer;
			});
		},

		async *image(signal, from) {
			const running = new HttpRequest(signal);
			try {
				const query = from === undefined ? "" : `?revision=${from.revision}&after=${from.after}`;
				const response = await request(`/sync/image${query}`, {}, running);
				yield* textsOf(response, running);
			} catch (error) {
				throw outlineErrorOf(error);
			} finally {
				running.end();
			}
		},

		watch(since, listener, signal) {
			return HttpRequest.run(signal, async (running) => {
				const headers = { accept: "text/event-stream" };
				const response = await request(`/changes/stream?since=${since}&revisions=true`, { headers }, running);
				await tellRevisions(textsOf(response, running), listener);
			});
		},
	};
}

/** Tells the revisions of the events in a stream. */
async function tellRevisions(texts: AsyncIterable<string>, listener: (revision: number) => void): Promise<void> {
	let lines = "";
	for await (const text of texts) {
		lines += text;
		for (const [, revision] of lines.matchAll(/^id: *(\d+)\r?\n/gm)) listener(Number(revision));
		// Of a line that goes on. Only its beginning tells the revision, and earlier servers send long ones.
		lines = lines.slice(lines.lastIndexOf("\n") + 1).slice(0, 64);
	}
}

/** @throws `invalid_argument` if an option has a value that isn't allowed */
function assertOptions(options: HttpRemoteOptions): void {
	fieldsOf("createHttpRemote", options, optionNames);
	const { url, apiKey } = options;
	if (typeof url !== "string" || !/^https?:\/\/\S+$/.test(url)) {
		throw invalidArgument("url", url, 'an address such as "https://notes.example/api/v1"');
	}
	if (typeof apiKey !== "string" || apiKey === "") throw invalidArgument("apiKey", apiKey, "the API key, a text");
	if (options.fetch !== undefined) assertFunction("fetch", options.fetch);
}

/** A request under way. It ends by a signal, or if the server is silent for too long. */
class HttpRequest {
	readonly #controller = new AbortController();
	readonly #outer: RemoteSignal;
	readonly #abort = () => this.#controller.abort();

	constructor(signal: RemoteSignal) {
		this.#outer = signal;
		if (signal.aborted) this.#abort();
		else signal.addEventListener("abort", this.#abort);
	}

	get signal(): RemoteSignal {
		return this.#controller.signal;
	}

	/** Runs a request. @throws `OutlineError` for each error */
	static async run<T>(signal: RemoteSignal, work: (request: HttpRequest) => Promise<T>): Promise<T> {
		const request = new HttpRequest(signal);
		try {
			return await work(request);
		} catch (error) {
			throw outlineErrorOf(error);
		} finally {
			request.end();
		}
	}

	/** Waits for a part of the answer. Rejects at once when the request ends, even if `fetch` doesn't. */
	async timed<T>(part: Promise<T>, timeout = answerTimeout): Promise<T> {
		let stop = () => {};
		const ended = new Promise<never>((_, reject) => {
			const end = () => reject(new Error("The request was ended, or the server didn't answer in time."));
			if (this.signal.aborted) end();
			this.signal.addEventListener("abort", end);
			const cancel = after(timeout, this.#abort);
			stop = () => {
				cancel();
				this.signal.removeEventListener("abort", end);
			};
		});
		try {
			return await Promise.race([part, ended]);
		} finally {
			stop();
		}
	}

	/** Ends it. */
	end(): void {
		this.#outer.removeEventListener("abort", this.#abort);
		this.#abort();
	}
}

/** The body of a response, as texts. */
async function* textsOf({ body }: FetchResponse, request: HttpRequest): AsyncGenerator<string, void, undefined> {
	if (body === null) return;
	const reader = (body as { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }> } }).getReader();
	const decoder = new TextDecoder();
	for (;;) {
		const { done, value } = await request.timed(reader.read());
		if (done) break;
		yield decoder.decode(value, { stream: true });
	}
	yield decoder.decode();
}

/** The body of a response, as JSON. A large one may take long, as long as its pieces arrive. */
async function jsonOf(response: FetchResponse, request: HttpRequest): Promise<unknown> {
	const { getReader } = (response.body ?? {}) as { getReader?: unknown };
	if (typeof getReader !== "function") return request.timed(response.json());
	const texts: string[] = [];
	for await (const text of textsOf(response, request)) texts.push(text);
	return JSON.parse(texts.join(""));
}

/** The bytes of a text, compressed. */
function gzipped(text: string): Promise<ArrayBuffer> {
	return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream!("gzip"))).arrayBuffer();
}

/** The error that a response has. `base` is the address of the interface. */
async function errorOf(response: FetchResponse, request: HttpRequest, base: string): Promise<OutlineError> {
	const {
		code = "",
		detail,
		last,
		digests,
	} = await jsonOf(response, request).then(
		(body) => (body ?? {}) as ProblemBody,
		(): ProblemBody => ({}),
	);
	const answered = detail ?? `The server answered with status ${response.status}.`;
	const message =
		response.status === 404
			? `${answered} The remote's url is ${quoted(base)}. It must be the address of the HTTP interface, such as "https://notes.example/api/v1".`
			: answered;
	if (last !== undefined && Array.isArray(digests) && !digests.some((each) => !Array.isArray(each)))
		return new OutlineError("sync_forked", message, { journal: { last, digests } });
	if (codes.has(code)) return new OutlineError(code as OutlineErrorCode, message);
	const retryAfter = secondsToWait(response);
	// Node answers a request that broke off on its way with a bare 400.
	const meaning = response.status === 400 && code === "" ? undefined : byStatus[response.status as 401];
	const error = new OutlineError(meaning ?? "storage_unavailable", message);
	return retryAfter === undefined ? error : Object.assign(error, { retryAfter });
}

/** Returns the value of `Retry-After`, seconds or a date; undefined without one. */
function secondsToWait({ status, headers }: FetchResponse): number | undefined {
	const text = status === 429 || status === 503 ? headers?.get("retry-after") : null;
	if (!text) return undefined;
	const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
	return seconds > 0 ? seconds : undefined;
}
