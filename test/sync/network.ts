import { Random } from "../conformance/random.js";

/** Answers a request, as the handler of `createHttpHandler` does. */
export type Handler = (request: Request) => Promise<Response>;

/** The probability of each fault of a request. */
export interface Faults {
	/** The request doesn't arrive. */
	readonly lost: number;
	/** The request arrives, and its answer doesn't. */
	readonly unanswered: number;
	/** The request arrives twice, one after the other or both at once. */
	readonly doubled: number;
	/** The request seems to be lost, and arrives later, after other ones. */
	readonly late: number;
	/** The answer breaks off. */
	readonly cut: number;
	/** A proxy answers 503. */
	readonly busy: number;
	/** The answer takes a while, and the device works on meanwhile. */
	readonly slow: number;
}

/** A network of many faults: about every third request fails. */
export const badFaults: Faults = {
	lost: 0.06,
	unanswered: 0.08,
	doubled: 0.08,
	late: 0.06,
	cut: 0.04,
	busy: 0.04,
	slow: 0.1,
};

/** Connects devices with a server. Without faults, each request arrives once and is answered. */
export class Network {
	faults: Partial<Faults> | null = null;
	/** Called while an answer is on its way slowly. */
	meanwhile: () => Promise<unknown> = async () => undefined;
	/** The bytes of the bodies of all requests and answers so far, and the number of requests. */
	readonly traffic = { requests: 0, sent: 0, received: 0 };
	/** Decides on faults. */
	random: Random;
	/** Requests that seemed to be lost. */
	#late: (() => Promise<unknown>)[] = [];

	constructor(random = new Random(1)) {
		this.random = random;
	}

	/**
	 * Returns a `fetch` for one device.
	 *
	 * @param handler - returns what answers at the moment; `null` while the device has no network
	 */
	fetchTo(handler: () => Handler | null): typeof fetch {
		return async (input, init) => {
			const request = new Request(input, init);
			const body = request.body === null ? undefined : await request.arrayBuffer();
			const arrive = async (): Promise<Response> => {
				const answering = handler();
				if (answering === null) throw new TypeError("fetch failed");
				const { method, headers } = request;
				this.traffic.requests += 1;
				this.traffic.sent += body?.byteLength ?? 0;
				return answering(new Request(request.url, { method, headers, ...(body !== undefined && { body }) }));
			};
			return this.#answer(arrive, request.signal);
		};
	}

	/** Delivers the requests that are late, in any order. */
	async deliverLate(): Promise<void> {
		const late = this.#late;
		this.#late = [];
		while (late.length > 0) {
			const [arrive] = late.splice(this.random.below(late.length), 1);
			await arrive!().catch(() => {});
		}
	}

	async #answer(arrive: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
		const fault = this.#fault();
		switch (fault) {
			case "lost":
				throw new TypeError("fetch failed");
			case "busy":
				return new Response("The proxy is busy.", { status: 503, headers: { "retry-after": "0" } });
			case "late":
				this.#late.push(arrive);
				throw new TypeError("fetch failed");
			case "unanswered":
				await read(await arrive());
				throw new TypeError("fetch failed");
			case "doubled":
				if (this.random.happens(0.5)) await read(await arrive());
				else {
					const [, second] = await Promise.all([arrive().then(read), arrive()]);
					return second;
				}
		}
		const response = await arrive();
		if (fault === "slow") await this.meanwhile();
		if (signal.aborted) throw signal.reason;
		if (fault !== "cut" || response.body === null) return response;
		const whole = new Uint8Array(await response.arrayBuffer());
		return broken(whole.subarray(0, this.random.below(whole.length + 1)), response);
	}

	#fault(): keyof Faults | undefined {
		if (this.faults === null) return undefined;
		let chance = this.random.next();
		for (const [fault, probability] of Object.entries(this.faults)) {
			chance -= probability;
			if (chance < 0) return fault as keyof Faults;
		}
		return undefined;
	}
}

async function read(response: Response): Promise<void> {
	await response.arrayBuffer();
}

/** Returns an answer whose body breaks off after its first bytes. */
function broken(bytes: Uint8Array, { status, headers }: Response): Response {
	let isSent = false;
	const body = new ReadableStream<Uint8Array>({
		pull(controller) {
			if (isSent) controller.error(new TypeError("terminated"));
			else if (bytes.length > 0) controller.enqueue(bytes);
			isSent = true;
		},
	});
	return new Response(body, { status, headers });
}
