import { connect, createServer, type Server } from "node:net";

/** How long an answer is waited for, in milliseconds, of a process that may be stopped or busy. */
const patience = 200;

/**
 * Listens at an address until it is closed or the process ends, and tells whoever connects the process's id. It never keeps
 * the process alive, and its child processes don't inherit it.
 *
 * @throws the system's error, `EADDRINUSE` where the address is taken
 */
export function listenAt(address: string): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer((socket) => {
			socket.unref();
			socket.on("error", () => socket.destroy());
			socket.end(String(process.pid), () => socket.destroy());
		});
		server.once("error", reject);
		// `exclusive`: the worker of a cluster would otherwise have its primary process listen, and outlive it.
		// Everybody may connect: a process of another user must see that this one lives.
		const access = address.startsWith("/") ? { readableAll: true, writableAll: true } : {};
		server.listen({ path: address, exclusive: true, ...access }, () => {
			server.off("error", reject);
			// A connection that can't be accepted (no file descriptor left) changes nothing about who listens.
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

/** Whether a living process listens at the address; one that is stopped or busy does. Nobody there: false. */
export async function isListening(address: string): Promise<boolean> {
	const error = await connectionError(address);
	if (error === null) return true;
	if (error.code === "ECONNREFUSED") return "Bun" in globalThis && !(await isRefusedByFetch(address));
	if (error.code === "ENOENT") return false;
	// The queue of a listener is full or not for us to join, or it has ended the connection: in doubt it lives.
	if (error.code === "EAGAIN" || error.code === "EACCES" || error.code === "ECONNRESET") return true;
	throw error;
}

/** The error of connecting to an address; null if a process there accepts connections. */
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

/** Bun's sockets call a listener whose queue is full refused, just as a dead one. Its `fetch` tells the two apart. */
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

/** The id of the process that listens at the address; `null` if nobody answers. */
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
