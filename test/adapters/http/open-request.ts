import { type ClientRequest, type RequestOptions, request } from "node:http";

/**
 * A request over the network. A test that awaits the response fails without one. The request ignores errors
 * of the connection after that, for example if the server refuses a body and the client still sends its rest.
 */
export function openRequest(options: RequestOptions): ClientRequest {
	return request(options).on("error", () => {});
}
