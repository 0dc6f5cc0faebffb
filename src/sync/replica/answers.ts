import { OutlineError } from "../../errors.js";
import { Pace } from "../../pace.js";
import type { Key, NodeRecord } from "../../storage.js";
import type { Conflict, RefusedEntry, SyncAnswer } from "../protocol.js";
import { recordOfFields } from "../record-fields.js";

/**
 * Checks that an answer to a push has the form of one. The page of a portal hasn't.
 *
 * @throws `storage_unavailable`
 */
export function assertAnswer(answer: SyncAnswer): void {
	const { outline, revision, more, last, digest } = answer ?? {};
	const lists = ["refused", "nodes", "deleted", "keys", "droppedKeys", "conflicts", "closed"] as const;
	const types = [outline, revision, more, last, digest].map((value) => typeof value).join();
	if (types === "string,number,boolean,number,string" && lists.every((name) => Array.isArray(answer[name]))) return;
	throw new OutlineError(
		"storage_unavailable",
		"The answer isn't that of a server of outlinekit. Check the network and the address.",
	);
}

/**
 * Checks that an answer continues what the device knows.
 *
 * @throws `wrong_outline` `sync_reset` `sync_forked`
 */
export function assertContinues(
	answer: SyncAnswer,
	known: { readonly outline: string | null; readonly since: number; readonly last: number },
	chain: ReadonlyMap<number, string>,
): void {
	if (known.outline !== null && answer.outline !== known.outline) throw wrongOutline();
	if (answer.revision < known.since || answer.last < known.last) {
		throw new OutlineError("sync_reset", "The server is behind this device: it was restored from a copy.");
	}
	if (chain.get(answer.last) === answer.digest) return;
	const { last, digest } = answer;
	throw new OutlineError("sync_forked", "The server has entries of this device that this device doesn't have.", {
		journal: { last, digests: [[last, digest]] },
	});
}

/** Returns the error of a device that meets another outline than its own. */
export function wrongOutline(): OutlineError {
	return new OutlineError(
		"wrong_outline",
		"The server has another outline than this device. Nothing was changed. Check the address, or use an empty local storage.",
	);
}

/** What the server has changed: the answers of several requests, together. */
export class ServerChanges {
	outline: string | undefined;
	readonly nodes = new Map<string, NodeRecord | null>();
	readonly keys = new Map<string, Key | null>();
	readonly refused: RefusedEntry[] = [];
	conflicts: Conflict[] = [];
	closed: string[] = [];

	/** Adds an answer, in slices of time: a commit, which an answer has whole, may have changed very many nodes. */
	async add(answer: SyncAnswer): Promise<void> {
		this.outline = answer.outline;
		const pace = new Pace();
		for (const { id, ...fields } of answer.nodes) {
			this.nodes.set(id, recordOfFields(id, fields));
			if (pace.isDue) await pace.turn();
		}
		for (const id of answer.deleted) this.nodes.set(id, null);
		for (const key of answer.keys) this.keys.set(key.key, key);
		for (const key of answer.droppedKeys) this.keys.set(key, null);
		for (const refused of answer.refused) {
			if (!this.refused.some(({ seq }) => seq === refused.seq)) this.refused.push(refused);
		}
		const closed = new Set([...this.closed, ...answer.closed]);
		const told = new Set(answer.conflicts.map(({ id }) => id));
		const conflicts = [...this.conflicts.filter(({ id }) => !told.has(id)), ...answer.conflicts];
		this.conflicts = conflicts.filter(({ id }) => !closed.has(id));
		this.closed = [...closed];
	}
}
