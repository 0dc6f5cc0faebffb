import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { CommitSize } from "../engine/commit-size.js";
import type { LoadingSteps } from "../engine/lazy-module.js";
import { type Operation, pause } from "../engine/protocol.js";
import { Uncommitted } from "../engine/uncommitted.js";
import { invalidArgument, OutlineError, quoted } from "../errors.js";
import { type Fields, objectOf, typeOf } from "../fields.js";
import { isId } from "../id.js";
import type { OutlineNode } from "../node.js";
import type { Pace } from "../pace.js";
import { copyOfProperties } from "../properties.js";
import type { ReferenceText } from "../reference/reference.js";
import { type OutlineTree, treeCopy } from "./create-tree.js";
import {
	descriptionOf,
	type descriptions,
	type OperationDescription,
	type OperationInputs,
	type OperationName,
	operationNames,
	type ResultOf,
	referenceFields,
} from "./description.js";
import { prepare } from "./index.js";
import { type Prepared, preparedFrom } from "./prepared.js";

/** A reference in a batch: as everywhere else, or the name that an earlier operation gave to its node. */
export type BatchReference =
	| ReferenceText
	| {
			/** The name, as `as` gave it. */
			readonly as: string;
	  };

/** A position in a batch, like {@link Position}. */
export type BatchPosition =
	| "top"
	| "bottom"
	| {
			/** The sibling that follows. */
			readonly before: BatchReference;
			/** Absent: the other field names the sibling. */
			readonly after?: undefined;
	  }
	| {
			/** The sibling directly above. */
			readonly after: BatchReference;
			/** Absent: the other field names the sibling. */
			readonly before?: undefined;
	  };

/** The input of an operation in a batch: a parent and a position may name nodes by `as`. */
type InBatch<Input> = {
	readonly [F in keyof Input as Exclude<F, "idempotencyKey">]: F extends (typeof referenceFields)[number]
		? BatchReference | Extract<Input[F], null | undefined>
		: F extends "position"
			? BatchPosition | undefined
			: Input[F];
};

/** The field for the node that an operation works on, if it has one. */
type Subject<T extends OperationName> = (typeof descriptions)[T]["ref"] extends true
	? {
			/** The node. */
			readonly ref: BatchReference;
		}
	: unknown;

/** The field for the name of the node, if the operation may create one. */
type Named<T extends OperationName> = (typeof descriptions)[T]["creates"] extends true
	? {
			/** A name for the node, for later operations of the batch. Any text; each name once in a batch. */
			readonly as?: string | undefined;
		}
	: unknown;

/**
 * An operation of a batch. Its `type` is the name of an `Outline` method that writes, such as `create` or
 * `setShortcut`. Its other fields are the fields of that method's input. Two more are `ref`, if the method
 * works on a node, and `as`, if it may create one: a name for that node. Wherever a field takes a reference,
 * it also takes `{ as: name }`.
 */
export type BatchOperation = {
	[T in OperationName]: {
		/** The method of `Outline`. */
		readonly type: T;
	} & Subject<T> &
		Named<T> &
		InBatch<OperationInputs[T]>;
}[OperationName];

/**
 * The result of an operation of a batch: `null` if its method returns nothing.
 *
 * @inline
 */
type ResultIn<Entry> = Entry extends { readonly type: infer T extends OperationName }
	? { [N in T]: ResultOf<N> extends void ? null : ResultOf<N> }[T]
	: never;

/** The name that an operation gives to its node. */
type NameOf<Entry> = Entry extends { readonly as?: infer Name } ? (Name extends string ? Name : never) : never;

/** The result of a batch. If the call contains the operations as a literal, it has their result types. */
export interface BatchResult<Operations extends readonly BatchOperation[] = readonly BatchOperation[]> {
	/** The result of each operation, in order, as it was at its turn: a node, a tree, or `null` for none. */
	results: { -readonly [Index in keyof Operations]: ResultIn<Operations[Index]> };
	/** The ids of the named nodes, by name. */
	ids: { [Name in NameOf<Operations[number]>]: string };
}

/** The fields of an operation beside its input, without and with a node to work on. */
const withoutNode: readonly string[] = ["type", "as"];
const withNode: readonly string[] = [...withoutNode, "ref"];

/** An operation of a batch, prepared. */
interface BatchItem {
	readonly prepared: Prepared<unknown>;
	readonly type: string;
	readonly as: string | undefined;
	/** The operation as it was given, unless it was copied. */
	readonly fields: Fields;
}

/** The number of operations that are read in a step. */
const operationsAtOnce = 256;

/** The number of operations whose nodes are read together: alone, each operation would take a round trip or two. */
const operationsReadAhead = 256;

/** Reads the operations of a batch. @throws the error of an operation, with its index in the batch */
export function prepareBatch(call: Call, operations: unknown): Prepared<BatchResult> {
	if (!Array.isArray(operations)) {
		throw new OutlineError(
			"invalid_argument",
			`batch was given ${quoted(operations)}. It takes an array of operations.`,
		);
	}
	const ids = new Map<string, string>();
	const names = new Set<string>();
	const items: BatchItem[] = [];
	let given: readonly unknown[] = operations;
	const copies = { size: copiesIn(call) };
	const named: Call = { ...call, copies, named: { known: (name) => names.has(name), idOf: (name) => ids.get(name)! } };
	const reader = (function* (): LoadingSteps<Prepared<BatchResult>> {
		for (let index = 0; index < given.length; index++) {
			if (index % operationsAtOnce === operationsAtOnce - 1) yield;
			const operation = given[index];
			const type = typeOf(operation);
			items.push(readItem(index, type, () => readOperation(named, operation, type, names)));
		}
		return preparedBatch(call, items, ids, copies);
	})();
	return preparedFrom(
		call,
		() => reader,
		() => {
			given = operations.map((operation) => operationCopy(operation, call));
			return reader;
		},
	);
}

function readOperation(call: Call, operation: unknown, type: string, names: Set<string>): BatchItem {
	const fields = objectOf("batch", operation);
	const description = descriptionOf(type);
	if (description === undefined) {
		const known = operationNames.join(", ");
		throw invalidArgument("The type", fields.type, `one of ${known}`);
	}
	const also = description.ref ? withNode : withoutNode;
	const prepared = prepare(type as OperationName, call, fields, fields.ref, also);
	const as = nameArgument(description, fields.as, names);
	return { prepared, type, as, fields };
}

/** The fields of an operation that may be objects. */
const nested = ["ref", "position", ...referenceFields] as const;

/** Copies an operation, valid or not, because the caller may change it while the batch waits. */
function operationCopy(operation: unknown, call: Call): unknown {
	if (typeof operation !== "object" || operation === null || Array.isArray(operation)) return operation;
	const copy: { [Field in (typeof nested)[number] | "properties"]?: unknown } = descriptionOf(
		typeOf(operation),
	)?.fields.includes("children")
		? (treeCopy(operation, call.settings) as object)
		: { ...operation };
	for (const field of nested) if (typeof copy[field] === "object") copy[field] = copyOf(copy[field], 2);
	if (copy.properties !== undefined) copy.properties = copyOfProperties(copy.properties);
	return copy;
}

/** Copies a value, down to so many levels. */
function copyOf(value: unknown, levels: number): unknown {
	if (levels === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, copyOf(each, levels - 1)]));
}

/** The size of the copies of a batch. Each may double the outline, so they are refused before they fill the memory. */
function copiesIn({ settings }: Call): CommitSize {
	return new CommitSize(settings, "Do it in several batches");
}

/** Prepares a batch from its operations. */
function preparedBatch(
	call: Call,
	items: readonly BatchItem[],
	ids: Map<string, string>,
	copies: { size: CommitSize },
): Prepared<BatchResult> {
	const newIds = () => items.reduce((sum, item) => sum + item.prepared.newIds(), 0);
	return {
		newIds,
		...(items.some(({ prepared }) => prepared.finish !== undefined) && { finish }),
		*run(changes: Changes): Operation<BatchResult> {
			ids.clear();
			copies.size = copiesIn(call);
			const results: (OutlineNode | OutlineTree | null)[] = [];
			const uncommitted = new Uncommitted();
			yield* call.ids.reserve(newIds());
			for (const [index, item] of items.entries()) {
				yield* pause();
				// The first operation gets its own answers in one round trip.
				if (index % operationsReadAhead === 1) {
					yield* uncommitted.readAhead(idsIn(items.slice(index, index + operationsReadAhead)));
				}
				const result = yield* runItem(index, item.type, uncommitted.run(item.prepared.run(uncommitted.changes)));
				results.push((result as OutlineNode | undefined) ?? null);
				if (item.as !== undefined) ids.set(item.as, (result as OutlineNode).id);
			}
			changes.adopt(uncommitted.changes);
			return { results, ids: Object.fromEntries(ids) };
		},
	};

	async function finish(pace: Pace): Promise<void> {
		for (const [index, item] of items.entries()) {
			try {
				await item.prepared.finish?.(pace);
			} catch (error) {
				throw withIndex(index, item.type, error);
			}
		}
	}
}

/** Returns the ids that some operations name. */
function idsIn(items: readonly BatchItem[]): string[] {
	const ids = new Set<string>();
	for (const { fields } of items) {
		const { before, after } = (fields.position ?? {}) as Fields;
		for (const text of [before, after, ...nested.map((field) => fields[field])]) {
			if (typeof text === "string" && isId(text)) ids.add(text.toLowerCase());
		}
	}
	return [...ids];
}

function nameArgument({ creates }: OperationDescription, as: unknown, names: Set<string>): string | undefined {
	if (as === undefined) return undefined;
	if (!creates) {
		throw new OutlineError(
			"invalid_argument",
			`It creates no node, so it can't name one (${quoted(as)}). Leave out \`as\`.`,
		);
	}
	if (typeof as !== "string" || as === "") {
		throw invalidArgument("as", as, "a text that names the new node");
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

function readItem<T>(index: number, type: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw withIndex(index, type, error);
	}
}

function* runItem<T>(index: number, type: string, operation: Operation<T>): Operation<T> {
	try {
		return yield* operation;
	} catch (error) {
		throw withIndex(index, type, error);
	}
}

/** Adds the index and the type of an operation to its error. */
function withIndex(index: number, type: string, error: unknown): unknown {
	if (!(error instanceof OutlineError)) return error;
	const { code, mirrorIds, stored } = error;
	const kind = descriptionOf(type) === undefined ? "" : ` (${type})`;
	const message = `operations[${index}]${kind}: ${error.message} The batch changed nothing.`;
	return new OutlineError(code, message, {
		cause: error,
		operation: index,
		...(mirrorIds && { mirrorIds }),
		...(stored && { stored }),
	});
}
