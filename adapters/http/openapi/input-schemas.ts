import type { BatchOperation } from "../../../src/operations/batch.js";
import type { MirrorPolicy } from "../../../src/operations/delete/delete.js";
import { layoutMode, textFormat } from "./node-schemas.js";
import { parentReference, reference } from "./parameters.js";
import { flag, listOf, named, objectOf, type Schema, text, word } from "./schema.js";

const name = text("Its text.");
const key = text("The shortcut.");
const naming = text("A name for the new node, by which later operations refer to it.", { minLength: 1 });

/** Where a `null` says "not given". */
function maybe(schema: Schema): Schema {
	return { anyOf: [schema, { type: "null" }] };
}

/** A field that is ignored if it has another shape: clients send back nodes as they got them in answers. */
const data = {
	description: "How it is displayed, as answers say it: counts where `layoutMode` is absent or `null`.",
	anyOf: [
		objectOf("What else is in it is ignored.", { layoutMode: maybe(layoutMode) }, ["layoutMode"]),
		{ not: { type: "object" } },
	],
};

/** What can be said about the content of a node, beside its name. */
function contentWith(completed: string) {
	return {
		note: maybe(text("Plain text below the main text; `null` for none.")),
		layoutMode: maybe(layoutMode),
		data,
		completed: maybe(flag(completed)),
		format: maybe(textFormat),
	};
}

const newContent = contentWith("Whether it is completed. Default: as the name says (`- [x]`), else no.");
const changedContent = contentWith("`true` completes it, `false` opens it again. Default: as it is.");

const ofTree = {
	name,
	...newContent,
	children: maybe(listOf(named("NewSubtree"), "From top to bottom.")),
};

/** Where a node goes; by ids, and in a batch by names as well. */
function placeBy(references: Schema, positions: Schema) {
	return { parent_id: maybe(references), position: maybe(positions) };
}

function positionBeside(sibling: Schema): Schema {
	return {
		description: "Where a node goes among its siblings: at an end, or directly before or after one of them.",
		oneOf: [
			{ type: "string", enum: ["top", "bottom"] },
			objectOf("Directly before a sibling.", { before: sibling }),
			objectOf("Directly after a sibling.", { after: sibling }),
		],
	};
}

/** An object of which all members but those in `required` needn't be there. */
function fields(description: string, properties: Readonly<Record<string, Schema>>, required: readonly string[] = []) {
	return objectOf(
		description,
		properties,
		Object.keys(properties).filter((field) => !required.includes(field)),
	);
}

const place = placeBy(parentReference, named("Position"));
const placeInBatch = placeBy(named("BatchReference"), named("BatchPosition"));
const id = named("BatchReference");

/** The fields of each operation of a batch beside its type, and those that must be there. */
const operations: {
	readonly [T in BatchOperation["type"]]: readonly [Readonly<Record<string, Schema>>, ...string[]];
} = {
	create: [{ as: maybe(naming), name, ...newContent, ...placeInBatch }, "name"],
	createTree: [{ as: maybe(naming), ...ofTree, ...placeInBatch }, "name"],
	update: [{ id, name: maybe(name), ...changedContent }, "id"],
	ensure: [{ as: maybe(naming), id }, "id"],
	move: [{ id, ...placeInBatch }, "id"],
	mirror: [{ as: maybe(naming), id, ...placeInBatch, parent_id: named("BatchReference") }, "id", "parent_id"],
	delete: [{ id, mirrors: maybe(named("MirrorsOfDeleted")) }, "id"],
	removeMirror: [{ id }, "id"],
	complete: [{ id }, "id"],
	uncomplete: [{ id }, "id"],
	setShortcut: [{ key, id }, "key", "id"],
	deleteShortcut: [{ key }, "key"],
};

/** The named schemas of what requests carry. Fields that no schema names are ignored. */
export const inputSchemas: Readonly<Record<string, Schema>> = {
	Position: positionBeside(reference),
	MirrorsOfDeleted: word(
		"What becomes of mirrors that stay when their origin is deleted. `reject`: nothing is deleted; `detach`: each becomes a " +
			"node of its own, with a copy of all that was visible below it; `promote`: the origin, with all below it, takes the " +
			"place of the oldest of them instead of going.",
		["reject", "detach", "promote"] satisfies MirrorPolicy[],
	),
	NewNode: fields(
		"A node to be created. Several blocks of Markdown make several nodes: the first, and the rest below it.",
		{ ...place, name, ...newContent },
		["name"],
	),
	NewTree: fields("A node to be created with all below it.", { ...place, ...ofTree }, ["name"]),
	NewSubtree: fields("A node below a new one.", ofTree, ["name"]),
	NodeUpdate: fields("The fields to change. A field that is left out stays as it is.", { name, ...changedContent }),
	NewPlace: fields("Where a node goes. Without a parent it stays below the one it has.", place),
	NewMirror: fields("Where a mirror goes.", { ...place, parent_id: text("The full id of an existing node.") }, [
		"parent_id",
	]),
	Nothing: fields("No field is asked for; the body may be left out.", {}),
	BatchReference: {
		description: "A node: as everywhere else, or by the name that an earlier operation of the batch has given to it.",
		oneOf: [{ type: "string" }, objectOf("A name.", { as: naming })],
	},
	BatchPosition: positionBeside(named("BatchReference")),
	BatchOperation: {
		description: "A request of its own, with what that has in its path as `id`.",
		oneOf: Object.entries(operations).map(([type, [properties, ...required]]) =>
			fields(`What \`${type}\` takes.`, { type: { const: type }, ...properties }, ["type", ...required]),
		),
	},
	Batch: fields(
		"Several requests as one: all are done or none.",
		{ operations: listOf(named("BatchOperation"), "In their order.") },
		["operations"],
	),
};
