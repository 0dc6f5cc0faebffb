import { Outline, type StorageAdapter } from "outlinekit";
import { createHttpHandler } from "outlinekit/http";

/** The values that the platform passes to the worker with each request. */
export interface Environment {
	/** The key that requests carry: a secret of the worker's. */
	readonly OUTLINE_API_KEY: string;
}

/** The interface that a platform for workers runs. */
export interface Worker {
	fetch(request: Request, environment: Environment): Promise<Response>;
}

/** A worker that serves one outline. It uses nothing but what all platforms have. */
export function createWorker(createStorage: (environment: Environment) => StorageAdapter): Worker {
	let handler: ((request: Request) => Promise<Response>) | undefined;
	return {
		async fetch(request, environment) {
			// Only now: while the module is loaded there is no environment, and platforms forbid most else.
			handler ??= handlerOf(createStorage(environment), environment.OUTLINE_API_KEY);
			return handler(request);
		},
	};
}

function handlerOf(storage: StorageAdapter, apiKey: string): (request: Request) => Promise<Response> {
	if (!apiKey) throw new Error("OUTLINE_API_KEY isn't set.");
	// The system's zone has no meaning here. Without a history, because no request can undo.
	const outline = new Outline({ storage, timeZone: "UTC", history: { steps: 0 } });
	const expected = digestOf(apiKey);
	return createHttpHandler({
		authenticate: async (offered) => ((await digestOf(offered)) === (await expected) ? outline : null),
		onError: (error, request) => console.error(`${request.method} ${new URL(request.url).pathname} failed:`, error),
	});
}

/**
 * The SHA-256 of a key, as text. The comparison uses it, because the time of a comparison shows how much of
 * the beginning agrees. For a digest that is useless: an attacker can't choose the digests of keys.
 */
async function digestOf(apiKey: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(apiKey));
	return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
