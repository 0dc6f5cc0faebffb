import { connect, createServer, type Server } from "node:net";

/** The milliseconds to wait for an answer of a process that may be stopped or busy. */
const patience = 200;

/**
 * Listens at an address until it is closed or the process ends. Sends the id of this process to every process
 * that connects. The socket never keeps the process alive, and its child processes don't inherit it.
 *
 * @throws the system's error; `EADDRINUSE` if the address is taken
 */
export function listenAt(address: string): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer((socket) => {
			socket.unref();
			socket.on("error", () => socket.destroy());
			socket.end(String(process.pid), () => socket.destroy());
		});
		server.once("error", reject);
		// `exclusive`: without it, a worker of a cluster would make its primary process listen, and that
		// process may outlive the worker. All users may connect, because a process of another user must see
		// that this one lives.
		const access = address.startsWith("/") ? { readableAll: true, writableAll: true } : {};
		server.listen({ path: address, exclusive: true, ...access }, () => {
			server.off("error", reject);
			// The error means that a connection couldn't be accepted (no file descriptor left). The socket
			// still listens.
			server.on("error", () => undefined);
			server.unref();
			resolve(server);
		});
	});
}

/** Stops listening. Resolves once the address is free. */
export function closeListener(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
	});
}

/** Whether a living process, even a stopped or busy one, listens at the address. */
export async function isListening(address: string): Promise<boolean> {
	const error = await connectionError(address);
	if (error === null) return true;
	if (error.code === "ECONNREFUSED") return "Bun" in globalThis && !(await isRefusedByFetch(address));
	if (error.code === "ENOENT") return false;
	// The listener's queue is full, this user may not connect, or the listener ended the connection. All mean
	// a living process, or at least leave it in doubt.
	if (error.code === "EAGAIN" || error.code === "EACCES" || error.code === "ECONNRESET") return true;
	throw error;
}

/** Returns the error of connecting to an address; null if a process there accepts connections. */
function connectionError(address: string): Promise<NodeJS.ErrnoException | null> {
	return new Promise((resolve) => {
		const socket = connect(address);
		const settle = (error: NodeJS.ErrnoException | null) => {
			socket.destroy();
			resolve(error);
		};
		socket.on("connect", () => settle(null));
		socket.on("error", settle);
	});
}

/**
 * Whether Bun's `fetch` finds the address refused. Bun's sockets report a listener with a full queue as
 * refused, like a dead one; its `fetch` distinguishes them.
 */
async function isRefusedByFetch(address: string): Promise<boolean> {
	try {
		const options = { unix: address, signal: AbortSignal.timeout(patience) };
		await fetch("http://localhost/", options as RequestInit);
	} catch (error) {
		const { code } = error as { code?: unknown };
		return code === "ECONNREFUSED" || code === "ENOENT";
	}
	return false;
}

/** Returns the id of the process that listens at the address; `null` if none answers. */
export function listenerPid(address: string): Promise<number | null> {
	return new Promise((resolve) => {
		const socket = connect(address);
		let answer = "";
		const settle = () => {
			clearTimeout(timer);
			socket.destroy();
			resolve(/^[1-9]\d*$/.test(answer) ? Number(answer) : null);
		};
		const timer = setTimeout(settle, patience);
		socket.setEncoding("latin1");
		socket.on("data", (text: string) => {
			answer += text;
			if (answer.length > 20) settle();
		});
		socket.on("end", settle);
		socket.on("error", settle);
	});
}
