import { withDirectory } from "../directory.ts";
import { answersEachSecond, requestText } from "../http-load.ts";
import { median } from "../measure.ts";
import { type Server, startServerProcess } from "../server.ts";
import { apiKey } from "../server-process.ts";
import { Workload } from "../workload.ts";
import { run as fill } from "./fill.ts";

/** Answers a second. */
export interface HttpResult {
	readonly get: { readonly ours: number; readonly base: number };
	readonly create: { readonly ours: number; readonly base: number };
}

const nodes = 10_000;
const connections = 32;
const rounds = 5;
const milliseconds = 700;

/** The requests per second of the server of `npm start`, in turns with a bare one. */
export function run(): Promise<HttpResult> {
	return withDirectory(async (directory) => {
		await fill({ contender: "outline-file:compact", nodes, directory });
		const ids = new Workload(nodes).nodes(1000);
		const outline = await startServerProcess("outline", { directory });
		const sample = {
			directory,
			node: (await (await ask(outline, "GET", `nodes/${ids[0]}`)).json()) as object,
			made: (await (await ask(outline, "POST", "nodes", newNode(0))).json()) as object,
		};
		const bare = await startServerProcess("bare", sample);
		let asked = 0;
		const get = () => requestText("GET", `nodes/${ids[asked++ % ids.length]}`, apiKey);
		const create = () => requestText("POST", "nodes", apiKey, newNode(asked++));
		const result = { get: await inTurns(outline, bare, get), create: await inTurns(outline, bare, create) };
		await outline.stop();
		await bare.stop();
		return result;
	});
}

function newNode(number: number) {
	return { parent_id: null, name: `node ${number} made over HTTP`.padEnd(40, "."), position: "bottom" };
}

function ask({ port }: Server, method: string, path: string, body?: object): Promise<Response> {
	return fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
		method,
		headers: {
			authorization: `Bearer ${apiKey}`,
			...(body === undefined ? {} : { "content-type": "application/json" }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
}

async function inTurns(outline: Server, bare: Server, request: () => string): Promise<{ ours: number; base: number }> {
	const ours: number[] = [];
	const base: number[] = [];
	for (let round = -1; round < rounds; round++) {
		const both = [outline, bare].map(
			({ port }) =>
				() =>
					answersEachSecond(port, connections, milliseconds, request),
		);
		const first = await both[0]!();
		const second = await both[1]!();
		if (round < 0) continue;
		ours.push(first);
		base.push(second);
	}
	return { ours: median(ours), base: median(base) };
}
