import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { Outline } from "outlinekit";
import { createNodeListener } from "outlinekit/http";

/** A server of an outline and nothing else. It doesn't listen yet. */
export function createOutlineServer(outline: Outline, apiKey: string): Server {
	const expected = digestOf(apiKey);
	const listener = createNodeListener({
		authenticate: (offered) => (timingSafeEqual(digestOf(offered), expected) ? outline : null),
		onError: (error, { method, url }) => console.error(`${method} ${url?.split("?")[0]} failed:`, error),
	});
	return createServer(listener);
}

/** Digests are of one length, which is what a comparison in constant time needs. */
function digestOf(apiKey: string): Buffer {
	return createHash("sha256").update(apiKey).digest();
}
