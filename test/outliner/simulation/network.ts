import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { StaticFiles } from "../../../adapters/cli/serve/static-files.js";
import { createFileStorage } from "../../../adapters/file.js";
import { createNodeListener } from "../../../adapters/http/index.js";
import type { OutlineChange } from "../../../src/index.js";
import { Outline } from "../../../src/outline.js";
import type { Random } from "../../conformance/random.js";

/**
 * The network of a client: `good`; `bad`, which loses requests and answers; or `cut`, which lets nothing
 * through.
 */
export type Weather = "good" | "bad" | "cut";

/** A server with one outline that stops and starts, and the network between it and each client. */
export class Network {
	/** The outline of the server; it is another object after each start. */
	outline!: Outline;
	/** Called with the changes of each commit of the server. */
	onCommit: (changes: readonly OutlineChange[]) => void = () => {};
	/** The errors of the server while it ran. */
	readonly errors: unknown[] = [];
	readonly #random: Random;
	readonly #directory: string;
	readonly #server: Server;
	/** Answers requests while the server runs. */
	#listener: RequestListener | undefined;
	/** By the key of each client. */
	readonly #weather = new Map<string, Weather>();
	/** The key of each request under way. */
	readonly #underWay = new Map<IncomingMessage, string>();

	/**
	 * @param files - the pages, which come even while the server is stopped or the network is cut, as from a
	 * service worker
	 * @param directory - the folder of the outline
	 */
	constructor(files: StaticFiles, directory: string, random: Random) {
		this.#random = random;
		this.#directory = directory;
		this.#server = createServer((request, response) => {
			if (!files.answer(request, response)) this.#answer(request, response);
		});
	}

	get address(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	get isRunning(): boolean {
		return this.#listener !== undefined;
	}

	/** Adds a client, whose API key is its name. */
	add(key: string): void {
		this.#weather.set(key, "good");
	}

	weatherOf(key: string): Weather {
		return this.#weather.get(key)!;
	}

	/** Changes the network of a client. A cut breaks the requests under way. */
	setWeather(key: string, weather: Weather): void {
		this.#weather.set(key, weather);
		if (weather !== "cut") return;
		for (const [request, owner] of this.#underWay) if (owner === key) request.socket.destroy();
	}

	async listen(): Promise<void> {
		await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
		this.start();
	}

	/** Starts the server with the outline that it had before. */
	start(): void {
		const outline = new Outline({
			storage: createFileStorage(join(this.#directory, "outline.jsonl")),
			timeZone: "UTC",
			history: { steps: 0 },
		});
		outline.subscribe(({ changes }) => this.onCommit(changes));
		this.outline = outline;
		const listener = createNodeListener({
			authenticate: (key) => (this.#weather.has(key) ? outline : null),
			onError: (error) => {
				if (this.#listener === listener) this.errors.push(error);
			},
		});
		this.#listener = listener;
	}

	/** Stops the server, and breaks the requests under way. */
	async stop(): Promise<void> {
		this.#listener = undefined;
		for (const request of this.#underWay.keys()) request.socket.destroy();
		await this.outline.close();
	}

	async close(): Promise<void> {
		if (this.isRunning) await this.stop();
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	#answer(request: IncomingMessage, response: ServerResponse): void {
		const key = request.headers.authorization?.replace("Bearer ", "") ?? "";
		const weather = this.#weather.get(key);
		if (this.#listener === undefined || weather === "cut") {
			request.socket.destroy();
			return;
		}
		this.#underWay.set(request, key);
		response.on("close", () => this.#underWay.delete(request));
		const isUnlucky = weather === "bad" && this.#random.happens(0.5);
		if (isUnlucky && this.#random.happens(0.5)) {
			request.socket.destroy();
			return;
		}
		if (isUnlucky) {
			const { socket } = request;
			socket.write = () => {
				socket.destroy();
				return false;
			};
		}
		void this.#listener(request, response);
	}
}
