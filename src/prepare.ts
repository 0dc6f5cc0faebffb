import type { Call } from "./call.js";
import type { Changes } from "./change.js";
import { complete, uncomplete } from "./completion.js";
import { changeContent } from "./content.js";
import { fieldsOf } from "./fields.js";
import { layoutModeArgument } from "./layout-mode.js";
import { NotLoaded } from "./lazy-module.js";
import { mirror, removeMirror } from "./mirror.js";
import type { OutlineNode } from "./node.js";
import type { Reading } from "./operation.js";
import { positionArgument } from "./order.js";
import { mirrorParentReference, nodeReference, parentReference, type Reference, shortcutKey } from "./reference.js";
import { mirrorPolicyArgument, remove } from "./removal.js";
import { deleteShortcut, setShortcut } from "./target.js";
import { blocksArgument, contentArgument, formatArgument, noteArgument } from "./text.js";
import { create, move, newView } from "./tree.js";
import { type OutlineTree, treeCopy, treeDraft, treeView } from "./tree-input.js";

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

const none = () => 0;
const one = () => 1;

/*
 * What each operation makes of its arguments. They come from outside: their types are promises of TypeScript alone, so each
 * is checked here, before anything is read. Everything throws what `Outline` says of the method of the same name.
 */

export function prepareCreate(call: Call, input: unknown): Prepared<OutlineNode> {
	const { parent, name, note, layoutMode, position, format } = fieldsOf("create", input);
	const reference = destination(parent, call);
	const mode = layoutModeArgument(layoutMode);
	const nameFormat = formatArgument(format, "markdown");
	const ownNote = note === undefined ? null : noteArgument(note, call.settings);
	const place = positionArgument(position, call);
	return whenLoaded(() => {
		const blocks = blocksArgument(name, mode, call.settings, nameFormat);
		const nodes = blocks.map(({ name, layoutMode, completed, depth }, index) => {
			return { name, layoutMode, completed, depth, note: index === 0 ? ownNote : null };
		});
		const draft = { nodes, position: place };
		return {
			newIds: () => nodes.length,
			run: (changes) => create(call, changes, reference, draft, ([record]) => newView(record!)),
		};
	});
}

export function prepareCreateTree(call: Call, input: unknown): Prepared<OutlineTree> {
	const fields = fieldsOf("createTree", input);
	const reference = destination(fields.parent, call);
	const position = positionArgument(fields.position, call);
	let tree: unknown = fields;
	return whenLoaded(
		() => {
			const draft = { nodes: treeDraft(tree, call.settings), position };
			return {
				newIds: () => draft.nodes.length,
				run: (changes) => create(call, changes, reference, draft, (records) => treeView(records, draft.nodes)),
			};
		},
		() => {
			tree = treeCopy(fields);
		},
	);
}

export function prepareUpdate(call: Call, ref: unknown, input: unknown): Prepared<OutlineNode> {
	const { name, note, layoutMode, format } = fieldsOf("update", input);
	const reference = nodeReference(ref, call);
	const mode = layoutModeArgument(layoutMode);
	const nameFormat = formatArgument(format, "html");
	const newNote = note === undefined ? undefined : noteArgument(note, call.settings);
	return whenLoaded(() => {
		const said = name === undefined ? undefined : contentArgument(name, mode, call.settings, nameFormat);
		const completed = said?.completed;
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
	});
}

export function prepareMove(call: Call, ref: unknown, input: unknown): Prepared<OutlineNode> {
	const { parent, position } = fieldsOf("move", input);
	const reference = nodeReference(ref, call);
	const target = destination(parent, call);
	const place = positionArgument(position, call);
	return { newIds: none, run: (changes) => move(call, changes, reference, target, place) };
}

export function prepareMirror(call: Call, ref: unknown, input: unknown): Prepared<OutlineNode> {
	const { parent, position } = fieldsOf("mirror", input);
	const reference = nodeReference(ref, call);
	const target = mirrorParentReference(parent, call);
	const place = positionArgument(position, call);
	return { newIds: one, run: (changes) => mirror(call, changes, reference, target, place) };
}

export function prepareDelete(call: Call, ref: unknown, input: unknown): Prepared<void> {
	const { mirrors } = fieldsOf("delete", input);
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
 * An operation that may need modules to read its arguments: prepared at once where they are loaded, and else as soon as they
 * are. Its place in the order of operations is that of its call either way.
 *
 * @param prepare - looks at nothing that the caller could change meanwhile
 * @param keep - called first if it has to wait
 */
function whenLoaded<T>(prepare: () => Prepared<T>, keep?: () => void): Prepared<T> {
	let prepared = preparedOrLoading(prepare);
	if (!(prepared instanceof Promise)) return prepared;
	keep?.();
	return {
		newIds: () => (prepared as Prepared<T>).newIds(),
		*finish() {
			while (prepared instanceof Promise) {
				yield prepared;
				prepared = preparedOrLoading(prepare);
			}
		},
		run: (changes) => (prepared as Prepared<T>).run(changes),
	};
}

/** What is prepared, or the loading of a module that this takes. */
function preparedOrLoading<T>(prepare: () => Prepared<T>): Prepared<T> | Promise<unknown> {
	try {
		return prepare();
	} catch (error) {
		if (!(error instanceof NotLoaded)) throw error;
		// From now on, whatever else has to be waited for. Who waits for it hears of what fails.
		const loading = error.module.load();
		loading.catch(() => {});
		return loading;
	}
}

/** Where a node is to go, if that is said. */
function destination(parent: unknown, call: Call): Reference | undefined {
	return parent === undefined ? undefined : parentReference(parent, call);
}
