import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { createHttpHandler } from "../../adapters/http/index.js";
import type { OutlineOptions } from "../../src/engine/settings.js";
import { OutlineError } from "../../src/errors.js";
import type { OutlineNode } from "../../src/node.js";
import { Outline } from "../../src/outline.js";
import type { Target } from "../../src/read/targets.js";
import type { StorageAdapter } from "../../src/storage.js";
import type { Delta } from "../../src/sync/delta.js";
import { createHttpRemote, createReplica, type Replica } from "../../src/sync/index.js";
import { withPhrases } from "../../src/sync/phrases.js";
import { remoteOutline } from "../model/remote-outline.js";
import { countedIds } from "../support/ids.js";
import { exported, noon } from "../support/outline.js";
import { Disk, type Session } from "./disk.js";
import type { StoragePlace } from "./kinds.js";
import { type Handler, Network } from "./network.js";

const url = "http://outline.example/api/v1";

/** Wraps the storage of an outline, so that a test sees its commits. */
export type Wrap = (storage: StorageAdapter) => StorageAdapter;

/** A server with one outline, and the devices that sync with it. */
export class Site {
	readonly network: Network;
	readonly devices: Device[] = [];
	/** Errors of the server that no storage and no rule explains. */
	readonly errors: unknown[] = [];
	/** The clock of the server, in milliseconds. */
	now = noon;
	readonly #changes: Partial<OutlineOptions>;
	#openings = 0;
	#server: Program;
	/** Programs that aren't the server, but write to its storage: the plain HTTP interface of another process. */
	#writer: Program | undefined;

	/** @param changes - options of the server's outline */
	constructor(network = new Network(), disk = new Disk(), changes: Partial<OutlineOptions> = {}) {
		this.network = network;
		this.#changes = changes;
		this.#server = this.#serve(disk);
	}

	/** The outline of the server. */
	get outline(): Outline {
		return this.#server.outline;
	}

	/** The storage of the server. */
	get disk(): Disk {
		return this.#server.disk;
	}

	/** The session of the server on its storage. */
	get session(): Session {
		return this.#server.session;
	}

	/** Called with each entry that the server accepts, in their order. */
	onAccepted: ((entry: Delta) => void) | undefined;

	/** Answers the requests of devices. */
	readonly handler: Handler = async (request) => {
		if (this.onAccepted === undefined || request.method !== "POST") return this.#server.handler(request);
		const copy = request.clone();
		const { disk } = this;
		const before = await lastEntries(disk);
		try {
			return await this.#server.handler(request);
		} finally {
			// Also after an error: the server may have been killed after its commit.
			const after = await lastEntries(disk);
			for (const { seq, device, delta } of await entriesIn(copy)) {
				if (seq > (before.get(device) ?? 0) && seq <= (after.get(device) ?? 0)) this.onAccepted(delta);
			}
		}
	};

	/** Returns the options of a new outline: no two outlines draw the same ids. */
	options(now: () => number = () => this.now): Omit<OutlineOptions, "storage"> {
		const opening = ++this.#openings;
		return { timeZone: "UTC", now, generateId: countedIds((drawn) => opening * 2 ** 28 + drawn + 1) };
	}

	/** Starts the server again, on its own storage or on another one. */
	restart(disk = this.disk): void {
		this.#server.session.kill();
		this.#writer?.session.kill();
		this.#writer = undefined;
		this.#server = this.#serve(disk);
	}

	/** Returns the outline of the server for a client that uses the plain HTTP interface, not sync. */
	plainClient(wrap: Wrap = (storage) => storage): Outline {
		this.#writer ??= this.#serve(this.disk, wrap);
		return remoteOutline(this.#writer.outline);
	}

	/** Adds a device, which is empty unless it gets a disk. */
	device(disk?: Disk, options?: DeviceOptions): Device {
		const device = new Device(this, disk, options);
		this.devices.push(device);
		return device;
	}

	/** Kills all programs, and waits until their storages are closed. */
	async end(): Promise<void> {
		const disks = new Set([this.disk, ...this.devices.map(({ disk }) => disk)]);
		for (const program of [this.#server, this.#writer, ...this.devices]) program?.session.kill();
		for (const disk of disks) await disk.closing;
	}

	#serve(disk: Disk, wrap: Wrap = (storage) => storage): Program {
		const session = disk.open();
		const outline = new Outline({ ...this.options(), ...this.#changes, storage: wrap(session) });
		const handler = createHttpHandler({
			authenticate: async (key) => {
				if (key === "key") return outline;
				return key === "scope" ? outline.scope((await outline.ensure("inbox")).id, { write: true }) : null;
			},
			exportsPerMinute: Number.POSITIVE_INFINITY,
			syncImagesPerMinute: Number.POSITIVE_INFINITY,
			onError: (error) => {
				if (!(error instanceof OutlineError)) this.errors.push(error);
			},
		});
		return { disk, session, outline, handler };
	}
}

/** Returns the number of the last entry that a server has of each device. */
async function lastEntries(disk: Disk): Promise<Map<string, number>> {
	const { results } = await disk.read([{ type: "documents", prefix: "sync/device/" }]);
	return new Map(results[0].map(({ key, value }) => [key.slice("sync/device/".length), JSON.parse(value).last]));
}

/** Returns the entries of a push. */
async function entriesIn(request: Request): Promise<{ seq: number; device: string; delta: Delta }[]> {
	const bytes = Buffer.from(await request.arrayBuffer());
	const text = (request.headers.get("content-encoding") === "gzip" ? gunzipSync(bytes) : bytes).toString();
	const [{ device }, ...lines] = text
		.trim()
		.split("\n")
		.map((line) => JSON.parse(withPhrases(line)));
	const entries = new Map<number, Delta>();
	for (const { seq, ...delta } of lines) {
		entries.set(seq, { ...delta, nodes: [...(entries.get(seq)?.nodes ?? []), ...delta.nodes] });
	}
	return [...entries].map(([seq, delta]) => ({ seq, device, delta }));
}

/** A running server. */
interface Program {
	readonly disk: Disk;
	readonly session: Session;
	readonly outline: Outline;
	readonly handler: Handler;
}

/** The options of a device. */
export interface DeviceOptions {
	readonly apiKey?: string;
	readonly auto?: boolean;
	/** Seconds by which the clock of the device differs from the server's. */
	readonly clock?: number;
	readonly wrap?: Wrap;
	readonly history?: OutlineOptions["history"];
}

/** A device with a replica, as one program or one tab on its disk. */
export class Device {
	readonly site: Site;
	readonly disk: Disk;
	readonly #options: DeviceOptions;
	/** Whether the device has a network. */
	isOnline = true;
	session!: Session;
	replica!: Replica;
	outline!: Outline;

	constructor(site: Site, disk = new Disk(), options: DeviceOptions = {}) {
		this.site = site;
		this.disk = disk;
		this.#options = options;
		this.open();
	}

	/** Starts the program. */
	open(change: DeviceOptions = {}): void {
		const { apiKey = "key", auto = false, clock = 0, wrap, history } = { ...this.#options, ...change };
		const session = this.disk.open();
		const connected = () => (this.isOnline && !session.isDead ? this.site.handler : null);
		this.session = session;
		this.replica = createReplica({
			local: session,
			remote: createHttpRemote({ url, apiKey, fetch: this.site.network.fetchTo(connected) }),
			auto,
		});
		const { storage } = this.replica;
		this.outline = new Outline({
			storage: wrap === undefined ? storage : wrap(storage),
			...this.site.options(() => this.site.now + clock * 1000),
			...(history !== undefined && { history }),
		});
	}

	/** Ends the program without a warning, and starts it again. */
	reopen(change: DeviceOptions = {}): void {
		this.session.kill();
		this.open(change);
	}

	/** Opens a second tab on the disk. */
	tab(options: DeviceOptions = {}): Device {
		return this.site.device(this.disk, { ...this.#options, ...options });
	}

	sync(): Promise<void> {
		return this.replica.sync();
	}
}

/** Returns a site with a device on a place, both with the node `sent`. The site ends with the test. */
export async function siteWith(place: StoragePlace): Promise<{ site: Site; device: Device }> {
	const site = new Site();
	const device = site.device(new Disk(() => place));
	onTestFinished(() => site.end());
	await device.outline.create({ name: "sent" });
	await device.sync();
	return { site, device };
}

/** Lets all devices exchange until nothing is pending: two rounds suffice. */
export async function settleAll(devices: readonly Device[]): Promise<void> {
	for (let round = 0; round < 2; round++) for (const device of devices) await device.sync();
}

/** The export, the keys and the targets of an outline. */
export interface Content {
	readonly nodes: readonly OutlineNode[];
	readonly keys: readonly string[];
	readonly targets: readonly Target[];
}

/** Returns the content of an outline in a form that is equal for equal outlines. */
export async function contentOf(outline: Outline): Promise<Content> {
	const nodes = await exported(outline);
	const { keys } = await outline.changes({ since: 0, limit: 10_000 });
	return {
		nodes: nodes.sort((left, right) => (left.id < right.id ? -1 : 1)),
		keys: keys.flatMap(({ key, nodeId }) => (nodeId === null ? [] : [`${key} ${nodeId}`])).sort(),
		targets: await outline.targets(),
	};
}
