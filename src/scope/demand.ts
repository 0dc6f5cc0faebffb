import type { Call } from "../engine/call.js";
import type { Operation } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import type { Fields } from "../fields.js";
import { originIdOf } from "../node.js";
import { descriptionOf, type Need } from "../operations/description.js";
import { nodeReference, parentReference, shortcutKey } from "../reference/reference.js";
import type { Locator, StoredNode } from "../storage.js";
import type { Exploration } from "./exploration.js";
import { forbidden, onlyKnownShortcuts, outside, topStays } from "./refusal.js";

/** A node that an operation works on. It must be inside the scope. */
export interface Demand {
	readonly at: Locator;
	readonly need: Need;
	/** In a batch: the index and the type of the operation. */
	readonly operation?: { readonly index: number; readonly type: string } | undefined;
}

/** The demands of an operation with checked arguments. */
export function demandsOf(call: Call, type: string, fields: Fields): Demand[] {
	return demands(call, type, fields, undefined, new Map());
}

/**
 * The demands of the operations of a batch with checked arguments. Nodes that the batch creates are inside,
 * but a new mirror may show an outside node.
 */
export function batchDemandsOf(call: Call, operations: readonly Fields[]): Demand[] {
	const shown = new Map<unknown, unknown>();
	return operations.flatMap((fields, index) => {
		const { type, as, ref } = fields as { type: string; as: unknown; ref: unknown };
		if (type === "mirror" && as !== undefined) shown.set(as, shownBy(ref, shown));
		return demands(call, type, fields, { index, type }, shown);
	});
}

/** @param shown - the reference of the origin, by the name that the batch gives to a mirror */
function demands(
	call: Call,
	type: string,
	fields: Fields,
	operation: Demand["operation"],
	shown: ReadonlyMap<unknown, unknown>,
): Demand[] {
	return Object.entries(descriptionOf(type)?.needs ?? {}).flatMap(([field, need]) => {
		if (need === "beside" && (fields.parent !== undefined || typeof fields.position === "object")) return [];
		const value = need === "content" ? shownBy(fields[field], shown) : fields[field];
		const at = typeof value === "string" ? locatorOf(call, field, value) : undefined;
		return at === undefined ? [] : [{ at, need, operation }];
	});
}

/** The reference itself; for the name of a new mirror, the reference of its origin. */
function shownBy(value: unknown, shown: ReadonlyMap<unknown, unknown>): unknown {
	return typeof value === "object" && value !== null ? shown.get((value as { as?: unknown }).as) : value;
}

/**
 * Refuses an operation on nodes outside. Ignores missing nodes, with one exception: a missing shortcut is
 * refused too, because it looks the same as one that points at a hidden node.
 *
 * @param nodes - the nodes of the demands
 * @throws `forbidden`
 */
export function* assertDemands(
	demands: readonly Demand[],
	nodes: readonly (StoredNode | null)[],
	known: Exploration,
): Operation<void> {
	const ids = nodes.map((node, index) => node && idOf(node, demands[index]!.need));
	yield* known.locate(ids.filter((id) => id !== null));
	for (const [index, { need, operation }] of demands.entries()) {
		const id = ids[index]!;
		if (
			id === null
				? need !== "shortcut"
				: known.isInside(id) && !((need === "place" || need === "beside") && id === known.top)
		)
			continue;
		throw refusal(need === "shortcut" ? onlyKnownShortcuts : id === known.top ? topStays : outside, operation);
	}
}

function refusal(message: string, operation: Demand["operation"]): OutlineError {
	if (operation === undefined) return forbidden(message);
	const { index, type } = operation;
	return new OutlineError("forbidden", `operations[${index}] (${type}): ${message} The batch changed nothing.`, {
		operation: index,
	});
}

function idOf(node: StoredNode, need: Need): string {
	return need === "content" ? originIdOf(node) : node.record.id;
}

function locatorOf(call: Call, field: string, value: string): Locator | undefined {
	if (field === "key") return { key: shortcutKey(value) };
	const reference = field === "parent" ? parentReference(value, call) : nodeReference(value, call);
	return reference.form === "root" ? undefined : reference.at;
}
