import { OutlineError } from "../../errors.js";
import { Pace } from "../../pace.js";
import type { Key, NodeRecord } from "../../storage.js";
import type { Conflict, RefusedEntry, SyncAnswer, SyncNode } from "../protocol.js";
import { hasTypes, isCount, isText, recordOfFields } from "../record-fields.js";

/** The form of each element of a list in an answer. */
const forms = {
	refused: (each: Partial<RefusedEntry> | null) => isCount(each?.seq) && isText(each?.code) && isText(each?.message),
	nodes: (each: Partial<SyncNode> | null) => isText(each?.id),
	deleted: isText,
	keys: isKey,
	droppedKeys: isText,
	conflicts: isConflictNote,
	closed: isText,
} as const;

/**
 * Checks that an answer to a push has the form of one. The page of a portal hasn't.
 *
 * @throws `storage_unavailable`
 */
export function assertAnswer(answer: SyncAnswer): void {
	const { more, last, digest } = answer ?? {};
	const isForm =
		isPlace(answer) &&
		typeof more === "boolean" &&
		isCount(last) &&
		isText(digest) &&
		Object.entries(forms).every(([name, isOne]) => {
			const list: unknown = answer[name as keyof typeof forms];
			return Array.isArray(list) && list.every((each) => isOne(each));
		});
	if (!isForm) throw noAnswer();
}

/** Whether an answer, or the head of an image, names an outline, a revision and a mark, which the device sends back. */
export function isPlace(place: Partial<Pick<SyncAnswer, "outline" | "revision" | "mark">> | null): boolean {
	const { outline, revision, mark = "" } = place ?? {};
	return isText(outline) && isCount(revision) && isText(mark);
}

/** Whether an element of an answer or an image is a key. */
export function isKey(key: Partial<Key> | null): boolean {
	return isText(key?.key) && isText(key.group) && isText(key.nodeId);
}

/** Whether an element of an answer or an image is a conflict. */
export function isConflictNote(conflict: Partial<Conflict> | null): boolean {
	return isText(conflict?.id) && isText(conflict.kind) && isText(conflict.nodeId);
}

function noAnswer(): OutlineError {
	return new OutlineError(
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

/** The server's changes: the answers of several requests, together. */
export class ServerChanges {
	outline: string | undefined;
	readonly nodes = new Map<string, NodeRecord | null>();
	readonly keys = new Map<string, Key | null>();
	readonly refused: RefusedEntry[] = [];
	conflicts: Conflict[] = [];
	closed: string[] = [];

	/**
	 * Adds an answer, in slices of time: a commit, which an answer has whole, may have changed very many nodes.
	 *
	 * @throws `storage_unavailable` if a field has another type than it must have
	 */
	async add(answer: SyncAnswer): Promise<void> {
		this.outline = answer.outline;
		const pace = new Pace();
		for (const { id, ...fields } of answer.nodes) {
			const record = recordOfFields(id, fields);
			if (!hasTypes(record)) throw noAnswer();
			this.nodes.set(id, record);
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
