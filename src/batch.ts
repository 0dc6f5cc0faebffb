import type { Call } from "./call.js";
import type { Changes } from "./change.js";
import { OutlineError, quoted } from "./errors.js";
import { type Fields, fieldsOf, typeOf } from "./fields.js";
import type { LayoutMode } from "./layout-mode.js";
import type { OutlineNode } from "./node.js";
import type { Reading } from "./operation.js";
import { Overlay } from "./overlay.js";
import {
	type Prepared,
	prepareComplete,
	prepareCreate,
	prepareCreateTree,
	prepareDelete,
	prepareDeleteShortcut,
	prepareMirror,
	prepareMove,
	prepareRemoveMirror,
	prepareSetShortcut,
	prepareUncomplete,
	prepareUpdate,
} from "./prepare.js";
import type { MirrorPolicy } from "./removal.js";
import type { TextFormat } from "./text.js";
import type { OutlineTree, TreeInput } from "./tree-input.js";

/** A reference in a batch: one as everywhere else, or the name that an earlier operation of the batch gave to its node. */
export type BatchReference =
	| string
	| {
			/** The name that was given as `as`. */
			readonly as: string;
	  };

/** A position in a batch, as {@link Position}. */
export type BatchPosition =
	| "top"
	| "bottom"
	| {
			/** The sibling that is to follow. */
			readonly before: BatchReference;
	  }
	| {
			/** The sibling that is to stand above. */
			readonly after: BatchReference;
	  };

/**
 * Where a node goes.
 *
 * @inline
 */
interface Placed {
	/** As in the method of the same name. */
	readonly parent?: BatchReference | null | undefined;
	/** Default `top`. */
	readonly position?: BatchPosition | undefined;
}

/**
 * What makes a node may give it a name, by which later operations of the same batch refer to it.
 *
 * @inline
 */
interface Named {
	/** Any text; each name once in a batch. */
	readonly as?: string | undefined;
}

/** One operation of a batch: the fields of the `Outline` method of the same name, with what it works on as `ref`. */
export type BatchOperation =
	| ({
			/** As {@link Outline.create}; its result is the node. */
			readonly type: "create";
	  } & Named &
			Placed & {
				/** As in {@link CreateInput.name}. */
				readonly name: string;
				/** Plain text, kept to the letter. */
				readonly note?: string | null | undefined;
				/** Wins over a layout prefix in the name. */
				readonly layoutMode?: LayoutMode | undefined;
				/** What the name is written in. Default `markdown`. */
				readonly format?: TextFormat | undefined;
			})
	| ({
			/** As {@link Outline.createTree}; its result is the tree. A name that is given stands for its first node. */
			readonly type: "createTree";
	  } & Named &
			Placed &
			TreeInput)
	| {
			/** As {@link Outline.update}; its result is the node. */
			readonly type: "update";
			/** The node. */
			readonly ref: BatchReference;
			/** As in {@link UpdateInput.name}; left out, it stays. */
			readonly name?: string | undefined;
			/** Plain text; `null` clears it; left out, it stays. */
			readonly note?: string | null | undefined;
			/** Left out, it stays. */
			readonly layoutMode?: LayoutMode | undefined;
			/** What the name is written in. Default `html`. */
			readonly format?: TextFormat | undefined;
	  }
	| ({
			/** As {@link Outline.move}; its result is the node. */
			readonly type: "move";
			/** The node. */
			readonly ref: BatchReference;
	  } & Placed)
	| ({
			/** As {@link Outline.mirror}; its result is the new mirror. */
			readonly type: "mirror";
			/** The node that is mirrored. */
			readonly ref: BatchReference;
			/** The full id of an existing node, or a name given in the batch. */
			readonly parent: BatchReference;
			/** Default `top`. */
			readonly position?: BatchPosition | undefined;
	  } & Named)
	| {
			/** As {@link Outline.delete}; its result is `null`. */
			readonly type: "delete";
			/** The node. */
			readonly ref: BatchReference;
			/** Default `reject`. */
			readonly mirrors?: MirrorPolicy | undefined;
	  }
	| {
			/**
			 * As {@link Outline.removeMirror}, whose result is `null`, {@link Outline.complete} and {@link Outline.uncomplete}, whose
			 * result is the node.
			 */
			readonly type: "removeMirror" | "complete" | "uncomplete";
			/** The node. */
			readonly ref: BatchReference;
	  }
	| {
			/** As {@link Outline.setShortcut}; its result is `null`. */
			readonly type: "setShortcut";
			/** The shortcut. */
			readonly key: string;
			/** The node that it is to point at. */
			readonly ref: BatchReference;
	  }
	| {
			/** As {@link Outline.deleteShortcut}; its result is `null`. */
			readonly type: "deleteShortcut";
			/** The shortcut. */
			readonly key: string;
	  };

/** What a batch came to. */
export interface BatchResult {
	/**
	 * What each operation gave, in their order, as it was at its turn: the node of a create, update, move, mirror, complete or
	 * uncomplete, the tree of a createTree, `null` for the others.
	 */
	results: (OutlineNode | OutlineTree | null)[];
	/** The ids of the nodes that were given names. */
	ids: { [name: string]: string };
}

const preparations: {
	readonly [type: string]: (call: Call, fields: Fields) => Prepared<unknown>;
} = {
	create: prepareCreate,
	createTree: prepareCreateTree,
	update: (call, fields) => prepareUpdate(call, fields.ref, fields),
	move: (call, fields) => prepareMove(call, fields.ref, fields),
	mirror: (call, fields) => prepareMirror(call, fields.ref, fields),
	delete: (call, fields) => prepareDelete(call, fields.ref, fields),
	removeMirror: (call, fields) => prepareRemoveMirror(call, fields.ref),
	complete: (call, fields) => prepareComplete(call, fields.ref),
	uncomplete: (call, fields) => prepareUncomplete(call, fields.ref),
	setShortcut: (call, fields) => prepareSetShortcut(call, fields.key, fields.ref),
	deleteShortcut: (_, fields) => prepareDeleteShortcut(fields.key),
};

/** The operations that may give their node a name. */
const naming = new Set(["create", "createTree", "mirror"]);

/** An operation of a batch that is ready to be run. */
interface Step extends Prepared<unknown> {
	readonly type: string;
	readonly as: string | undefined;
}

/** Reads the operations of a batch. @throws what one of them throws, with its place in the batch */
export function prepareBatch(call: Call, operations: unknown): Prepared<BatchResult> {
	if (!Array.isArray(operations)) {
		throw new OutlineError(
			"invalid_argument",
			`batch was given ${quoted(operations)}. It takes an array of operations.`,
		);
	}
	const ids = new Map<string, string>();
	const names = new Set<string>();
	const named: Call = { ...call, named: { known: (name) => names.has(name), idOf: (name) => ids.get(name)! } };
	// Not by `map`, which passes over what an array leaves out.
	const steps = Array.from(operations, (operation: unknown, place): Step => {
		const type = typeOf(operation);
		return placed(place, type, () => {
			const fields = fieldsOf("batch", operation);
			const prepare = Object.hasOwn(preparations, type) ? preparations[type] : undefined;
			if (prepare === undefined) {
				const known = Object.keys(preparations).join(", ");
				throw new OutlineError("invalid_argument", `The type is ${quoted(fields.type)}. It must be one of ${known}.`);
			}
			const prepared = prepare(named, fields);
			const as = nameArgument(type, fields.as, names);
			return { ...prepared, type, as };
		});
	});
	const newIds = () => steps.reduce((sum, step) => sum + step.newIds(), 0);
	return {
		newIds,
		...(steps.some(({ finish }) => finish !== undefined) && { finish }),
		*run(changes: Changes): Reading<BatchResult> {
			ids.clear();
			const results: BatchResult["results"] = [];
			const overlay = new Overlay();
			yield* call.ids.reserve(newIds());
			for (const [place, step] of steps.entries()) {
				const result = yield* placedReading(place, step.type, overlay.run(step.run(overlay)));
				results.push((result as OutlineNode | undefined) ?? null);
				if (step.as !== undefined) ids.set(step.as, (result as OutlineNode).id);
			}
			changes.adopt(overlay);
			return { results, ids: Object.fromEntries(ids) };
		},
	};

	function* finish(): Reading<void> {
		for (const [place, step] of steps.entries()) {
			if (step.finish !== undefined) yield* placedReading(place, step.type, step.finish());
		}
	}
}

function nameArgument(type: string, as: unknown, names: Set<string>): string | undefined {
	if (as === undefined) return undefined;
	if (!naming.has(type)) {
		throw new OutlineError(
			"invalid_argument",
			`It makes no node, so it can't name one (${quoted(as)}). Leave out \`as\`.`,
		);
	}
	if (typeof as !== "string" || as === "") {
		throw new OutlineError("invalid_argument", `as is ${quoted(as)}. It must be a text that names the new node.`);
	}
	if (names.has(as)) {
		throw new OutlineError(
			"invalid_argument",
			`as is ${quoted(as)}, which an earlier operation has used. Take another.`,
		);
	}
	names.add(as);
	return as;
}

function placed<T>(place: number, type: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw withPlace(place, type, error);
	}
}

function* placedReading<T>(place: number, type: string, reading: Reading<T>): Reading<T> {
	try {
		return yield* reading;
	} catch (error) {
		throw withPlace(place, type, error);
	}
}

/** An error of an operation, which says which one it was. */
function withPlace(place: number, type: string, error: unknown): unknown {
	if (!(error instanceof OutlineError)) return error;
	const { code, mirrorIds } = error;
	const message = `operations[${place}]${type === "" ? "" : ` (${type})`}: ${error.message} Nothing of the batch was done.`;
	return new OutlineError(code, message, { cause: error, operation: place, ...(mirrorIds && { mirrorIds }) });
}
