import { type ClientRequest, type RequestOptions, request } from "node:http";

/**
 * A request over the network. Who waits for its response hears if there is none; a connection that breaks after that, as when
 * a body isn't wanted and the rest of it comes all the same, is nobody's error.
 */
export function openRequest(options: RequestOptions): ClientRequest {
	return request(options).on("error", () => {});
}
