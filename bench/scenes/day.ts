import { Outline, OutlineError, type OutlineNode } from "outlinekit";
import { liveRows } from "outlinekit/live";
import { createMemoryStorage } from "outlinekit/memory";
import { createHttpRemote, createReplica } from "outlinekit/sync";
import { fetchInto } from "../contenders/outline-replica.ts";
import { collectGarbage } from "../measure.ts";
import { treeInput } from "../tree-input.ts";
import { generator, Workload } from "../workload.ts";

export interface DayInput {
	readonly nodes: number;
	/** The steps of the day, one after another, evenly spread over it. */
	readonly steps: number;
}

export interface DayResult {
	/** The megabytes of the heap after each tenth of the day. */
	readonly heap: readonly number[];
	/** Microseconds of a step in each tenth, with its share of the exchanges. */
	readonly step: readonly number[];
}

const tenths = 10;
const hours = 24;
const midnight = 1_795_219_200_000;
/** The codes of refusals that two devices cause each other, and that an undo finds. */
const expected: ReadonlySet<string> = new Set(["not_found", "has_mirrors", "undo_blocked"]);
const url = "http://127.0.0.1/api/v1";

/**
 * A day of two devices and their server, in one process. A person types, and makes, moves, completes, mirrors and
 * deletes nodes. They undo, search, and write into the calendar. Each device shows rows that are live, and exchanges
 * every minute. Each hour, all drop the deletions of the hours before the last one. At the end of each tenth, the outline
 * has as many nodes as at its beginning.
 */
export async function run({ nodes, steps }: DayInput): Promise<DayResult> {
	let time = midnight;
	const now = () => time;
	const server = new Outline({ storage: createMemoryStorage(), timeZone: "UTC", now });
	for (const root of new Workload(nodes).roots) await server.createTree(treeInput(root));
	const devices = [new Device(server, now, 1), new Device(server, now, 2)];
	for (const device of devices) await device.start();
	const outlines = [server, ...devices.map(({ outline }) => outline)];
	const reached = outlines.map(() => 0);
	for (const [index, outline] of outlines.entries()) {
		outline.subscribe(({ revision }) => {
			reached[index] = revision;
		});
	}
	const result = { heap: [] as number[], step: [] as number[] };
	const perTenth = steps / tenths;
	const perMinute = Math.ceil(steps / hours / 60);
	const perHour = Math.ceil(steps / hours);
	let anHourAgo = outlines.map(() => 0);
	for (let tenth = 0; tenth < tenths; tenth++) {
		const begun = performance.now();
		for (let number = tenth * perTenth; number < (tenth + 1) * perTenth; number++) {
			time = midnight + (number / steps) * hours * 3_600_000;
			await devices[number % 2]!.step(number >> 1);
			if (number % perMinute === 0) for (const device of devices) await device.replica.sync();
			if (number % perHour === 0) {
				for (const [index, outline] of outlines.entries()) await outline.prune({ before: anHourAgo[index]! });
				anHourAgo = [...reached];
			}
		}
		result.step.push(((performance.now() - begun) * 1000) / perTenth);
		for (const device of [...devices, ...devices]) await device.tidy();
		// Each learns of what the other one did last.
		for (const device of [...devices, ...devices]) await device.replica.sync();
		// One collection may leave what another one finds to be garbage.
		for (let time = 0; time < 4; time++) await collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		result.heap.push((heapUsed + external) / 1e6);
	}
	for (const { outline } of devices) await outline.close();
	await server.close();
	return result;
}

/** A device, and what its person does. */
class Device {
	readonly replica;
	readonly outline: Outline;
	/** The nodes from before the day. */
	readonly #nodes: string[] = [];
	/** The nodes made since the last tidying. */
	#made: string[] = [];
	readonly #random: () => number;

	constructor(server: Outline, now: () => number, seed: number) {
		const remote = createHttpRemote({ url, apiKey: "key", fetch: fetchInto(server) });
		this.replica = createReplica({ local: createMemoryStorage(), remote, auto: false, now });
		this.outline = new Outline({ storage: this.replica.storage, timeZone: "UTC", now });
		this.#random = generator(seed);
	}

	async start(): Promise<void> {
		await this.replica.sync();
		for await (const { id } of this.outline.export()) this.#nodes.push(id);
		const rows = liveRows(this.outline, { expanded: this.#nodes.slice(0, 100) });
		rows.subscribe(() => {});
	}

	/** Does one thing. The other device may have deleted what it is about. */
	async step(number: number): Promise<void> {
		await this.#expecting(this.#act(number));
	}

	/** Deletes all that this device and the other one have made, and closes the conflicts. */
	async tidy(): Promise<void> {
		await this.replica.sync();
		const before = new Set(this.#nodes);
		const made: string[] = [];
		for await (const { id } of this.outline.export()) if (!before.has(id)) made.push(id);
		for (const id of made) await this.#expecting(this.outline.delete(id, { mirrors: "detach" }));
		this.#made = [];
		for (const { id } of await this.replica.conflicts()) await this.replica.resolve(id, "shown");
	}

	async #act(number: number): Promise<unknown> {
		const { outline } = this;
		const chance = this.#random();
		if (this.#made.length === 0) return this.#make(outline.create({ parent: "today", name: `today ${number}` }));
		const id = this.#one(this.#made);
		if (chance < 0.5) return outline.update(id, { name: `typed until step ${number}` });
		if (chance < 0.62) return this.#make(outline.create({ parent: this.#one(this.#nodes), name: `step ${number}` }));
		if (chance < 0.7) return outline.move(id, { parent: this.#one(this.#nodes) });
		if (chance < 0.75) return outline.complete(id);
		if (chance < 0.8) return outline.uncomplete(id);
		if (chance < 0.84) return this.#make(outline.mirror(id, { parent: this.#one(this.#nodes) }));
		if (chance < 0.86) return this.#make(outline.create({ parent: "today", name: `today ${number}` }));
		if (chance < 0.9) return outline.undo();
		if (chance < 0.91) return outline.redo();
		if (chance < 0.93) return outline.search(`step ${number % 100}`, { limit: 20 });
		if (chance < 0.95) return outline.list(id);
		const gone = this.#made.shift();
		return gone === undefined ? undefined : outline.delete(gone);
	}

	async #expecting(act: Promise<unknown>): Promise<void> {
		await act.catch((error: unknown) => {
			if (!(error instanceof OutlineError) || !expected.has(error.code)) throw error;
		});
	}

	async #make(making: Promise<OutlineNode>): Promise<void> {
		this.#made.push((await making).id);
	}

	#one(ids: readonly string[]): string {
		return ids[Math.floor(this.#random() * ids.length)]!;
	}
}
