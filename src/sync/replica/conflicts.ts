import { addTo } from "../../engine/lists.js";
import { ask, type Operation, pause, revisionOfAnswers } from "../../engine/protocol.js";
import { Uncommitted } from "../../engine/uncommitted.js";
import { invalidArgument, OutlineError, type OutlineErrorCode, quoted } from "../../errors.js";
import type { Outline } from "../../outline.js";
import { type JsonValue, propertiesIn } from "../../properties.js";
import type { Batch, StorageAdapter } from "../../storage.js";
import type { Delta, DeltaFields } from "../delta.js";
import { otherContentOf, propertyPrefix } from "../settle/content.js";
import { GivenParents } from "../settle/given-parents.js";
import { settle } from "../settle/settle.js";
import { commitComputed } from "./commit-computed.js";
import { deltaDocuments, readConflicts, refusedKeyOf } from "./exchange-documents.js";
import {
	conflictPrefix,
	documentsWith,
	isPartOfRefused,
	type ReplicaConflict,
	refusedPrefix,
	replicaPrefix,
} from "./journal.js";
import type { ReplicaStorage } from "./replica-storage.js";
import { names } from "./states.js";

/** Lists the open conflicts, the oldest first, with the values that the outline has now. */
export function* conflictsOf(): Operation<ReplicaConflict[]> {
	const stored = [...(yield* storedConflicts(conflictPrefix)), ...(yield* storedConflicts(refusedPrefix))];
	const conflicts: ReplicaConflict[] = [];
	for (const conflict of stored) {
		conflicts.push({ ...conflict, shown: yield* shownNow(conflict) });
		yield* pause();
	}
	return conflicts;
}

/**
 * Finds an open conflict by its id. Its `shown` may be older than the outline.
 *
 * @throws `not_found`; `invalid_argument` if the id isn't a text
 */
export function* openConflict(id: string): Operation<ReplicaConflict> {
	if (typeof id !== "string") {
		throw invalidArgument("The id of the conflict", id, "a text");
	}
	const prefix = isRefusedId(id) ? refusedKeyOf(id) : conflictPrefix + id;
	const found = (yield* storedConflicts(prefix)).find((each) => each.id === id);
	if (found === undefined) throw new OutlineError("not_found", `There is no open conflict ${quoted(id)}.`);
	return found;
}

function* storedConflicts(prefix: string): Operation<ReplicaConflict[]> {
	const texts: string[] = [];
	for (const document of yield* documentsWith(prefix)) {
		if (isPartOfRefused(document)) texts.push(texts.pop()! + document.value);
		else texts.push(document.value);
	}
	return texts.map((text) => JSON.parse(text));
}

function isRefusedId(id: string): boolean {
	return String(id).startsWith("refused-");
}

/** Returns the keys of the documents of a conflict. */
function* keysOf(id: string): Operation<string[]> {
	if (!isRefusedId(id)) return [conflictPrefix + id];
	return (yield* documentsWith(refusedKeyOf(id))).map(({ key }) => key);
}

/** Returns the value that the outline has in the place of a conflict; of a node that is gone, the last known one. */
function* shownNow({ kind, nodeId, field = "", shown }: ReplicaConflict): Operation<unknown> {
	if (kind === "shortcut") {
		const [target] = yield* ask({ type: "node", at: { key: field } });
		return target?.record.id ?? null;
	}
	const [node] = yield* ask({ type: "node", at: { id: nodeId } });
	if (node === null) return shown;
	if (kind === "move" || kind === "parent") return node.record.parentId;
	if (kind !== "text") return shown;
	const { name, note, properties } = node.origin ?? node.record;
	if (field === "name") return name;
	if (field === "note") return note;
	return properties === null ? null : (propertiesIn(properties)[field.slice(propertyPrefix.length)] ?? null);
}

/**
 * Puts the value that gave way in place of the present one. Tries a refused entry again.
 *
 * @param storage - the storage of the replica
 * @throws the errors of the method that does so, such as `not_found`
 */
export async function putOther(outline: Outline, storage: StorageAdapter, conflict: ReplicaConflict): Promise<void> {
	try {
		await put(outline, storage, conflict);
	} catch (error) {
		if (!(error instanceof OutlineError) || !hindrances.has(error.code)) throw error;
		const advice = 'Choose "shown" to close the conflict as the outline is, or change the outline and try again.';
		const message = `The other value can't take its place, because the outline has changed. ${error.message} ${advice}`;
		throw new OutlineError(error.code, message, { cause: error });
	}
}

/** The codes of errors that stay until a user changes the outline. */
const hindrances: ReadonlySet<string> = new Set(["not_found", "would_create_cycle"] satisfies OutlineErrorCode[]);

async function put(
	outline: Outline,
	storage: StorageAdapter,
	{ id, kind, nodeId, field = "", other }: ReplicaConflict,
): Promise<void> {
	switch (kind) {
		case "text":
			if (field === "name" || field === "note") await outline.update(nodeId, { [field]: other as string | null });
			else await outline.update(nodeId, { properties: { [field.slice(propertyPrefix.length)]: other as JsonValue } });
			return;
		case "move":
		case "parent":
			await outline.move(nodeId, { parent: other as string | null });
			return;
		case "deletion":
		case "returned":
			await outline.delete(nodeId, { mirrors: "promote" }).catch((error: unknown) => {
				// Another user has deleted it meanwhile, so nothing is left to do.
				if (!(error instanceof OutlineError) || error.code !== "not_found") throw error;
			});
			return;
		case "shortcut":
			await (other === null ? outline.deleteShortcut(field) : outline.setShortcut(field, other as string));
			return;
		case "refused":
			await retry(storage, id, other as Delta);
	}
}

/**
 * Commits the changes of a refused entry again, on the outline as it is now, and drops the refusal. The commit
 * gets an entry of its own. Its texts may take the place of later ones, of which the server then tells.
 */
function retry(storage: StorageAdapter, id: string, delta: Delta): Promise<void> {
	return commitComputed(storage, function* () {
		const base = yield* revisionOfAnswers();
		const uncommitted = new Uncommitted();
		const { changes } = uncommitted;
		const notes = yield* uncommitted.run(
			settle(changes, delta, { names, givenParents: new GivenParents(readConflicts) }),
		);
		changes.changeDocuments({ put: [], dropped: yield* keysOf(id) });
		const others = new Map<string, DeltaFields[]>();
		for (const note of notes) {
			if (note.kind === "text" && note.other !== null) addTo(others, note.nodeId, otherContentOf(note));
		}
		const batch = changes.batch(base);
		return { ...batch, hints: { ...batch.hints!, others } };
	});
}

/** Drops the documents of a conflict, and adds an entry that closes it for all devices. */
export function closeConflict(storage: ReplicaStorage, { id, kind }: ReplicaConflict, at: number): Promise<void> {
	const isRefused = kind === "refused";
	const begin = function* () {
		const base = yield* revisionOfAnswers();
		const put = isRefused ? [] : yield* deltaDocuments(base + 1, { at, nodes: [], closed: [id] });
		return { base, nodes: [], keys: [], documents: { put, dropped: yield* keysOf(id) } };
	};
	const commit = (batch: Batch) => (isRefused ? storage.commit(batch) : storage.commitWithEntry(batch, at, 1));
	return commitComputed(storage, begin, commit);
}

/** Drops everything that a replica has stored beside the outline. */
export function dropReplica(local: StorageAdapter): Promise<void> {
	return commitComputed(local, function* () {
		const base = yield* revisionOfAnswers();
		const dropped = (yield* documentsWith(replicaPrefix)).map(({ key }) => key);
		return { base, nodes: [], keys: [], documents: { put: [], dropped } };
	});
}
