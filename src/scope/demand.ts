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

/** A node that must be inside if an operation is to be done. */
export interface Demand {
	readonly at: Locator;
	readonly need: Need;
	/** In a batch: the operation's place and type. */
	readonly operation?: { readonly place: number; readonly type: string } | undefined;
}

/** What an operation demands, from its arguments, which have been checked. */
export function demandsOf(call: Call, type: string, fields: Fields): Demand[] {
	return demands(call, type, fields, undefined, new Map());
}

/**
 * What the operations of a batch demand, from their arguments, which have been checked. What one of them makes is inside, but
 * a mirror may show what isn't.
 */
export function batchDemandsOf(call: Call, operations: readonly Fields[]): Demand[] {
	const shown = new Map<unknown, unknown>();
	return operations.flatMap((fields, place) => {
		const { type, as, ref } = fields as { type: string; as: unknown; ref: unknown };
		if (type === "mirror" && as !== undefined) shown.set(as, shownBy(ref, shown));
		return demands(call, type, fields, { place, type }, shown);
	});
}

/** @param shown - what the mirrors show that a batch has named */
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

/** The reference of what a reference shows: of the name of a mirror, what was mirrored. */
function shownBy(value: unknown, shown: ReadonlyMap<unknown, unknown>): unknown {
	return typeof value === "object" && value !== null ? shown.get((value as { as?: unknown }).as) : value;
}

/**
 * Refuses what works on nodes outside. What isn't there is no business of this one, with one exception: a new shortcut can't
 * be told from one that points at something hidden, so neither can be set.
 *
 * @param nodes - the nodes of the demands
 * @throws `forbidden`
 */
export function* assertDemands(
	demands: readonly Demand[],
	nodes: readonly (StoredNode | null)[],
	known: Exploration,
): Operation<void> {
	const ids = nodes.map((node, place) => node && idOf(node, demands[place]!.need));
	yield* known.locate(ids.filter((id) => id !== null));
	for (const [place, { need, operation }] of demands.entries()) {
		const id = ids[place]!;
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
	const { place, type } = operation;
	return new OutlineError("forbidden", `operations[${place}] (${type}): ${message} Nothing of the batch was done.`, {
		operation: place,
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
