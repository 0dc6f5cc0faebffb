import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { createMemoryStorage } from "outlinekit/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { createWorker, type Worker } from "../../examples/worker/app.js";
import { apiKey, type Served, servesAnOutline, tried } from "./served.js";

/** The common interface of web platforms, as far as the worker needs it, without Node. */
const webGlobals = {
	...{ AbortController, AbortSignal, Headers, ReadableStream, Request, Response, TextDecoder, TextEncoder },
	...{ URL, URLSearchParams, Uint8Array, console, crypto, queueMicrotask },
};

let script = "";

beforeAll(async () => {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL("../../examples/worker/worker.ts", import.meta.url))],
		bundle: true,
		format: "iife",
		globalName: "worker",
		platform: "neutral",
		mainFields: ["module", "main"],
		conditions: ["worker", "browser"],
		external: ["node:*"],
		write: false,
	});
	script = outputFiles[0]!.text;
});

/**
 * Loads the worker as a platform does. A stream of changes has a timer, so the tests can count the streams.
 */
function load(): { worker: Worker; timers: Set<unknown> } {
	const timers = new Set<unknown>();
	const context = createContext({
		...webGlobals,
		setTimeout(callback: () => void, time: number) {
			const timer = setTimeout(() => {
				timers.delete(timer);
				callback();
			}, time);
			timers.add(timer);
			return timer;
		},
		clearTimeout(timer: NodeJS.Timeout) {
			timers.delete(timer);
			clearTimeout(timer);
		},
	});
	runInContext(script, context);
	return { worker: (context.worker as { default: Worker }).default, timers };
}

async function start(): Promise<Served> {
	const { worker, timers } = load();
	return {
		fetch: (path, init) =>
			worker.fetch(new Request(`https://worker.example${path}`, init), { OUTLINE_API_KEY: apiKey }),
		followers: () => timers.size,
		stop: async () => {},
	};
}

describe("an outline in a worker", () => {
	servesAnOutline(start);

	test("needs no module of Node's", () => {
		expect(script.length).toBeGreaterThan(100_000);
		expect(script).not.toMatch(/["'`]node:|\brequire\(/);
	});

	test("is in the storage of its binding", async () => {
		const storage = createMemoryStorage();
		const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
		const ask = (body?: string) =>
			createWorker(() => storage).fetch(
				new Request("https://worker.example/api/v1/nodes", { headers, ...(body && { method: "POST", body }) }),
				{ OUTLINE_API_KEY: apiKey },
			);
		await ask('{"name":"boat"}');
		expect(await (await ask()).json()).toMatchObject({ nodes: [{ name: "boat" }] });
	});

	test("refuses requests if the platform has no key", async () => {
		const request = new Request("https://worker.example/api/v1/nodes", { headers: { authorization: "Bearer x" } });
		const environment = { OUTLINE_API_KEY: "" };
		await expect(load().worker.fetch(request, environment)).rejects.toThrow("OUTLINE_API_KEY");
	});

	test("starts as it says", async () => {
		expect(await tried("examples/worker/main.ts")).toMatchObject({ status: 200, body: { targets: expect.any(Array) } });
	});
});
