import type { Call } from "./call.js";
import type { Changes } from "./change.js";
import { OutlineError, quoted } from "./errors.js";
import { shortIdOf } from "./id.js";
import type { LayoutMode } from "./layout-mode.js";
import type { OutlineNode } from "./node.js";
import type { Reading } from "./operation.js";
import { Overlay } from "./overlay.js";
import {
	type Fields,
	fieldsOf,
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
export type BatchReference = string | { readonly as: string };

/** A position in a batch. */
export type BatchPosition = "top" | "bottom" | { readonly before: BatchReference } | { readonly after: BatchReference };

interface Placed {
	readonly parent?: BatchReference | null | undefined;
	readonly position?: BatchPosition | undefined;
}

/** What makes a node may give it a name, by which later operations of the same batch refer to it. */
interface Named {
	/** Any text; each name once in a batch. */
	readonly as?: string | undefined;
}

/** One operation of a batch: the fields of the `Outline` method of the same name, with what it works on as `ref`. */
export type BatchOperation =
	| ({ readonly type: "create" } & Named &
			Placed & {
				readonly name: string;
				readonly note?: string | null | undefined;
				readonly layoutMode?: LayoutMode | undefined;
				readonly format?: TextFormat | undefined;
			})
	| ({ readonly type: "createTree" } & Named & Placed & TreeInput)
	| {
			readonly type: "update";
			readonly ref: BatchReference;
			readonly name?: string | undefined;
			readonly note?: string | null | undefined;
			readonly layoutMode?: LayoutMode | undefined;
			readonly format?: TextFormat | undefined;
	  }
	| ({ readonly type: "move"; readonly ref: BatchReference } & Placed)
	| ({
			readonly type: "mirror";
			readonly ref: BatchReference;
			readonly parent: BatchReference;
			readonly position?: BatchPosition | undefined;
	  } & Named)
	| { readonly type: "delete"; readonly ref: BatchReference; readonly mirrors?: MirrorPolicy | undefined }
	| { readonly type: "removeMirror" | "complete" | "uncomplete"; readonly ref: BatchReference }
	| { readonly type: "setShortcut"; readonly key: string; readonly ref: BatchReference }
	| { readonly type: "deleteShortcut"; readonly key: string };

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
	deleteShortcut: (call, fields) => prepareDeleteShortcut(call, fields.key),
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
	const newIds = steps.reduce((sum, step) => sum + step.newIds, 0);
	return {
		newIds,
		*run(changes: Changes): Reading<BatchResult> {
			ids.clear();
			const results: BatchResult["results"] = [];
			const overlay = new Overlay();
			yield* overlay.learn(call.ids.ahead(newIds).map(shortIdOf));
			for (const [place, step] of steps.entries()) {
				const result = yield* placedReading(place, step.type, overlay.run(step.run(overlay)));
				results.push((result as OutlineNode | undefined) ?? null);
				if (step.as !== undefined) ids.set(step.as, (result as OutlineNode).id);
			}
			changes.adopt(overlay);
			return { results, ids: Object.fromEntries(ids) };
		},
	};
}

function typeOf(operation: unknown): string {
	const { type } = (operation ?? {}) as { type?: unknown };
	return typeof type === "string" ? type : "";
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
