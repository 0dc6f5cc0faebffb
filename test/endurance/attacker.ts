import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";

/** The answer to a request. */
export interface Reply {
	readonly status: number;
	/** The number of bytes of the answer. The bytes aren't stored. */
	readonly bytes: number;
	/** The answer as an object, if it isn't long. */
	readonly body: { readonly [member: string]: unknown };
}

/** Answers up to so many bytes are looked into. */
const shortAnswer = 4_000_000;

/** A client that means no good: it has a key, sends whatever it likes, and reads or doesn't. */
export class Attacker {
	readonly #address: string;
	readonly #apiKey: string;
	readonly #agent = new Agent({ keepAlive: false });
	readonly #open = new Set<() => void>();

	constructor(address: string, apiKey: string) {
		this.#address = address;
		this.#apiKey = apiKey;
	}

	/**
	 * Sends a request and reads the answer to its end.
	 *
	 * @throws unless the answer is a success or an error of the client; a failure of the server or a retry
	 *   isn't allowed
	 */
	async ask(
		method: string,
		path: string,
		body?: object | string | Buffer,
		headers: Record<string, string> = {},
	): Promise<Reply> {
		const answer = await this.#answer(method, path, body, headers);
		const chunks: Buffer[] = [];
		let bytes = 0;
		for await (const chunk of answer as AsyncIterable<Buffer>) {
			bytes += chunk.byteLength;
			if (bytes <= shortAnswer) chunks.push(chunk);
		}
		const text = bytes <= shortAnswer ? Buffer.concat(chunks).toString() : "{}";
		const status = answer.statusCode!;
		const isJson = /json$/.test(answer.headers["content-type"] ?? "");
		const read = isJson ? (JSON.parse(text) as Reply["body"]) : {};
		if (status === 200 || (status >= 400 && status < 500 && typeof read.code === "string")) {
			return { status, bytes, body: read };
		}
		throw new Error(`${method} ${path} was answered with ${status}: ${text.slice(0, 500)}`);
	}

	/** As {@link Attacker.ask}, of what must succeed: what it answers under a name. */
	async make<T>(member: string, path: string, body: object): Promise<T> {
		const { status, body: answer } = await this.ask("POST", path, body);
		if (status !== 200) throw new Error(`POST ${path} was refused: ${JSON.stringify(answer).slice(0, 500)}`);
		return answer[member] as T;
	}

	/** Sends a request and reads only the start of the answer, until {@link Attacker.leave}. */
	async stare(path: string): Promise<void> {
		const answer = await this.#answer("GET", path);
		answer.pause();
		answer.on("error", () => {});
		this.#open.add(() => answer.destroy());
	}

	/** Closes all open requests. */
	leave(): void {
		for (const close of this.#open) close();
		this.#open.clear();
	}

	async #answer(
		method: string,
		path: string,
		body?: object | string | Buffer,
		headers: Record<string, string> = {},
	): Promise<IncomingMessage> {
		const isRaw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
		const asked = request(`${this.#address}/api/v1/${path}`, {
			method,
			agent: this.#agent,
			headers: {
				authorization: `Bearer ${this.#apiKey}`,
				...(!isRaw && { "content-type": "application/json" }),
				...headers,
			},
		});
		// A server that refuses a body while it is sent may close the connection when it has answered.
		asked.on("error", () => {});
		const answered = once(asked, "response") as Promise<[IncomingMessage]>;
		asked.end(isRaw ? body : JSON.stringify(body));
		const [answer] = await answered;
		return answer;
	}
}
