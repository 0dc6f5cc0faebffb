import { expect } from "vitest";
import type { StaticFiles } from "../../../adapters/cli/serve/static-files.js";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { Outline } from "../../../src/outline.js";
import { createHttpRemote, createReplica } from "../../../src/sync/index.js";
import { Random } from "../../conformance/random.js";
import type { App } from "../app.js";
import { patience, sign, synced } from "../devices.js";
import { Client } from "./client.js";
import { Device } from "./device.js";
import { Network } from "./network.js";
import { textsOf, Words } from "./words.js";

/**
 * Two users and a program write to one outline, while the network and the server come and go. All acts follow
 * from the seed. The times at which they take effect don't.
 */
export class Simulation {
	/** All acts, in their order. */
	readonly log: string[] = [];
	/** The faults that the end has shown. */
	readonly faults: string[] = [];
	readonly #network: Network;
	readonly #random: Random;
	readonly #words = new Words(Client.key);
	readonly #devices: readonly Device[];
	readonly #client: Client;

	private constructor(app: App, files: StaticFiles, directory: string, random: Random) {
		this.#random = random;
		this.#network = new Network(files, directory, new Random(random.below(2 ** 31)));
		this.#devices = ["a", "b"].map((name) => new Device(name, app, this.#network, this.#words));
		this.#network.onCommit = (changes) =>
			void this.#words.seen(
				"server",
				changes.map(({ before, after }) => [textsOf(before), textsOf(after)]),
			);
		this.#client = new Client(this.#network, this.#words);
	}

	static async begin(app: App, files: StaticFiles, directory: string, random: Random): Promise<Simulation> {
		const simulation = new Simulation(app, files, directory, random);
		await simulation.#network.listen();
		app.address = `${simulation.#network.address}/`;
		for (const device of simulation.#devices) await device.begin();
		return simulation;
	}

	/** In each round, all users do something at the same time. */
	async run(rounds: number): Promise<void> {
		for (let round = 0; round < rounds; round++) {
			this.#words.round = round;
			const parts = this.#devices.map((device) => ({
				name: device.name,
				act: () => device.act(new Random(this.#draw())),
			}));
			if (this.#network.isRunning && this.#random.happens(0.4)) {
				const random = new Random(this.#draw());
				parts.push({ name: Client.key, act: () => this.#client.act(random) });
			}
			const weather = await this.#changeWeather();
			if (weather !== undefined) this.log.push(`${round}. ${weather}`);
			await Promise.all(
				parts.map(async ({ name, act }) => {
					const done = await act().catch((error: unknown) => `fails: ${error}`);
					this.log.push(`${round}. ${name} ${done}`);
				}),
			);
		}
	}

	/** Brings everything online, and notes what is wrong then. */
	async end(): Promise<void> {
		if (!this.#network.isRunning) this.#network.start();
		for (const device of this.#devices) await device.recover();
		await synced(...this.#devices.map(({ tab }) => tab));
		for (const device of this.#devices) await this.#judge(device);
		const { problems } = await this.#network.outline.verify();
		for (const problem of problems) this.faults.push(`the server breaks a rule: ${JSON.stringify(problem)}`);
		this.faults.push(...this.#network.errors.map(String));
		// A deletion comes into the trash a moment after it shows.
		await expect
			.poll(() => this.#vanished(), patience)
			.toEqual([])
			.catch(() => {});
		for (const word of await this.#vanished())
			this.faults.push(`${word} has vanished:\n  ${this.#words.historyOf(word)}`);
	}

	async #vanished(): Promise<string[]> {
		const trash = await Promise.all(this.#devices.map((device) => device.trash()));
		return this.#words.vanished([await this.#file(), await this.#conflicts(), ...trash]);
	}

	/** Compares a device with the server, and its page with its outline. */
	async #judge(device: Device): Promise<void> {
		await expect.poll(async () => sorted(await device.file()), patience).toEqual(sorted(await this.#file()));
		await device.goToTop();
		const areSame = async () => {
			const { shown, expected } = await device.rows();
			return shown.join("\n") === expected.join("\n");
		};
		await expect
			.poll(areSame)
			.toBe(true)
			.catch(async () => {
				const { shown, expected } = await device.rows();
				this.faults.push(`${device.name} shows:\n${shown.join("\n")}\ninstead of:\n${expected.join("\n")}`);
			});
		const said = await sign(device.tab);
		if (!/^Synced(\s+\d+ conflicts?)?$/.test(said)) this.faults.push(`the sign of ${device.name} says ${said}`);
		for (const problem of device.problems) this.faults.push(`${device.name} is told: ${problem}`);
		for (const word of device.unseen) {
			if (!this.#words.isWritten(word)) this.faults.push(`${word} was typed in vain`);
		}
	}

	async close(): Promise<void> {
		// Pages that lose their server print errors.
		for (const device of this.#devices) await device.close();
		await this.#network.close();
	}

	#draw(): number {
		return this.#random.below(2 ** 31);
	}

	async #changeWeather(): Promise<string | undefined> {
		const random = this.#random;
		if (!this.#network.isRunning) {
			if (!random.happens(0.4)) return undefined;
			this.#network.start();
			return "the server starts";
		}
		if (random.happens(0.04)) {
			await this.#network.stop();
			return "the server stops";
		}
		if (!random.happens(0.25)) return undefined;
		const device = random.pick(this.#devices);
		const weather = random.pick(["good", "bad", "cut", "cut"] as const);
		const isKnown = random.happens(0.5);
		await device.setWeather(weather, isKnown);
		return `the network of ${device.name} is ${weather}${isKnown ? ", as its browser knows" : ""}`;
	}

	/** The outline of the server, as a file. */
	async #file(): Promise<string> {
		let text = "";
		for await (const piece of this.#network.outline.exportAs("json")) text += piece;
		return text;
	}

	/** The open conflicts, as a new device receives them. */
	async #conflicts(): Promise<string> {
		const remote = createHttpRemote({ url: `${this.#network.address}/api/v1`, apiKey: Client.key });
		const replica = createReplica({ local: createMemoryStorage(), remote });
		replica.pause();
		await replica.sync();
		const conflicts = await replica.conflicts();
		const outline = new Outline({ storage: replica.storage });
		await outline.close();
		return JSON.stringify(conflicts);
	}
}

/** The lines of a file, in an order that doesn't depend on the storage. */
function sorted(file: string): string[] {
	return file.split("\n").sort();
}
