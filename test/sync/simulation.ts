import { OutlineError } from "../../src/errors.js";
import { Outline } from "../../src/outline.js";
import type { StorageAdapter } from "../../src/storage.js";
import { Random } from "../conformance/random.js";
import { NaiveOrder } from "../model/naive-order.js";
import { Disk } from "./disk.js";
import { edit } from "./edits.js";
import { forwarded, type Kinds, quickKinds } from "./kinds.js";
import { conflictsOf } from "./meeting.js";
import { badFaults, Network } from "./network.js";
import { type Content, contentOf, Device, Site } from "./site.js";
import { Words } from "./words.js";

/** A simulation that failed: what is wrong, and what happened before. */
export class SimulationFailure extends Error {
	constructor(
		readonly seed: number,
		/** The number of the step that found it. */
		readonly step: number,
		readonly fault: string,
		log: readonly string[],
		cause?: unknown,
	) {
		super(`Seed ${seed}, step ${step}: ${fault}\n${log.slice(-60).join("\n")}`, { cause });
	}
}

/**
 * Lets some devices and plain clients work on one outline over a bad network, with kills, restarts, copied
 * disks and second tabs. Now and then all have a good network for a while. Then they must all agree, and no
 * word may have vanished unseen. Everything follows from the seed.
 */
export class Simulation {
	readonly #seed: number;
	readonly #kinds: Kinds;
	readonly #network = new Network();
	readonly #site: Site;
	readonly #words = new Words();
	readonly #order = new NaiveOrder();
	/** The nodes of which a conflict has ever been told. */
	readonly #told = new Set<string>();
	readonly #log: string[] = [];
	/** The number of checks of what all agree on. */
	agreements = 0;

	constructor(seed: number, kinds: Kinds = quickKinds(seed)) {
		this.#seed = seed;
		this.#kinds = kinds;
		this.#site = new Site(this.#network, new Disk(kinds.server));
		this.#site.onAccepted = (entry) => this.#order.accept(entry);
		this.#newDevice();
		this.#newDevice();
	}

	/**
	 * Makes the steps of the simulation. Each step draws from a seed of its own, so a part of the steps does the same
	 * as among all of them.
	 *
	 * @throws a {@link SimulationFailure}
	 */
	async run(steps: readonly number[]): Promise<void> {
		try {
			for (const step of steps) {
				const random = new Random(this.#seed * 100_003 + step);
				this.#network.random = random;
				this.#network.faults = badFaults;
				this.#site.now += 1000;
				await this.#orFail(step, () => this.#step(step, random));
			}
			await this.#orFail(steps.at(-1)! + 1, () => this.#agree());
		} finally {
			await this.#site.end();
		}
	}

	async #orFail(step: number, run: () => Promise<void>): Promise<void> {
		try {
			await run();
			if (this.#site.errors.length > 0) throw this.#site.errors[0];
		} catch (error) {
			const fault = error instanceof Fault ? error.message : `${(error as Error).stack ?? error}`;
			throw new SimulationFailure(this.#seed, step, fault, this.#log, error);
		}
	}

	async #step(step: number, random: Random): Promise<void> {
		const site = this.#site;
		const device = random.pick(site.devices);
		const number = site.devices.indexOf(device);
		const say = (what: string) => this.#log.push(`${step}. ${what}`);
		const chance = random.below(1000);
		if (chance < 640) {
			const { edit: name, outcome } = await edit(device.outline, random, () => this.#words.next());
			say(`device ${number}: ${name}, ${outcome}`);
		} else if (chance < 830) {
			const meanwhile = random.pick(site.devices);
			this.#network.meanwhile = async () => {
				const { edit: name, outcome } = await edit(meanwhile.outline, random, () => this.#words.next());
				say(`  meanwhile device ${site.devices.indexOf(meanwhile)}: ${name}, ${outcome}`);
			};
			say(`device ${number}: sync, ${await this.#sync(device)}`);
			if (random.happens(0.1)) await this.#verify(device);
		} else if (chance < 880) {
			const { edit: name, outcome } = await edit(this.#plainClient(), random, () => this.#words.next());
			say(`plain client: ${name}, ${outcome}`);
		} else if (chance < 905) {
			device.isOnline = !device.isOnline;
			say(`device ${number} is ${device.isOnline ? "online" : "offline"}`);
		} else if (chance < 930) {
			const [commits, isWritten] = [1 + random.below(4), random.happens(0.5)];
			device.session.killAt(commits, isWritten);
			say(`device ${number} will die ${isWritten ? "after" : "at"} commit ${commits} from now`);
		} else if (chance < 940) {
			const [commits, isWritten] = [1 + random.below(3), random.happens(0.5)];
			site.session.killAt(commits, isWritten);
			say(`the server will die ${isWritten ? "after" : "at"} commit ${commits} from now`);
		} else if (chance < 950) {
			site.restart();
			say("the server restarts");
		} else if (chance < 965) {
			await this.#network.deliverLate();
			say("late requests arrive");
		} else if (chance < 972) {
			await this.#resolve(device, random, say);
		} else if (chance < 976) {
			if (site.devices.length < 4) {
				this.#newDevice();
				say(`device ${site.devices.length - 1} is new`);
			}
		} else if (chance < 979) {
			if (site.devices.length < 4) {
				this.#newDevice(await device.disk.copy());
				this.#words.copied(`device ${number}`, `device ${site.devices.length - 1}`);
				say(`device ${site.devices.length - 1} is a copy of device ${number}`);
			}
		} else if (chance < 983) {
			if (site.devices.length < 4) {
				this.#newDevice(device.disk);
				say(`device ${site.devices.length - 1} is another tab of device ${number}`);
			}
		} else if (chance < 984) {
			await this.#restore(random, say);
		} else if (chance < 989) {
			for (let count = 1 + random.below(3); count > 0; count--) {
				await this.#writeDirectly(device, random, say);
				// The replica sends these commits as one. An inbox that was made and renamed in one second seems to have its first name.
				site.now += 1000;
			}
		} else await this.#agree();
		this.#rescue(say);
	}

	/** Adds a device. Their storages, clocks and histories differ. */
	#newDevice(disk?: Disk): void {
		const number = this.#site.devices.length;
		this.#site.device(disk ?? new Disk(this.#kinds.device(number)), {
			clock: [0, 7200, -7200, 5][number]!,
			history: { keep: number === 1 },
			wrap: this.#words.by(`device ${number}`),
		});
	}

	/** Edits the outline of a device directly on its storage, past its replica. */
	async #writeDirectly(device: Device, random: Random, say: (what: string) => void): Promise<void> {
		const number = this.#site.devices.indexOf(device);
		const storage = this.#words.by(`device ${number}`)(device.session);
		const outline = new Outline({ storage, ...this.#site.options() });
		const { edit: name, outcome } = await edit(outline, random, () => this.#words.next());
		say(`directly on the storage of device ${number}: ${name}, ${outcome}`);
	}

	#plainClient(): Outline {
		return this.#site.plainClient((storage) => this.#ordered(this.#words.by("a plain client")(storage)));
	}

	/** Lets the model follow the commits of a plain client. */
	#ordered(storage: StorageAdapter): StorageAdapter {
		return {
			...forwarded(storage),
			commit: async (batch) => {
				const revision = await storage.commit(batch);
				this.#order.write(batch);
				return revision;
			},
		};
	}

	/** Starts killed programs again. */
	#rescue(say: (what: string) => void): void {
		for (const [number, device] of this.#site.devices.entries()) {
			if (!device.session.isDead) continue;
			device.reopen();
			say(`device ${number} opens again`);
		}
		if (this.#site.session.isDead) {
			this.#site.restart();
			say("the server starts again");
		}
	}

	/** Syncs a device. On a bad network it may fail, in one way. */
	async #sync(device: Device): Promise<string> {
		try {
			await device.sync();
			return "done";
		} catch (error) {
			if (error instanceof OutlineError && ["storage_unavailable", "closed"].includes(error.code)) return error.message;
			throw error;
		}
	}

	async #verify({ outline, session }: Device): Promise<void> {
		if (session.isDead) return;
		const { problems } = await outline.verify();
		if (problems.length > 0) throw new Fault(`a device breaks a rule: ${JSON.stringify(problems[0])}`);
	}

	async #resolve(device: Device, random: Random, say: (what: string) => void): Promise<void> {
		const conflicts = await conflictsOf(device).catch(() => []);
		if (conflicts.length === 0) return;
		const conflict = random.pick(conflicts);
		const choice = random.pick(["shown", "other"] as const);
		const number = this.#site.devices.indexOf(device);
		this.#told.add(conflict.nodeId);
		this.#words.closed(`device ${number}`, conflict);
		const outcome = await device.replica.resolve(conflict.id, choice).then(
			() => "done",
			(error: unknown) => (error instanceof OutlineError ? error.code : Promise.reject(error)),
		);
		say(`device ${number}: resolve a ${conflict.kind} conflict with ${choice}, ${outcome}`);
	}

	/**
	 * Sets the server back to a copy, after all devices have seen later states. Sometimes plain clients then change
	 * it, until its revision may have passed that of the devices. They notice by the marks of the history.
	 */
	async #restore(random: Random, say: (what: string) => void): Promise<void> {
		const site = this.#site;
		await this.#agree();
		const copy = await site.disk.copy();
		for (let change = 0; change < 10; change++) {
			const device = random.pick(site.devices);
			await edit(device.outline, random, () => this.#words.next());
			await device.outline.create({ name: this.#words.next() });
			await device.sync();
		}
		for (const device of site.devices) await device.sync();
		for (const device of site.devices) await edit(device.outline, random, () => this.#words.next());
		if (random.happens(0.5)) await this.#writeDirectly(random.pick(site.devices), random, say);
		say(`the server is set back from revision ${site.disk.revision} to ${copy.revision}`);
		site.restart(copy);
		const contents = await Promise.all([site, ...site.devices].map(({ outline }) => contentOf(outline)));
		const conflicts = await Promise.all(site.devices.map(conflictsOf));
		this.#words.keepOnly(contents, conflicts.flat());
		const { nodes, keys } = await contentOf(site.outline);
		this.#order.begin(nodes, keys);
		for (let change = random.pick([0, 40]); change > 0; change--) {
			await edit(this.#plainClient(), random, () => this.#words.next());
		}
		await this.#agree();
	}

	/** Gives all a good network, lets them exchange, and checks that they agree. */
	async #agree(): Promise<void> {
		const site = this.#site;
		this.#network.faults = null;
		await this.#network.deliverLate();
		const say = (what: string) => this.#log.push(`   ${what}`);
		this.#rescue(say);
		// A kill that is still to come would only end the exchange.
		for (const device of site.devices) {
			device.isOnline = true;
			device.session.killAt(Number.POSITIVE_INFINITY, false);
		}
		site.session.killAt(Number.POSITIVE_INFINITY, false);
		for (let round = 0; round < 2; round++) for (const device of site.devices) await device.sync();
		say("all have synced");
		const content = await contentOf(site.outline);
		const expected = JSON.stringify(content);
		const conflicts = await conflictsOf(site.devices[0]!);
		const told = JSON.stringify(conflicts);
		const joiner = new Device(site);
		await joiner.sync();
		for (const [number, device] of [...site.devices, joiner].entries()) {
			await this.#verify(device);
			if (JSON.stringify(await contentOf(device.outline)) !== expected) {
				throw new Fault(`device ${number} differs from the server: ${await difference(device, content)}`);
			}
			if (JSON.stringify(await conflictsOf(device)) !== told) throw new Fault(`device ${number} tells other conflicts`);
			const { pending, phase } = device.replica.status.current;
			if (pending !== 0 || phase !== "idle")
				throw new Fault(`device ${number} has ${pending} pending, and is ${phase}`);
		}
		const { problems } = await site.outline.verify();
		if (problems.length > 0) throw new Fault(`the server breaks a rule: ${JSON.stringify(problems[0])}`);
		for (const { nodeId } of conflicts) this.#told.add(nodeId);
		const faults = [
			...this.#words.judge(content, conflicts),
			...this.#order.differences(content.nodes, content.keys, this.#told),
		];
		if (faults.length > 0) throw new Fault(faults.join("; "));
		this.agreements += 1;
	}
}

/** A promise that sync has broken. */
class Fault extends Error {}

/** Describes the first difference of a device from the server. */
async function difference(device: Device, { nodes, keys, targets }: Content): Promise<string> {
	const found = await contentOf(device.outline);
	const there = new Map(found.nodes.map((node) => [node.id, JSON.stringify(node)]));
	for (const node of nodes) {
		const other = there.get(node.id);
		there.delete(node.id);
		if (other !== JSON.stringify(node)) return `${other ?? "no node"} instead of ${JSON.stringify(node)}`;
	}
	const [further] = there.values();
	return further ?? JSON.stringify([found.keys, found.targets, "instead of", keys, targets]);
}
