import { connect, type Socket } from "node:net";

/**
 * Keeps some connections busy for a while, each with one request after the other, and returns the answers per
 * second. It only looks for the end of each answer, so that the server has most of the machine.
 *
 * @throws unless every answer is a success
 */
export async function answersEachSecond(
	port: number,
	connections: number,
	milliseconds: number,
	nextRequest: () => string,
): Promise<number> {
	const sockets = await Promise.all(Array.from({ length: connections }, () => connected(port)));
	const started = performance.now();
	const counts = await Promise.all(sockets.map((socket) => keepBusy(socket, started + milliseconds, nextRequest)));
	return (counts.reduce((sum, count) => sum + count) * 1000) / (performance.now() - started);
}

function connected(port: number): Promise<Socket> {
	return new Promise((resolve, reject) => {
		const socket = connect(port, "127.0.0.1", () => resolve(socket.setNoDelay()));
		socket.once("error", reject);
	});
}

function keepBusy(socket: Socket, end: number, nextRequest: () => string): Promise<number> {
	return new Promise((resolve, reject) => {
		let count = 0;
		let text = "";
		socket.on("error", reject);
		socket.on("data", (chunk) => {
			text += chunk.toString("latin1");
			if (!isWhole(text)) return;
			if (!/^HTTP\/1\.1 20\d/.test(text)) reject(new Error(`The server answers ${text.slice(0, 1000)}`));
			text = "";
			count += 1;
			if (performance.now() < end) socket.write(nextRequest());
			else resolve(count);
		});
		socket.write(nextRequest());
	}).finally(() => socket.destroy()) as Promise<number>;
}

function isWhole(text: string): boolean {
	const body = text.indexOf("\r\n\r\n") + 4;
	if (body < 4) return false;
	const length = /\r\ncontent-length: (\d+)/i.exec(text);
	return length === null ? text.endsWith("0\r\n\r\n") : text.length - body >= Number(length[1]);
}

/** A request with a key, as the bytes that go over the line; of a path below the interface's. */
export function requestText(method: "GET" | "POST", path: string, apiKey: string, body?: object): string {
	const head = `${method} /api/v1/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\n`;
	if (body === undefined) return `${head}\r\n`;
	const text = JSON.stringify(body);
	return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
