import { once } from "node:events";
import {
	type ClientRequest,
	createServer,
	type IncomingMessage,
	type RequestListener,
	type RequestOptions,
	request,
} from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Starts a server until the end of the test. Resolves with its port. */
export async function listening(listener: RequestListener): Promise<number> {
	const server = createServer(listener).listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return (server.address() as AddressInfo).port;
}

/**
 * A request over the network. A test that awaits the response fails without one. The request ignores errors
 * of the connection after that, for example if the server refuses a body and the client still sends its rest.
 */
export function openRequest(options: RequestOptions): ClientRequest {
	return request(options).on("error", () => {});
}

/** Waits for the response to a request. */
export async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
	const [response] = (await once(request, "response")) as [IncomingMessage];
	return response;
}
