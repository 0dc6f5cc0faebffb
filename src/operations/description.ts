import { fieldNames } from "../fields.js";
import type { OutlineNode } from "../node.js";
import type { CreateInput } from "./create.js";
import type { CreateTreeInput, OutlineTree } from "./create-tree.js";
import type { DeleteInput } from "./delete/delete.js";
import type { DuplicateInput } from "./duplicate.js";
import type { MirrorInput } from "./mirror.js";
import type { MoveInput } from "./move.js";
import type { ShortcutInput } from "./shortcut.js";
import type { UpdateInput } from "./update.js";

/** The input of each operation that writes, without its `ref`. A method of `Outline` has the same name. */
export interface OperationInputs {
	create: CreateInput;
	createTree: CreateTreeInput;
	update: UpdateInput;
	ensure: object;
	move: MoveInput;
	duplicate: DuplicateInput;
	mirror: MirrorInput;
	delete: DeleteInput;
	removeMirror: object;
	complete: object;
	uncomplete: object;
	setShortcut: ShortcutInput;
	deleteShortcut: ShortcutInput;
}

/** The name of an operation that writes. */
export type OperationName = keyof OperationInputs;

/**
 * The part of a node that an operation writes:
 *
 * - `content`: the content that the node shows (of a mirror, its origin's);
 * - `record`: its own record, also of a mirror;
 * - `place`: its position among its siblings;
 * - `beside`: the position beside it, if the input names no other;
 * - `shortcut`: the shortcut that points at it.
 */
export type Need = "content" | "record" | "place" | "beside" | "shortcut";

/** Describes an operation: everything that batches, scopes and the HTTP handler have to know of it. */
export interface OperationDescription {
	/** Whether it works on a node, which its `ref` names. */
	readonly ref: boolean;
	/** The names of its fields. */
	readonly fields: readonly string[];
	/** The required fields. */
	readonly required?: readonly string[];
	readonly result: "node" | "tree" | "nothing";
	/** Whether the result may be a new node: then a batch can name it with `as`. */
	readonly creates: boolean;
	/** Whether it takes an idempotency key, because a second run would do something else, such as create a second node. */
	readonly repeatable: boolean;
	/** Whether the parent may be the top level: only by name (`given`), or also as the default (`default`). */
	readonly topLevel?: "given" | "default";
	/**
	 * The fields that name nodes which the operation writes. They must be inside a scope. A scope checks new
	 * nodes, and nodes that the operation finds on the way, afterwards.
	 */
	readonly needs: { readonly [field: string]: Need };
}

/** The type of the result of an operation. */
export type ResultOf<T extends OperationName> = {
	node: OutlineNode;
	tree: OutlineTree;
	// biome-ignore lint/suspicious/noConfusingVoidType: the methods return `Promise<void>`
	nothing: void;
}[(typeof descriptions)[T]["result"]];

/**
 * The fields of inputs that take the reference of a node. In a batch, they also take the name of one: `{ as: name }`.
 */
export const referenceFields = ["parent"] as const;

const none = { ref: true, fields: [], creates: false, repeatable: false } as const;

/** The operations that write. To add one, add a row: the compiler asks for the rest. See CONTRIBUTING. */
export const descriptions = {
	create: {
		...none,
		ref: false,
		fields: fieldNames<Omit<CreateInput, "idempotencyKey">>({
			parent: true,
			name: true,
			note: true,
			layoutMode: true,
			properties: true,
			completed: true,
			format: true,
			position: true,
		}),
		required: ["name"],
		result: "node",
		creates: true,
		repeatable: true,
		topLevel: "default",
		needs: { parent: "content" },
	},
	createTree: {
		...none,
		ref: false,
		fields: fieldNames<Omit<CreateTreeInput, "idempotencyKey">>({
			parent: true,
			name: true,
			note: true,
			layoutMode: true,
			properties: true,
			format: true,
			completed: true,
			children: true,
			position: true,
		}),
		required: ["name"],
		result: "tree",
		creates: true,
		repeatable: true,
		topLevel: "default",
		needs: { parent: "content" },
	},
	update: {
		...none,
		fields: fieldNames<UpdateInput>({
			base: true,
			name: true,
			format: true,
			note: true,
			layoutMode: true,
			properties: true,
			completed: true,
		}),
		result: "node",
		needs: { ref: "content" },
	},
	ensure: { ...none, result: "node", creates: true, needs: {} },
	move: {
		...none,
		fields: fieldNames<MoveInput>({ parent: true, position: true }),
		result: "node",
		topLevel: "given",
		needs: { ref: "place", parent: "record" },
	},
	duplicate: {
		...none,
		fields: fieldNames<Omit<DuplicateInput, "idempotencyKey">>({ parent: true, position: true }),
		result: "node",
		creates: true,
		repeatable: true,
		topLevel: "given",
		needs: { parent: "content", ref: "beside" },
	},
	mirror: {
		...none,
		fields: fieldNames<Omit<MirrorInput, "idempotencyKey">>({ parent: true, position: true }),
		required: ["parent"],
		result: "node",
		creates: true,
		repeatable: true,
		needs: { parent: "content" },
	},
	delete: {
		...none,
		fields: fieldNames<DeleteInput>({ mirrors: true }),
		result: "nothing",
		needs: { ref: "place" },
	},
	removeMirror: { ...none, result: "nothing", needs: { ref: "place" } },
	complete: { ...none, result: "node", needs: { ref: "content" } },
	uncomplete: { ...none, result: "node", needs: { ref: "content" } },
	setShortcut: {
		...none,
		fields: fieldNames<ShortcutInput>({ key: true }),
		required: ["key"],
		result: "nothing",
		needs: { ref: "record", key: "shortcut" },
	},
	deleteShortcut: {
		...none,
		ref: false,
		fields: fieldNames<ShortcutInput>({ key: true }),
		required: ["key"],
		result: "nothing",
		needs: {},
	},
} as const satisfies { readonly [T in OperationName]: OperationDescription };

/** The names of all operations that write. */
export const operationNames = Object.keys(descriptions) as readonly OperationName[];

/** The description of an operation; undefined if no operation has this name. */
export function descriptionOf(name: unknown): OperationDescription | undefined {
	return typeof name === "string" && Object.hasOwn(descriptions, name)
		? descriptions[name as OperationName]
		: undefined;
}
