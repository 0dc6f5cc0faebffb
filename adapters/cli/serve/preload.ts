import { gzipSync } from "node:zlib";
import { Outline } from "outlinekit";
import { createHttpHandler } from "outlinekit/http";
import { createMemoryStorage } from "outlinekit/memory";

/**
 * Loads all code that a request may need. Later an update of the package may replace a file, or the process may have
 * too many open files for a moment. Node 20 never tries again to load a file after a failure.
 */
export async function preload(): Promise<void> {
	const outline = new Outline({ storage: createMemoryStorage() });
	await outline.preload();
	// The handler loads some code with the first request that needs it.
	const handler = createHttpHandler({ authenticate: () => outline });
	const api = "http://localhost/api/v1";
	const headers = { authorization: "Bearer any", "content-type": "application/x-ndjson", "content-encoding": "gzip" };
	await handler(new Request(`${api}/openapi.json`));
	await handler(new Request(`${api}/sync`, { method: "POST", headers, body: gzipSync("{}") }));
	await outline.close();
}
