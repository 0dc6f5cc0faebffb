import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import { soak } from "../setup/soak.js";
import { temporaryFolder } from "../support/temporary.js";
import { Attacker } from "./attacker.js";
import { type Attack, attacks } from "./attacks.js";
import { ServerProcess } from "./server-process.js";

/*
 * Sends each kind of request once, in a small size, to the server of `npm start` with Node's default heap.
 * `npm run test:soak` sends them in full size and 50 times, each kind to a server of its own. It prints their
 * memory and compares it with a limit. `OUTLINE_SOAK=50 npm run test:unit -- test/endurance -t mirrors` sends
 * some of them.
 */

const isWhole = soak > 2;
const rounds = Math.min(soak, 50);
const part = isWhole ? 1 : 0.05;
const apiKey = "endurance";

/** The most memory that the server may take, in bytes. */
const limit = 600e6;

const peaks: { readonly name: string; readonly peak: number }[] = [];

/** Which requests are sent to one server. */
const groups: [string, readonly Attack[]][] = isWhole
	? attacks.map((attack) => [attack.name, [attack]])
	: [["requests of all kinds", attacks]];

describe.sequential("the server survives", () => {
	test.each(groups)("%s", { timeout: isWhole ? 3_600_000 : 120_000 }, async (name, group) => {
		const directory = temporaryFolder();
		let server = await ServerProcess.start(directory, apiKey);
		onTestFinished(() => server.kill());
		const attacker = new Attacker(server.address, apiKey);
		const id = await attacker.make<string>("item_id", "nodes", { name: "precious" });
		const longestWait = watchWaits(`${server.address}/api/v1/targets`);
		const began = performance.now();
		try {
			for (const { prepare } of group) {
				const attack = await prepare(attacker, part);
				for (let round = 0; round < rounds; round++) await attack(round);
			}
		} finally {
			const wait = await longestWait();
			const seconds = (performance.now() - began) / 1000;
			const { peak } = server;
			if (peak !== undefined) peaks.push({ name, peak });
			if (isWhole) {
				const megabytes = peak === undefined ? "?" : (peak / 1e6).toFixed(0);
				console.log(`${megabytes} MB, ${seconds.toFixed(0)} s, others waited ${wait.toFixed(0)} ms: ${name}`);
			}
			if (!server.isRunning) console.error(server.output);
		}
		expect(server.isRunning).toBe(true);
		attacker.leave();
		expect(await server.stop()).toBe(0);
		// The earlier nodes are there, and so is the rest.
		server = await ServerProcess.start(directory, apiKey);
		const { status } = await new Attacker(server.address, apiKey).ask("GET", `nodes/${id}`);
		expect(status).toBe(200);
	});

	test("within its memory", () => {
		expect(peaks.filter(({ peak }) => peak > limit)).toEqual([]);
	});
});

/**
 * A client that sends small requests again and again, in a thread of its own, because the attacker's may be
 * busy.
 */
const watcher = `
	const { parentPort, workerData: { url, authorization } } = require("node:worker_threads");
	const { get } = require("node:http");
	let longest = 0;
	const watch = () => {
		const asked = performance.now();
		const answered = (answer) => answer.resume().once("end", () => {
			longest = Math.max(longest, performance.now() - asked);
			setTimeout(watch, 20);
		});
		get(url, { headers: { authorization } }, answered).on("error", () => {});
	};
	watch();
	parentPort.once("message", () => {
		parentPort.postMessage(longest);
		process.exit();
	});
`;

/**
 * Measures the longest wait of other clients for an answer. Returns a function that stops and returns
 * milliseconds.
 */
function watchWaits(url: string): () => Promise<number> {
	const worker = new Worker(watcher, { eval: true, workerData: { url, authorization: `Bearer ${apiKey}` } });
	return async () => {
		worker.postMessage("stop");
		const [longest] = (await once(worker, "message")) as [number];
		return longest;
	};
}
