import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decoded, gzipped } from "../../../../adapters/http/server/gzip.js";
import { turns } from "../../../support/turns.js";

/** The errors outside all promises, which would end a server. */
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);
let others: NodeJS.UncaughtExceptionListener[] = [];

beforeEach(() => {
	uncaught.length = 0;
	// Those of the test runner would end the run.
	others = process.listeners("uncaughtException");
	process.removeAllListeners("uncaughtException").on("uncaughtException", note);
});

afterEach(() => {
	process.off("uncaughtException", note);
	for (const other of others) process.on("uncaughtException", other);
});

/** In so many turns, a thread compresses some pieces ahead. */
const many = 200;

test("a body that is refused within its gzip causes no error outside the request", async () => {
	const compressed = gzipSync(Buffer.alloc(5_000_000));
	async function* body() {
		for (let at = 0; at < compressed.length; at += 1000) yield new Uint8Array(compressed.subarray(at, at + 1000));
	}
	for (let most = 50_000; most <= 100_000; most += 10_000) {
		const read = async () => {
			for await (const _ of decoded(body(), "gzip", most)) await turns(many);
		};
		await expect(read()).rejects.toMatchObject({ code: "payload_too_large" });
		await turns(many);
	}
	expect(uncaught).toEqual([]);
});

test("a client that leaves during an answer in gzip causes no error outside the request", async () => {
	let isCancelled = false;
	let seed = 1;
	/** Bytes that gzip can't make shorter. */
	const piece = () =>
		Uint8Array.from({ length: 100_000 }, () => {
			seed = (seed * 48_271) % 2_147_483_647;
			return seed;
		});
	for (let reads = 0; reads < 6; reads++) {
		isCancelled = false;
		let pulls = 0;
		const body = new ReadableStream<Uint8Array>({
			async pull(controller) {
				// As during the reads of a storage.
				await turns();
				pulls++;
				controller.enqueue(piece());
			},
			cancel() {
				isCancelled = true;
			},
		});
		const reader = gzipped(body).getReader();
		for (let read = 0; read < reads; read++) {
			await turns(many);
			await reader.read();
		}
		// A slow client doesn't fill the memory.
		expect(pulls).toBeLessThan(reads + 4);
		await reader.cancel();
		await turns(many);
		// The source ends too, so that its read transaction doesn't stay open.
		expect(isCancelled).toBe(true);
	}
	expect(uncaught).toEqual([]);
});
