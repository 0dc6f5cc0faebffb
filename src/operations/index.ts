import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { NotLoaded } from "../engine/lazy-module.js";
import { type Reading, stepwise } from "../engine/protocol.js";
import { OutlineError, quoted } from "../errors.js";
import { fieldsOf } from "../fields.js";
import { layoutModeArgument } from "../layout-mode.js";
import type { Block } from "../markup/markdown.js";
import type { OutlineNode } from "../node.js";
import type { Steps } from "../pace.js";
import { positionArgument } from "../place/priority.js";
import {
	mirrorParentReference,
	nodeReference,
	parentReference,
	type Reference,
	shortcutKey,
} from "../reference/reference.js";
import { complete, uncomplete } from "./complete.js";
import { create, type Draft, move, newView } from "./create.js";
import { type OutlineTree, treeCopy, treeDraft, treeView } from "./create-tree.js";
import { deleteFields, mirrorPolicyArgument, remove } from "./delete/delete.js";
import { ensure } from "./ensure.js";
import { createFields, createTreeFields, idempotencyFields, mirrorFields, moveFields, updateFields } from "./inputs.js";
import { mirror, removeMirror } from "./mirror.js";
import {
	blockOfName,
	formatArgument,
	type NameContent,
	plainName,
	readBlocks,
	readContent,
	readNote,
	shortNote,
} from "./name.js";
import { deleteShortcut, setShortcut } from "./shortcut.js";
import { changeContent } from "./update.js";

/** An operation whose arguments have been read, ready to be run: again for each attempt. */
export interface Prepared<T> {
	run(changes: Changes): Reading<T>;
	/** How many new ids it needs, beside those of calendar nodes. */
	newIds(): number;
	/**
	 * Reads what is left of the arguments, as soon as the modules are loaded that this takes. Where it is there, it has to be run
	 * to its end before anything else is asked.
	 *
	 * @throws `load_failed`, and what is wrong with the arguments
	 */
	finish?(): Reading<void>;
}

const noFields: readonly string[] = [];
const none = () => 0;
const one = () => 1;

/*
 * What each operation makes of its arguments. They come from outside: their types are promises of TypeScript alone, so each
 * is checked here, before anything is read. Everything throws what `Outline` says of the method of the same name.
 *
 * `also` names the fields that the operation has besides where it comes as one object, in a batch.
 */

export function prepareCreate(call: Call, input: unknown, also = idempotencyFields): Prepared<OutlineNode> {
	const fields = fieldsOf("create", input, createFields, also);
	const { parent, name, note, layoutMode, completed, position, format } = fields;
	const reference = destination(parent, call);
	const mode = layoutModeArgument(layoutMode);
	const nameFormat = formatArgument(format, "markdown");
	const ownCompleted = completedArgument(completed);
	const place = positionArgument(position, call);
	const prepared = (blocks: readonly Block[], ownNote: string | null): Prepared<OutlineNode> => {
		const nodes = blocks.map(({ name, layoutMode, completed, depth }, index) => {
			const isOwn = index === 0;
			return {
				name,
				layoutMode,
				completed: isOwn ? (ownCompleted ?? completed) : completed,
				depth,
				note: isOwn ? ownNote : null,
			};
		});
		const draft = { nodes, position: place };
		return {
			newIds: () => nodes.length,
			run: (changes) => create(call, changes, reference, draft, ([record]) => newView(record!)),
		};
	};
	const plain = plainName(name, call.settings, nameFormat);
	const short = note === undefined ? null : shortNote(note, call.settings);
	if (plain !== undefined && short !== undefined) return prepared([blockOfName(plain, mode)], short);
	return whenRead(call, function* () {
		const ownNote = note === undefined ? null : yield* readNote(note, call.settings);
		return prepared(yield* readBlocks(name, mode, call.settings, nameFormat), ownNote);
	});
}

export function prepareCreateTree(call: Call, input: unknown, also = idempotencyFields): Prepared<OutlineTree> {
	const fields = fieldsOf("createTree", input, createTreeFields, also);
	const reference = destination(fields.parent, call);
	const position = positionArgument(fields.position, call);
	let tree: unknown = fields;
	return whenRead(
		call,
		function* () {
			const draft = { nodes: yield* treeDraft(tree, call.settings), position };
			return {
				newIds: () => draft.nodes.length,
				run: (changes) => createTree(call, changes, reference, draft),
			};
		},
		() => {
			tree = treeCopy(fields, call.settings);
		},
	);
}

function* createTree(call: Call, changes: Changes, parent: Reference | undefined, draft: Draft): Reading<OutlineTree> {
	const records = yield* create(call, changes, parent, draft, (records) => records);
	return yield* stepwise(treeView(records, draft.nodes));
}

export function prepareUpdate(call: Call, ref: unknown, input: unknown, also = noFields): Prepared<OutlineNode> {
	const { name, note, layoutMode, completed, format } = fieldsOf("update", input, updateFields, also);
	const reference = nodeReference(ref, call);
	const mode = layoutModeArgument(layoutMode);
	const nameFormat = formatArgument(format, "html");
	const given = completedArgument(completed);
	const prepared = (said: NameContent | undefined, newNote: string | null | undefined): Prepared<OutlineNode> => {
		const completed = given ?? said?.completed;
		return {
			newIds: none,
			run: (changes) =>
				changeContent(changes, reference, call.seconds, ({ completedAt }) => ({
					name: said?.name,
					note: newNote,
					layoutMode: said === undefined ? mode : said.layoutMode,
					completedAt: completed === undefined ? undefined : completed ? (completedAt ?? call.seconds) : null,
				})),
		};
	};
	const plain = name === undefined ? undefined : plainName(name, call.settings, nameFormat);
	const short = note === undefined ? undefined : shortNote(note, call.settings);
	if ((name === undefined || plain !== undefined) && (note === undefined || short !== undefined)) {
		return prepared(plain === undefined ? undefined : { name: plain, layoutMode: mode, completed: undefined }, short);
	}
	return whenRead(call, function* () {
		const newNote = note === undefined ? undefined : yield* readNote(note, call.settings);
		return prepared(
			name === undefined ? undefined : yield* readContent(name, mode, call.settings, nameFormat),
			newNote,
		);
	});
}

export function prepareEnsure(call: Call, ref: unknown): Prepared<OutlineNode> {
	const reference = nodeReference(ref, call);
	return { newIds: none, run: (changes) => ensure(call, changes, reference) };
}

export function prepareMove(call: Call, ref: unknown, input: unknown, also = noFields): Prepared<OutlineNode> {
	const { parent, position } = fieldsOf("move", input, moveFields, also);
	const reference = nodeReference(ref, call);
	const target = destination(parent, call);
	const place = positionArgument(position, call);
	return { newIds: none, run: (changes) => move(call, changes, reference, target, place) };
}

export function prepareMirror(
	call: Call,
	ref: unknown,
	input: unknown,
	also = idempotencyFields,
): Prepared<OutlineNode> {
	const { parent, position } = fieldsOf("mirror", input, mirrorFields, also);
	const reference = nodeReference(ref, call);
	const target = mirrorParentReference(parent, call);
	const place = positionArgument(position, call);
	return { newIds: one, run: (changes) => mirror(call, changes, reference, target, place) };
}

export function prepareDelete(call: Call, ref: unknown, input: unknown, also = noFields): Prepared<void> {
	const { mirrors } = fieldsOf("delete", input, deleteFields, also);
	const reference = nodeReference(ref, call);
	const policy = mirrorPolicyArgument(mirrors);
	return { newIds: none, run: (changes) => remove(call, changes, reference, policy) };
}

export function prepareRemoveMirror(call: Call, ref: unknown): Prepared<void> {
	const reference = nodeReference(ref, call);
	return { newIds: none, run: (changes) => removeMirror(call, changes, reference) };
}

export function prepareComplete(call: Call, ref: unknown): Prepared<OutlineNode> {
	const reference = nodeReference(ref, call);
	return { newIds: none, run: (changes) => complete(call, changes, reference) };
}

export function prepareUncomplete(call: Call, ref: unknown): Prepared<OutlineNode> {
	const reference = nodeReference(ref, call);
	return { newIds: none, run: (changes) => uncomplete(call, changes, reference) };
}

export function prepareSetShortcut(call: Call, key: unknown, ref: unknown): Prepared<void> {
	const shortcut = shortcutKey(key);
	const reference = nodeReference(ref, call);
	return { newIds: none, run: (changes) => setShortcut(changes, shortcut, reference) };
}

export function prepareDeleteShortcut(key: unknown): Prepared<void> {
	const shortcut = shortcutKey(key);
	return { newIds: none, run: (changes) => deleteShortcut(changes, shortcut) };
}

/**
 * What takes long to read, or needs modules for it: prepared at once if it is short and the modules loaded, and else as soon as
 * it is its turn. Its place in the order of operations is that of its call either way.
 *
 * @param read - looks at nothing that the caller could change meanwhile, once `keep` has been called
 * @param keep - called before it is left for later
 */
export function whenRead<T>(call: Call, read: () => Steps<Prepared<T>>, keep?: () => void): Prepared<T> {
	let reading: Steps<Prepared<T>> | undefined = read();
	let prepared: Prepared<T> | undefined;
	let loading: Promise<unknown> | undefined;
	try {
		while (call.atOnce.steps > 0) {
			const step = reading.next();
			if (step.done) return step.value;
			call.atOnce.steps -= 1;
		}
	} catch (error) {
		loading = loadingFor(error);
		reading = undefined;
	}
	if (keep !== undefined) {
		keep();
		reading = undefined;
	}
	return {
		newIds: () => prepared!.newIds(),
		*finish() {
			while (prepared === undefined) {
				if (loading !== undefined) {
					try {
						yield loading;
					} finally {
						loading = undefined;
					}
				}
				// The arguments stay as they were read when the operation is tried again.
				reading ??= read();
				try {
					prepared = yield* stepwise(reading);
				} catch (error) {
					reading = undefined;
					loading = loadingFor(error);
				}
			}
			if (prepared.finish !== undefined) yield* prepared.finish();
		},
		run: (changes) => prepared!.run(changes),
	};
}

/** The loading of the module that was missing. @throws what went wrong, if that is something else */
function loadingFor(error: unknown): Promise<unknown> {
	if (!(error instanceof NotLoaded)) throw error;
	// Begin to load now, even if the operation has to wait for others. The waiting operation reports a failure.
	const loading = error.module.load();
	loading.catch(() => {});
	return loading;
}

/** Whether a node is to be completed, if that is said. @throws `invalid_argument` */
export function completedArgument(completed: unknown): boolean | undefined {
	if (completed === undefined || typeof completed === "boolean") return completed;
	throw new OutlineError("invalid_argument", `completed is ${quoted(completed)}. It must be true or false.`);
}

/** Where a node is to go, if that is said. */
function destination(parent: unknown, call: Call): Reference | undefined {
	return parent === undefined ? undefined : parentReference(parent, call);
}
