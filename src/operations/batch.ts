import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { breathe, type Reading } from "../engine/protocol.js";
import { Overlay } from "../engine/uncommitted.js";
import { OutlineError, quoted } from "../errors.js";
import { type Fields, fieldsOf, objectOf, typeOf } from "../fields.js";
import type { LayoutMode } from "../layout-mode.js";
import type { OutlineNode } from "../node.js";
import type { Steps } from "../pace.js";
import { type OutlineTree, type TreeInput, treeCopy } from "./create-tree.js";
import type { MirrorPolicy } from "./delete/delete.js";
import {
	type Prepared,
	prepareComplete,
	prepareCreate,
	prepareCreateTree,
	prepareDelete,
	prepareDeleteShortcut,
	prepareEnsure,
	prepareMirror,
	prepareMove,
	prepareRemoveMirror,
	prepareSetShortcut,
	prepareUncomplete,
	prepareUpdate,
	whenRead,
} from "./index.js";
import type { ReferenceText } from "./inputs.js";
import type { TextFormat } from "./name.js";

/** A reference in a batch: one as everywhere else, or the name that an earlier operation of the batch gave to its node. */
export type BatchReference =
	| ReferenceText
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
				/** Plain text, kept exactly as given. */
				readonly note?: string | null | undefined;
				/** Wins over a layout prefix in the name. */
				readonly layoutMode?: LayoutMode | undefined;
				/** Whether it is completed from the start. */
				readonly completed?: boolean | undefined;
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
			/** Left out, it stays. */
			readonly completed?: boolean | undefined;
			/** What the name is written in. Default `html`. */
			readonly format?: TextFormat | undefined;
	  }
	| ({
			/** As {@link Outline.ensure}; its result is the node. */
			readonly type: "ensure";
			/** The key. */
			readonly ref: BatchReference;
	  } & Named)
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

/**
 * What one operation of a batch gives.
 *
 * @inline
 */
type ResultOf<Operation> = Operation extends { readonly type: "createTree" }
	? OutlineTree
	: Operation extends { readonly type: "delete" | "removeMirror" | "setShortcut" | "deleteShortcut" }
		? null
		: Operation extends { readonly type: "removeMirror" | "complete" | "uncomplete" }
			? Operation extends { readonly type: "complete" | "uncomplete" }
				? OutlineNode
				: OutlineNode | null
			: OutlineNode;

/** The name that an operation gives to its node. */
type NameOf<Operation> = Operation extends { readonly as?: infer Name } ? (Name extends string ? Name : never) : never;

/** What a batch came to: where its operations are written out in the call, each result has the type of its operation. */
export interface BatchResult<Operations extends readonly BatchOperation[] = readonly BatchOperation[]> {
	/**
	 * The result of each operation, in their order, as it was at its turn: the node of a create, ensure, update, move, mirror,
	 * complete or uncomplete, the tree of a createTree, `null` for the others.
	 */
	results: { -readonly [Place in keyof Operations]: ResultOf<Operations[Place]> };
	/** The ids of the nodes that were given names. */
	ids: { [Name in NameOf<Operations[number]>]: string };
}

/** What an operation has besides the fields of its method. */
const also: readonly string[] = ["type", "as", "ref"];

/** The same of one that works on no node. */
const alsoWithoutNode: readonly string[] = ["type", "as"];

const preparations: {
	readonly [type: string]: (call: Call, fields: Fields) => Prepared<unknown>;
} = {
	create: (call, fields) => prepareCreate(call, fields, alsoWithoutNode),
	createTree: (call, fields) => prepareCreateTree(call, fields, alsoWithoutNode),
	update: (call, fields) => prepareUpdate(call, fields.ref, fields, also),
	move: (call, fields) => prepareMove(call, fields.ref, fields, also),
	mirror: (call, fields) => prepareMirror(call, fields.ref, fields, also),
	delete: (call, fields) => prepareDelete(call, fields.ref, fields, also),
	removeMirror: (call, fields) => prepareRemoveMirror(call, fieldsOf("removeMirror", fields, also).ref),
	ensure: (call, fields) => prepareEnsure(call, fieldsOf("ensure", fields, also).ref),
	complete: (call, fields) => prepareComplete(call, fieldsOf("complete", fields, also).ref),
	uncomplete: (call, fields) => prepareUncomplete(call, fieldsOf("uncomplete", fields, also).ref),
	setShortcut: (call, fields) => {
		const { key, ref } = fieldsOf("setShortcut", fields, ["key"], also);
		return prepareSetShortcut(call, key, ref);
	},
	deleteShortcut: (_, fields) =>
		prepareDeleteShortcut(fieldsOf("deleteShortcut", fields, ["key"], alsoWithoutNode).key),
};

/** The operations that may give their node a name. */
const naming = new Set(["create", "createTree", "mirror", "ensure"]);

/** An operation of a batch that is ready to be run. */
interface Step extends Prepared<unknown> {
	readonly type: string;
	readonly as: string | undefined;
}

/** How many operations of a batch are read in a step. */
const operationsAtOnce = 256;

/** Reads the operations of a batch. @throws what one of them throws, with its place in the batch */
export function prepareBatch(call: Call, operations: unknown): Prepared<BatchResult> {
	if (!Array.isArray(operations)) {
		throw new OutlineError(
			"invalid_argument",
			`batch was given ${quoted(operations)}. It takes an array of operations.`,
		);
	}
	let given: readonly unknown[] = operations;
	return whenRead(
		call,
		() => readOperations(call, given),
		() => {
			given = Array.from(operations, (operation) => operationCopy(operation, call));
		},
	);
}

function* readOperations(call: Call, operations: readonly unknown[]): Steps<Prepared<BatchResult>> {
	const ids = new Map<string, string>();
	const names = new Set<string>();
	const named: Call = { ...call, named: { known: (name) => names.has(name), idOf: (name) => ids.get(name)! } };
	const steps: Step[] = [];
	// Not by `map`, which passes over what an array leaves out.
	for (const [place, operation] of operations.entries()) {
		if (place % operationsAtOnce === operationsAtOnce - 1) yield;
		const type = typeOf(operation);
		steps.push(placed(place, type, () => readOperation(named, operation, type, names)));
	}
	return preparedBatch(call, steps, ids);
}

function readOperation(call: Call, operation: unknown, type: string, names: Set<string>): Step {
	const fields = objectOf("batch", operation);
	const prepare = Object.hasOwn(preparations, type) ? preparations[type] : undefined;
	if (prepare === undefined) {
		const known = Object.keys(preparations).join(", ");
		throw new OutlineError("invalid_argument", `The type is ${quoted(fields.type)}. It must be one of ${known}.`);
	}
	const prepared = prepare(call, fields);
	const as = nameArgument(type, fields.as, names);
	return { ...prepared, type, as };
}

/** The fields of an operation that may be objects: a name that the batch gives, or a position beside one. */
const nested = ["ref", "parent", "position"] as const;

/** An operation as it is now, whatever its caller does to it while it waits: right or wrong. */
function operationCopy(operation: unknown, call: Call): unknown {
	if (typeof operation !== "object" || operation === null || Array.isArray(operation)) return operation;
	const copy: { [Field in (typeof nested)[number]]?: unknown } =
		typeOf(operation) === "createTree" ? (treeCopy(operation, call.settings) as object) : { ...operation };
	for (const field of nested) if (typeof copy[field] === "object") copy[field] = copyOf(copy[field], 2);
	return copy;
}

/** A copy of a value, down to so many levels. */
function copyOf(value: unknown, levels: number): unknown {
	if (levels === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, copyOf(each, levels - 1)]));
}

/** What happens to a batch whose operations have been read. */
function preparedBatch(call: Call, steps: readonly Step[], ids: Map<string, string>): Prepared<BatchResult> {
	const newIds = () => steps.reduce((sum, step) => sum + step.newIds(), 0);
	return {
		newIds,
		...(steps.some(({ finish }) => finish !== undefined) && { finish }),
		*run(changes: Changes): Reading<BatchResult> {
			ids.clear();
			const results: (OutlineNode | OutlineTree | null)[] = [];
			const overlay = new Overlay();
			yield* call.ids.reserve(newIds());
			for (const [place, step] of steps.entries()) {
				yield* breathe();
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
