import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import { Outline, type StorageAdapter } from "outlinekit";
import { createNodeListener } from "outlinekit/http";
import { createMemoryStorage } from "outlinekit/memory";
import { createHttpRemote, createReplica } from "outlinekit/sync";
import { OutlineContender } from "../contenders/outline.ts";
import { fetchInto } from "../contenders/outline-replica.ts";
import { median } from "../measure.ts";
import { Workload } from "../workload.ts";

export interface SyncInput {
	readonly nodes: number;
}

export interface SyncResult {
	/** Bytes of the first sync for each node, compressed, and milliseconds from the bytes to the first read. */
	readonly first: { readonly bytes: number; readonly milliseconds: number };
	/** Bytes of the push of one renamed node, as they are sent: compressed. */
	readonly rename: number;
	/** Microseconds of the server for each entry, in a push of many. */
	readonly push: number;
	/** Milliseconds to settle pending entries again on pulled changes, and the longest slice of it. */
	readonly settling: { readonly milliseconds: number; readonly slice: number };
	/** Milliseconds from an edit on one device until it is shown on another one. */
	readonly shown: number;
}

const url = "http://127.0.0.1/api/v1";
const many = 10_000;
const few = 1_000;

/** A device whose `fetch` a measurement may replace. */
export class Device {
	readonly outline: Outline;
	readonly replica;
	/** The length of the last body that was sent. */
	sent = 0;

	constructor(answer: typeof fetch, auto = false, local: StorageAdapter = createMemoryStorage()) {
		const counted: typeof fetch = async (input, init) => {
			const request = new Request(input, init);
			if (request.method === "POST") this.sent = (await request.clone().arrayBuffer()).byteLength;
			return answer(request);
		};
		this.replica = createReplica({ local, remote: createHttpRemote({ url, apiKey: "key", fetch: counted }), auto });
		this.outline = new Outline({ storage: this.replica.storage, timeZone: "UTC" });
	}
}

/** Measures the parts of sync, all in memory and in one process. */
export async function run({ nodes }: SyncInput): Promise<SyncResult> {
	const warm = await serverWith(1_000);
	await firstSync(warm, 1_000);
	await settling(warm, 100, 1_000);
	const server = await serverWith(nodes);
	const first = await firstSync(server, nodes);
	return { first, ...(await pushes(server, nodes)), settling: await settling(server, few, many), shown: await shown() };
}

/** Returns an outline with the seeded nodes. */
async function serverWith(nodes: number): Promise<Outline> {
	const storage = createMemoryStorage();
	await new OutlineContender(storage).bulkCreate(new Workload(nodes).roots);
	return new Outline({ storage, timeZone: "UTC" });
}

/** A first sync of an image that has come before: its making doesn't count. */
async function firstSync(server: Outline, nodes: number): Promise<SyncResult["first"]> {
	const answer = fetchInto(server);
	const images = new Map<string, Buffer>();
	const recorded: typeof fetch = async (input) => {
		const request = input as Request;
		const there = images.get(request.url);
		if (there !== undefined)
			return new Response(gunzipSync(there), { headers: { "content-type": "application/x-ndjson" } });
		const response = await answer(request);
		if (request.method !== "GET") return response;
		const bytes = Buffer.from(await response.arrayBuffer());
		images.set(request.url, gzipSync(response.headers.get("content-encoding") === "gzip" ? gunzipSync(bytes) : bytes));
		return new Response(gunzipSync(images.get(request.url)!), { headers: response.headers });
	};
	await new Device(recorded).replica.sync();
	const times: number[] = [];
	for (let round = 0; round < 3; round++) {
		const device = new Device(recorded);
		const started = performance.now();
		await device.replica.sync();
		const { nodes: top } = await device.outline.list();
		times.push(performance.now() - started);
		if (top.length === 0) throw new Error("The device has no nodes.");
	}
	const bytes = [...images.values()].reduce((sum, { length }) => sum + length, 0);
	return { bytes: bytes / nodes, milliseconds: median(times) };
}

async function pushes(server: Outline, nodes: number): Promise<Pick<SyncResult, "rename" | "push">> {
	const device = new Device(fetchInto(server));
	await device.replica.sync();
	const ids = new Workload(nodes).nodes(Math.min(many, nodes));
	await device.outline.update(ids[0]!, { name: "another name with just about forty chars" });
	await device.replica.sync();
	const rename = device.sent;
	for (const [index, id] of ids.entries()) await device.outline.update(id, { note: `note ${index}` });
	const started = performance.now();
	await device.replica.sync();
	return { rename, push: ((performance.now() - started) * 1000) / ids.length };
}

/** Settles entries again that are made while an answer with changes is on its way. */
async function settling(server: Outline, pulled: number, pending: number): Promise<SyncResult["settling"]> {
	const answer = fetchInto(server);
	let respond = answer;
	const device = new Device((input, init) => respond(input, init));
	await device.replica.sync();
	const ids: string[] = [];
	for await (const { id } of server.export()) ids.push(id);
	const edited = (number: number) => ids[number % ids.length]!;
	for (let number = 0; number < pulled; number++) await server.update(edited(number), { note: `pulled ${number}` });
	let begun = 0;
	let ended = 0;
	let slice = () => 0;
	respond = async (input, init) => {
		const response = await answer(input, init);
		const body = await response.arrayBuffer();
		for (let number = 0; number < pending; number++) {
			await device.outline.update(edited(pulled + number), { note: `pending ${number}` });
		}
		device.outline.subscribe(({ source }) => {
			if (source === "remote" && ended === 0) ended = performance.now();
		});
		respond = () => Promise.reject(new TypeError("fetch failed"));
		slice = longestSlice();
		begun = performance.now();
		return new Response(body, response);
	};
	await device.replica.sync().catch(() => {});
	if (ended === 0) throw new Error("The device has not taken the changes.");
	return { milliseconds: ended - begun, slice: slice() };
}

/** Measures the longest time without a turn of the event loop, until the function returned is called. */
function longestSlice(): () => number {
	let longest = 0;
	let last = performance.now();
	let isOn = true;
	const turn = () => {
		const now = performance.now();
		longest = Math.max(longest, now - last);
		last = now;
		if (isOn) setImmediate(turn);
	};
	setImmediate(turn);
	return () => {
		isOn = false;
		return longest;
	};
}

/** Two devices that sync by themselves, over a server of node:http. */
async function shown(): Promise<number> {
	const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
	const server = createServer(createNodeListener({ authenticate: () => outline }));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const remote = () => createHttpRemote({ url: `http://127.0.0.1:${port}/api/v1`, apiKey: "key" });
	const [one, two] = [0, 1].map(
		() =>
			new Outline({ storage: createReplica({ local: createMemoryStorage(), remote: remote(), auto: true }).storage }),
	) as [Outline, Outline];
	const times: number[] = [];
	for (let edit = 0; edit < 60; edit++) {
		const arrived = new Promise<void>((resolve) => {
			const stop = two.subscribe(() => {
				stop();
				resolve();
			});
		});
		if (edit === 0) await two.list();
		const started = performance.now();
		await one.create({ name: `edit ${edit}` });
		await arrived;
		times.push(performance.now() - started);
	}
	await Promise.all([one.close(), two.close()]);
	server.closeAllConnections();
	server.close();
	return median(times);
}
