import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { storageConformance } from "outlinekit/conformance";
import { createMemoryStorage } from "outlinekit/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiKey, type Served, servesAnOutline } from "../examples/served.js";
import { workerdBinary } from "../setup/runtimes.js";
import { sharedFolder } from "../support/temporary.js";

const folder = sharedFolder();
const root = fileURLToPath(new URL("../..", import.meta.url));

const configuration = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "worker.js")],
    compatibilityDate = "2026-01-01",
    bindings = [(name = "OUTLINE_API_KEY", text = "${apiKey}")]
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`;

let binary = "";
const running = new Set<ChildProcess>();

beforeAll(async () => {
	binary = workerdBinary();
	await build({
		entryPoints: [join(root, "test/runtimes/worker-program.ts")],
		outfile: join(folder, "worker.js"),
		bundle: true,
		format: "esm",
		platform: "neutral",
		mainFields: ["module", "main"],
		conditions: ["worker", "browser"],
		logLevel: "warning",
	});
	writeFileSync(join(folder, "config.capnp"), configuration);
}, 300_000);

afterAll(() => {
	for (const child of running) child.kill();
});

/** Starts a workerd of its own, at a free port. */
async function start(): Promise<Served> {
	const child = spawn(binary, ["serve", "--control-fd=3", join(folder, "config.capnp")], {
		stdio: ["ignore", "inherit", "inherit", "pipe"],
	});
	running.add(child);
	const [line] = (await once((child.stdio[3] as Readable).setEncoding("utf8"), "data")) as [string];
	const address = `http://127.0.0.1:${(JSON.parse(line.split("\n")[0]!) as { port: number }).port}`;
	return {
		noticesLate: true,
		fetch: (path, init) => fetch(`${address}${path}`, init),
		followers: async () => (await (await fetch(`${address}/watchers`)).json()) as number,
		async stop() {
			running.delete(child);
			child.kill();
			await once(child, "close");
		},
	};
}

describe("the example of a worker in workerd", () => {
	servesAnOutline(start);
});

describe("the memory storage in workerd", () => {
	let served: Served;
	beforeAll(async () => {
		served = await start();
	});
	afterAll(() => served.stop());

	const run = async (name: string) => {
		const response = await served.fetch("/test", { method: "POST", body: name });
		expect(await response.json()).toEqual({});
	};
	const register = Object.assign((name: string) => test(name, () => run(name)), { skip: test.skip });
	const alone = "it is in memory alone";
	const traits = { durable: alone, multiProcess: alone, watch: true, peek: true } as const;
	// Registered here only for their names.
	storageConformance({ test: register, create: createMemoryStorage, traits, random: { sequences: 2 } });
});
