import { ask, type Operation, stepwise } from "../engine/protocol.js";
import type { Settings } from "../engine/settings.js";
import { invalidArgument, OutlineError } from "../errors.js";
import { type Fields, fieldNames, fieldsOf } from "../fields.js";
import { mergedField } from "../markup/merge.js";
import { contentOf, nodeView, type OutlineNode } from "../node.js";
import { type NodeReference, notFound } from "../reference/reference.js";

/** The texts of a node. An undefined one stays as it is. */
export interface Texts {
	readonly name: string | undefined;
	readonly note: string | null | undefined;
}

const baseFields = fieldNames<Texts>({ name: true, note: true });

/** Checks the texts that an edit began from. @throws `invalid_argument` */
export function baseArgument({ base, name, note }: Fields): Texts {
	const given = fieldsOf("base", base, baseFields);
	for (const field of baseFields) {
		const value = given[field];
		if (value === undefined) continue;
		if (typeof value !== "string" && !(field === "note" && value === null)) {
			const allowed = field === "note" ? "a text or null" : "a text";
			throw invalidArgument(`base.${field}`, value, `${allowed}, as it was read`);
		}
		if ((field === "name" ? name : note) === undefined) {
			throw new OutlineError("invalid_argument", `base.${field} is given without ${field}, the edit of it.`);
		}
	}
	return given as unknown as Texts;
}

/**
 * Runs an update with its texts merged into the stored ones.
 *
 * @param limits - the most characters of the merged texts
 * @throws `edit_conflict` with the stored node
 */
export function* changeMerged(
	reference: NodeReference,
	base: Texts,
	{ name, note }: Texts,
	limits: Settings["limits"],
	change: (texts: Texts) => Operation<OutlineNode>,
): Operation<OutlineNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	const stored = contentOf(node);
	const conflict = (field: string) =>
		new OutlineError(
			"edit_conflict",
			`Another edit has changed the same words of the ${field} of node ${node.record.id}, or the merged text would be longer than the limit. Its stored text is in the error: show both, and update again with that as the base.`,
			{ stored: nodeView(node) },
		);
	let [mergedName, mergedNote] = [name, note];
	if (name !== undefined && base.name !== undefined) {
		mergedName = yield* stepwise(mergedField("name", base.name, name, stored.name, limits.name));
		if (mergedName === undefined) throw conflict("name");
	}
	if (note !== undefined && base.note !== undefined) {
		mergedNote = yield* stepwise(mergedField("note", base.note, note, stored.note, limits.note));
		if (mergedNote === undefined) throw conflict("note");
	}
	return yield* change({ name: mergedName, note: mergedNote });
}
