import { Outline, type StorageAdapter } from "outlinekit";
import { createHttpHandler } from "outlinekit/http";

/** What the platform hands the worker with each request. */
export interface Environment {
	/** The key that requests carry: a secret of the worker's. */
	readonly OUTLINE_API_KEY: string;
}

/** What a platform for workers runs. */
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
	// There is no zone of the system's that would mean anything. Without a history, since nothing here can undo.
	const outline = new Outline({ storage, timeZone: "UTC", history: { steps: 0 } });
	const expected = digestOf(apiKey);
	return createHttpHandler({
		authenticate: async (offered) => ((await digestOf(offered)) === (await expected) ? outline : null),
		onError: (error, request) => console.error(`${request.method} ${new URL(request.url).pathname} failed:`, error),
	});
}

/**
 * The SHA-256 of a key, as text. Keys are compared by it, as the time of a comparison tells how much of the beginning agrees:
 * of a digest that is worth nothing, as nobody can make keys for it.
 */
async function digestOf(apiKey: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(apiKey));
	return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
