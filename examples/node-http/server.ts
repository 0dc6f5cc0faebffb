import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { Outline } from "outlinekit";
import { createHttpHandler } from "outlinekit/http";
import { createListener } from "./listener.ts";

/** A server of an outline and nothing else. It doesn't listen yet. */
export function createOutlineServer(outline: Outline, apiKey: string): Server {
	const expected = digestOf(apiKey);
	const handler = createHttpHandler({
		authenticate: (offered) => (timingSafeEqual(digestOf(offered), expected) ? outline : null),
		onError: (error, request) => console.error(`${request.method} ${new URL(request.url).pathname} failed:`, error),
	});
	return createServer(createListener(handler));
}

/** Digests are of one length, which is what a comparison in constant time needs. */
function digestOf(apiKey: string): Buffer {
	return createHash("sha256").update(apiKey).digest();
}
