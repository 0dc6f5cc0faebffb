import { expect, test } from "vitest";
import { OutlineError } from "../../src/errors.js";
import type { Outline } from "../../src/outline.js";
import type { Remote } from "../../src/sync/index.js";
import { openTrialStorage } from "../adapters/file/trial.js";
import { Random } from "../conformance/random.js";
import { CrashFileSystem } from "../faults/crash-file-system.js";
import { soak } from "../setup/soak.js";
import { contents, type Device, newDevice } from "../src/sync/replica/direct-remote.js";
import { exported, newOutline } from "../support/outline.js";

type Side = "device" | "server";

/** The ways in which a program ends at a call of its file system. */
const deaths = ["killed", "killed in the middle of the call", "without power"] as const;

/** The distance between the calls that are tried. A longer run tries more. */
const stride = Math.ceil(6 / soak);

/** A device and a server, each on a file of its own, and a second device in memory. One program dies. */
class Trial {
	readonly other: Device;
	/** The names of the nodes that a call has acknowledged. */
	readonly acknowledged = new Set<string>();
	/** The names of all nodes that may be stored. */
	readonly possible = new Set<string>();
	readonly #deleted = new Set<string>();
	device!: Device;
	isOver = false;
	readonly #side: Side;
	readonly #files = { device: new CrashFileSystem(), server: new CrashFileSystem() };
	#server!: Outline;
	#death: Promise<never>;

	constructor(side: Side, index: number, death: (typeof deaths)[number]) {
		this.#side = side;
		const file = this.#files[side];
		file.killAt(index, death === deaths[1] ? "half" : undefined);
		this.#death = file.killed.then(() => {
			const states = death === "without power" ? [...file.crashStates({ limit: 4, random: new Random(index) })] : [];
			const state = states[index % states.length];
			this.#files[side] = state === undefined ? file.afterKill() : new CrashFileSystem({}, state.root);
			this.isOver = true;
			throw new OutlineError("storage_unavailable", "The program has ended.");
		});
		this.#death.catch(() => {});
		this.#open("server");
		this.#open("device");
		this.other = newDevice(this.#remote);
	}

	/** Does something. If the program dies meanwhile, starts it again. */
	async act(work: (trial: Trial) => Promise<unknown>): Promise<void> {
		const before = this.isOver;
		try {
			await this.#orDeath(work(this));
		} catch (error) {
			if (before || !this.isOver) throw error;
			this.#death = new Promise(() => {});
			this.#open(this.#side);
		}
	}

	/** Creates a node, and keeps its name. */
	async create({ outline }: Device, name: string, parent: string | null = null): Promise<void> {
		this.possible.add(name);
		await outline.create({ name, parent, position: "bottom" });
		this.acknowledged.add(name);
	}

	/** Deletes a node on the second device, if it is there. A second creation would bring it back. */
	async delete(wanted: string): Promise<void> {
		const node = (await exported(this.other.outline)).find(({ name }) => name === wanted);
		if (node === undefined) return;
		await this.other.outline.delete(node.id);
		this.#deleted.add(wanted);
	}

	/** Lets both devices exchange, and checks that all agree and that each node is there once. */
	async judge(): Promise<void> {
		this.#files[this.#side].killAt(Number.POSITIVE_INFINITY);
		for (let round = 0; round < 2; round++) for (const { replica } of [this.device, this.other]) await replica.sync();
		const expected = await contents(this.#server);
		for (const { outline, replica } of [this.device, this.other]) {
			expect(await contents(outline)).toEqual(expected);
			expect((await outline.verify()).problems).toEqual([]);
			expect(await replica.conflicts()).toEqual([]);
			expect(replica.status.current).toMatchObject({ pending: 0, phase: "idle" });
		}
		const names = (await exported(this.#server)).map(({ name }) => name).filter((name) => this.possible.has(name));
		expect(new Set(names).size).toBe(names.length);
		const lost = [...this.acknowledged].filter((name) => !names.includes(name) && !this.#deleted.has(name));
		const returned = names.filter((name) => this.#deleted.has(name));
		expect({ lost, returned }).toEqual({ lost: [], returned: [] });
	}

	readonly #remote: Remote = {
		push: (lines) => this.#orDeath(this.#server.sync(lines)),
		image: (_, from) => this.#image(from),
	};

	async *#image(from: Parameters<Remote["image"]>[1]): AsyncGenerator<string> {
		const texts = this.#server.syncImage(from)[Symbol.asyncIterator]();
		for (;;) {
			const { done, value } = await this.#orDeath(texts.next());
			if (done) return;
			yield value;
		}
	}

	#open(side: Side): void {
		const storage = openTrialStorage(this.#files[side]);
		if (side === "server") this.#server = newOutline({ storage });
		else this.device = newDevice(this.#remote, { local: storage });
	}

	#orDeath<T>(work: Promise<T>): Promise<T> {
		return Promise.race([work, this.#death]);
	}
}

const acts: readonly ((trial: Trial) => Promise<unknown>)[] = [
	(trial) => trial.create(trial.device, "first"),
	(trial) => trial.create(trial.device, "in a day", "today"),
	({ device }) => device.replica.sync(),
	({ other }) => other.replica.sync(),
	(trial) => trial.create(trial.other, "of the other device"),
	(trial) => trial.create(trial.other, "in the same day", "today"),
	({ other }) => other.replica.sync(),
	(trial) => trial.create(trial.device, "pending"),
	({ device }) => device.outline.setShortcut("inbox of the device", "inbox").catch(() => {}),
	(trial) => trial.create(trial.device, "pending in the day", "today"),
	({ device }) => device.replica.sync(),
	({ other }) => other.replica.sync(),
	(trial) => trial.delete("pending"),
	({ other }) => other.replica.sync(),
	(trial) => trial.create(trial.device, "last"),
	({ device }) => device.replica.sync(),
];

test.each(["device", "server"] as const)(
	"a %s that dies at any call of its file system loses and doubles nothing",
	{ timeout: 120_000 * soak },
	async (side) => {
		for (const [offset, death] of deaths.entries()) {
			let isOver = true;
			for (let index = offset * Math.floor(stride / deaths.length); isOver; index += stride) {
				const trial = new Trial(side, index, death);
				for (const act of acts) await trial.act(act);
				({ isOver } = trial);
				await trial.judge().catch((error: Error) => {
					throw new Error(`A ${side} ended at call ${index}, ${death}: ${error.message}`, { cause: error });
				});
			}
		}
	},
);
