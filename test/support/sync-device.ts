import { randomId } from "../../src/id.js";
import type { Outline } from "../../src/outline.js";
import type { Delta, DeltaFields, NodeDelta } from "../../src/sync/delta.js";
import { Digest } from "../../src/sync/digest.js";
import type { PushHeader, SyncAnswer, SyncNode } from "../../src/sync/protocol.js";
import { parentConflicts } from "../../src/sync/server/feed.js";
import { GivenParents } from "../../src/sync/settle/given-parents.js";
import type { SettleOptions } from "../../src/sync/settle/settlement.js";
import { newOutline, noon } from "./outline.js";

/** The time of the entries, in Unix seconds. */
export const entryTime = noon / 1000 - 60;

/** An entry of the journal, as its lines. */
export interface JournalEntry {
	readonly seq: number;
	readonly digest: string;
	readonly lines: readonly string[];
}

/** Returns the digest of an entry. @param before - the digest of the entry before */
export function digestOf(before: string, lines: readonly string[]): string {
	const digest = new Digest(before);
	for (const line of lines) digest.addLine(line);
	return String(digest);
}

/**
 * A device as simple as possible: it collects entries, sends them, and keeps what the server answers. Its copy of
 * the outline is that of the server, without what is pending.
 */
export class SyncDevice {
	id = randomId();
	outline: string | null = null;
	since = 0;
	mark: string | undefined;
	/** The last acknowledged entry. */
	last = 0;
	digest = "";
	limit = 1000;
	entries: JournalEntry[] = [];
	readonly nodes = new Map<string, SyncNode>();
	readonly keys = new Map<string, string>();
	readonly conflicts = new Map<string, SyncAnswer["conflicts"][number]>();
	readonly refused: SyncAnswer["refused"][number][] = [];
	#seq = 0;

	/** Adds an entry, in one line or in several. Returns its number. */
	add(delta: Partial<Delta>, ...further: object[]): number {
		this.#seq += 1;
		const parts = [{ at: entryTime, nodes: [], ...delta }, ...further];
		const lines = parts.map((part, index) =>
			JSON.stringify({ seq: this.#seq, ...part, ...(index < parts.length - 1 && { more: true }) }),
		);
		const digest = digestOf(this.entries.at(-1)?.digest ?? this.digest, lines);
		this.entries.push({ seq: this.#seq, digest, lines });
		return this.#seq;
	}

	/** Adds an entry with a new node. Returns its id. */
	create(fields: Partial<DeltaFields> = {}, id = randomId()): string {
		this.add({ nodes: [creation(fields, id)] });
		return id;
	}

	/** Adds an entry that renames a node. */
	rename(id: string, before: string, after: string): number {
		return this.add({ nodes: [{ id, before: { name: before }, after: { name: after } }] });
	}

	/** The lines of a push with entries. Default: all pending ones. */
	push(entries = this.pending, header: Partial<PushHeader> = {}): string[] {
		const { id: device, outline, since, mark, last, digest, limit } = this;
		const first = { protocol: 1, outline, device, since, mark, last, digest, limit, ...header };
		return [JSON.stringify(first), ...entries.flatMap(({ lines }) => lines)];
	}

	/** The entries that the server hasn't acknowledged. */
	get pending(): JournalEntry[] {
		return this.entries.filter(({ seq }) => seq > this.last);
	}

	/** Takes an answer over. */
	take(answer: SyncAnswer): void {
		this.outline = answer.outline;
		for (const node of answer.nodes) this.nodes.set(node.id, node);
		for (const id of answer.deleted) this.nodes.delete(id);
		for (const { key, nodeId } of answer.keys) this.keys.set(key, nodeId);
		for (const key of answer.droppedKeys) this.keys.delete(key);
		for (const conflict of answer.conflicts) this.conflicts.set(conflict.id, conflict);
		for (const id of answer.closed) this.conflicts.delete(id);
		for (const refused of answer.refused) {
			if (!this.refused.some(({ seq }) => seq === refused.seq)) this.refused.push(refused);
		}
		this.since = answer.revision;
		this.mark = answer.mark;
		this.last = answer.last;
		this.digest = answer.digest;
	}

	/** Pushes and pulls until nothing is pending or new. */
	async sync(outline: Outline): Promise<void> {
		for (;;) {
			const answer = await outline.sync(this.push());
			this.take(answer);
			if (!answer.more && this.pending.length === 0) return;
		}
	}
}

/** An empty outline of a server, and a device that has never met it. */
export function serverAndDevice() {
	return { server: newOutline(), device: new SyncDevice() };
}

/** A device that has read all changes of a server. */
export async function pulled(server: Outline): Promise<SyncDevice> {
	const device = new SyncDevice();
	await device.sync(server);
	return device;
}

/** A server with a node that two devices have renamed. The second one was later, and knows their conflict. */
export async function disputed() {
	const server = newOutline();
	const [one, two] = [new SyncDevice(), new SyncDevice()];
	const id = one.create({ name: "a" });
	await one.sync(server);
	await two.sync(server);
	one.rename(id, "a", "one");
	two.rename(id, "a", "two");
	await one.sync(server);
	await two.sync(server);
	return { server, one, two, id };
}

/** The delta of a new node. */
export function creation(fields: Partial<DeltaFields> = {}, id = randomId()): NodeDelta {
	return { id, before: null, after: { parentId: null, priority: 0, name: "new", createdAt: entryTime, ...fields } };
}

/** Returns options to settle deltas without a server: names without text. */
export function settleOptions(): SettleOptions {
	return { names: { inbox: "", calendar: "" }, givenParents: new GivenParents(parentConflicts) };
}
