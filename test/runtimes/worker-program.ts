import { storageConformance, type Traits } from "outlinekit/conformance";
import { createMemoryStorage } from "outlinekit/memory";
import { createWorker, type Environment } from "../../examples/worker/app.js";

/*
 * The worker of the example, on a storage that counts its watchers. Two more addresses serve the tests: the number of
 * watchers, and the outcome of a test of the conformance suite.
 */
const storage = createMemoryStorage();
let watchers = 0;
const { watch } = storage;
storage.watch = (listener) => {
	const stop = watch!.call(storage, listener);
	watchers += 1;
	return () => {
		watchers -= 1;
		stop();
	};
};
const worker = createWorker(() => storage);

const alone = "it is in memory alone";
const traits: Traits = { durable: alone, multiProcess: alone, watch: true, peek: true };
const sizes = { levels: 200, siblings: 1_000, changes: 500, mirrors: 20, characters: 100_000, opens: 10 };
const tests = new Map<string, () => Promise<void>>();

/** Registers the tests at the first request: a worker may not do much while it loads. */
function registered(): typeof tests {
	if (tests.size === 0) {
		const test = Object.assign((name: string, run: () => Promise<void>) => tests.set(name, run), { skip() {} });
		storageConformance({ test, create: createMemoryStorage, traits, sizes, random: { sequences: 2 } });
	}
	return tests;
}

export default {
	async fetch(request: Request, environment: Environment): Promise<Response> {
		const { pathname } = new URL(request.url);
		if (pathname === "/watchers") return Response.json(watchers);
		if (pathname !== "/test") return worker.fetch(request, environment);
		try {
			await registered().get(await request.text())!();
			return Response.json({});
		} catch (error) {
			return Response.json({ error: error instanceof Error ? error.stack : String(error) });
		}
	},
};
