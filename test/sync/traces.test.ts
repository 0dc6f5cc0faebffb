import { expect, test } from "vitest";
import { OutlineError } from "../../src/errors.js";
import type { StorageAdapter } from "../../src/storage.js";
import type { Replica } from "../../src/sync/index.js";
import { Random } from "../conformance/random.js";
import { NaiveOrder } from "../model/naive-order.js";
import { seed, soak } from "../setup/soak.js";
import { conflictsOf, expectEqual, look } from "./meeting.js";
import { badFaults, Network } from "./network.js";
import { contentOf, Device, Site, settleAll } from "./site.js";
import { type Call, Player, replay, type Trace, traceOf } from "./trace.js";
import { Words } from "./words.js";

const names = ["writing", "pasting", "sorting", "calendar", "mirrors", "tabs"];

test.each(names)("%s ends alike in the browser, in memory and on a replica", async (name) => {
	const { after, calls, end, outline } = await traceOf(name);
	expect(await look(outline)).toBe(end);
	const site = new Site();
	const devices = [site.device(), site.devices[0]!.tab()];
	const storageOf = (tab: number) => devices[tab - 1]!.replica.storage;
	site.now = calls.at(-1)!.at;
	if (after !== null) await replay((await traceOf(after)).calls, new Player(storageOf));
	await replay(calls, new Player(storageOf));
	const content = await contentOf(outline);
	for (const device of devices) expect(await contentOf(device.outline)).toEqual(content);
	await settleAll(devices);
	// The server needs no room for siblings that are gone by then, so it may have other priorities.
	expect(await look(site.outline)).toBe(end);
	await expectEqual(site);
});

const pairs = [
	["writing", "pasting"],
	["sorting", "mirrors"],
	["calendar", "tabs"],
	["tabs", "sorting"],
	["mirrors", "calendar"],
	["tabs", "mirrors"],
] as const;

for (const [one, two] of pairs) {
	for (let index = 0; index < soak; index++) {
		test(`devices that replay ${one} and ${two} agree, and no word vanishes unseen, seed ${seed + index}`, async () => {
			const crossing = await Crossing.of([await traceOf(one), await traceOf(two)], seed + index);
			await crossing.play();
			await crossing.settle();
		});
	}
}

/** Codes of errors of calls that no longer fit after the changes of another device. */
const refusals: ReadonlySet<string> = new Set(["not_found", "would_create_cycle", "undo_blocked", "invalid_argument"]);

/** A device that replays a trace. */
interface Actor {
	/** One for each tab. */
	readonly devices: readonly Device[];
	readonly player: Player;
	readonly calls: readonly Call[];
	next: number;
	/** Whether the commit at which its program dies is stored. */
	isWritten: boolean;
}

/** Two devices that replay traces on one outline, over a bad network and with kills. */
class Crossing {
	readonly #site = new Site(new Network());
	readonly #random: Random;
	readonly #words = new Words();
	readonly #order = new NaiveOrder();
	readonly #actors: Actor[] = [];
	/** Calls that fitted no longer. */
	readonly #refused: string[] = [];

	private constructor(seed: number) {
		this.#random = new Random(seed);
		this.#site.network.random = this.#random;
		this.#site.onAccepted = (entry) => this.#order.accept(entry);
	}

	/** Prepares the devices. Both have the outline that the traces continue. */
	static async of(traces: readonly Trace[], seed: number): Promise<Crossing> {
		const crossing = new Crossing(seed);
		const site = crossing.#site;
		for (const { calls } of traces) crossing.#add(calls);
		const devices = crossing.#actors.map(({ devices }) => devices[0]!);
		const after = traces[0]!.after;
		if (after !== null) {
			const { calls } = await traceOf(after);
			site.now = calls.at(-1)!.at;
			const storage = crossing.#words.by("device 0")(devices[0]!.replica.storage);
			await replay(calls, new Player(() => storage));
			await settleAll(devices);
		}
		return crossing;
	}

	#add(calls: readonly Call[]): void {
		const author = `device ${this.#actors.length}`;
		const first = this.#site.device();
		const tabs = Math.max(...calls.map(({ tab }) => tab));
		const devices = [first, ...Array.from({ length: tabs - 1 }, () => first.tab())];
		const storages = new Map<Replica, StorageAdapter>();
		const storageOf = (tab: number) => {
			const { replica } = devices[tab - 1]!;
			if (!storages.has(replica)) storages.set(replica, this.#words.by(author)(replica.storage));
			return storages.get(replica)!;
		};
		// Tabs that keep their steps would undo the steps of each other.
		this.#actors.push({ devices, player: new Player(storageOf, tabs === 1), calls, next: 0, isWritten: false });
	}

	/** Replays both traces, each call at its time. */
	async play(): Promise<void> {
		const { network } = this.#site;
		network.faults = badFaults;
		for (;;) {
			const [actor] = this.#actors
				.filter(({ next, calls }) => next < calls.length)
				.sort((left, right) => left.calls[left.next]!.at - right.calls[right.next]!.at);
			if (actor === undefined) return;
			await this.#call(actor);
			await this.#disturb(actor);
			this.#rescue();
		}
	}

	/** Makes the next call of a device. After a kill, makes it again unless it is stored. */
	async #call(actor: Actor): Promise<void> {
		const call = actor.calls[actor.next];
		if (call === undefined) return;
		actor.next += 1;
		this.#site.now = Math.max(this.#site.now, call.at);
		const device = actor.devices[call.tab - 1]!;
		for (let { args } = call; ; ) {
			const { session } = device;
			const error = await actor.player.play(call, args).catch((reason: unknown) => reason);
			if (error === undefined) return;
			if (!(error instanceof OutlineError)) throw error;
			// The user sees both texts, and keeps the own one.
			if (error.code === "edit_conflict" && args !== call.replacing) args = call.replacing;
			else if (session.isDead) {
				this.#rescue();
				if (actor.isWritten) return;
			} else if (refusals.has(error.code)) {
				this.#refused.push(error.code);
				return;
			} else throw error;
		}
	}

	/** Lets a device sync now and then, or something else happen to it. */
	async #disturb(actor: Actor): Promise<void> {
		const random = this.#random;
		const site = this.#site;
		const device = random.pick(actor.devices);
		const chance = random.below(1000);
		if (chance < 20) {
			site.network.meanwhile = () => this.#call(actor);
			await device.sync().catch((error) => {
				if (!["storage_unavailable", "closed"].includes(error.code)) throw error;
			});
		} else if (chance < 35) device.isOnline = !device.isOnline;
		else if (chance < 45) {
			actor.isWritten = random.happens(0.5);
			device.session.killAt(1 + random.below(3), actor.isWritten);
		} else if (chance < 50) site.session.killAt(1 + random.below(3), random.happens(0.5));
		else if (chance < 60) await site.network.deliverLate();
	}

	/** Starts killed programs again. */
	#rescue(): void {
		for (const device of this.#site.devices) if (device.session.isDead) device.reopen();
		if (this.#site.session.isDead) this.#site.restart();
	}

	/** Gives all a good network, lets them exchange, and checks what they have. */
	async settle(): Promise<void> {
		const site = this.#site;
		site.network.faults = null;
		await site.network.deliverLate();
		this.#rescue();
		for (const device of site.devices) {
			device.isOnline = true;
			device.session.killAt(Number.POSITIVE_INFINITY, false);
		}
		site.session.killAt(Number.POSITIVE_INFINITY, false);
		await settleAll(site.devices);
		const joiner = new Device(site);
		await joiner.sync();
		await expectEqual(site, [...site.devices, joiner]);
		expect(site.errors).toEqual([]);
		const conflicts = await conflictsOf(joiner);
		const content = await contentOf(site.outline);
		expect(this.#words.judge(content, conflicts)).toEqual([]);
		const told = new Set(conflicts.map(({ nodeId }) => nodeId));
		expect(this.#order.differences(content.nodes, content.keys, told)).toEqual([]);
		const calls = this.#actors.flatMap((actor) => actor.calls).length;
		// Else the two traces would no longer be about the same nodes.
		expect(this.#refused.length / calls).toBeLessThan(0.2);
	}
}
