import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * The place where the proxy cuts a connection: after this many bytes of a statement to the server, or of its
 * whole answer.
 */
export interface Cut {
	/** A text within the statement. */
	readonly statement: string;
	readonly in: "request" | "answer";
	readonly after: number;
}

/** The end of every answer of the server: it is ready for the next statement, and in no transaction. */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** A proxy between clients and a server on this machine that cuts connections on demand. */
export class TcpProxy {
	readonly #server: Server;
	readonly #sockets = new Set<Socket>();
	#cut: Cut | undefined;
	#isRefusing = false;
	#isFrozen = false;
	/** The full length of the message that was cut last. */
	length = 0;

	private constructor(port: number) {
		this.#server = createServer((client) => this.#join(client, connect(port, "127.0.0.1")));
	}

	/** Starts a proxy for the server on a port. */
	static async start(port: number): Promise<TcpProxy> {
		const proxy = new TcpProxy(port);
		await once(proxy.#server.listen(0, "127.0.0.1"), "listening");
		return proxy;
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	/** Cuts the next connection on which the statement is sent. */
	cut(cut: Cut): void {
		this.#cut = cut;
	}

	/** Whether the connection has been cut. */
	get isCut(): boolean {
		return this.#cut === undefined;
	}

	/** Breaks every present connection. */
	breakAll(): void {
		for (const socket of this.#sockets) socket.destroy();
	}

	/** Breaks every connection, also new ones, until {@link resume} is called. */
	refuse(): void {
		this.#isRefusing = true;
		this.breakAll();
	}

	/** Lets no byte through until {@link resume} is called. */
	freeze(): void {
		this.#isFrozen = true;
		for (const socket of this.#sockets) socket.pause();
	}

	/** Ends an outage. */
	resume(): void {
		this.#isRefusing = false;
		this.#isFrozen = false;
		for (const socket of this.#sockets) socket.resume();
	}

	async stop(): Promise<void> {
		this.breakAll();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	#join(client: Socket, server: Socket): void {
		let cut: Cut | undefined;
		let request = Buffer.alloc(0);
		let answer = Buffer.alloc(0);
		const end = () => {
			client.destroy();
			server.destroy();
			this.#sockets.delete(client);
			this.#sockets.delete(server);
		};
		for (const socket of [client, server]) {
			this.#sockets.add(socket);
			socket.setNoDelay().on("error", end).on("close", end);
		}
		if (this.#isRefusing) end();
		client.on("data", (data) => {
			if (cut === undefined && this.#cut !== undefined && data.includes(this.#cut.statement)) {
				cut = this.#cut;
				this.#cut = undefined;
			}
			if (cut?.in !== "request") {
				server.write(data);
				return;
			}
			const before = request.length;
			request = Buffer.concat([request, data]);
			this.length = request.length;
			const part = request.subarray(before, cut.after);
			// The connection breaks only after the server has its part.
			if (request.length < cut.after) server.write(part);
			else server.end(part, end);
		});
		server.on("data", (data) => {
			if (cut === undefined) {
				client.write(data);
				return;
			}
			if (cut.in === "request") return;
			answer = Buffer.concat([answer, data]);
			if (!answer.subarray(-ready.length).equals(ready)) return;
			this.length = answer.length;
			client.end(answer.subarray(0, cut.after), end);
		});
		// A listener for data lets it flow, so this comes last.
		if (this.#isFrozen) this.freeze();
	}
}
