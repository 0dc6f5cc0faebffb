import type { MirrorPolicy } from "../../../src/operations/delete/delete.js";
import {
	descriptionOf,
	type OperationName,
	operationNames,
	referenceFields,
} from "../../../src/operations/description.js";
import { dataFields, subtreeFields, wireName } from "../server/fields.js";
import { layoutMode, properties, textFormat } from "./node-schemas.js";
import { parentReference, reference } from "./parameters.js";
import { flag, listOf, named, objectOf, type Schema, text, word } from "./schema.js";

const name = text("The text of the node.");
const naming = text("A name for the new node. Later operations of the batch refer to it by this name.", {
	minLength: 1,
});

/** A schema that also allows `null`, which means "absent". */
function maybe(schema: Schema): Schema {
	return { anyOf: [schema, { type: "null" }] };
}

const newProperties: Schema = {
	...properties,
	description: "JSON values of the host by their keys. `null` drops the value of a key; the others stay.",
	additionalProperties: true,
};

/**
 * The field `data` as in answers, because clients send nodes back as they received them. Ignored in other
 * shapes.
 */
const data = {
	description: "The layout mode and the properties as in answers. Each is used if the field beside `data` is absent.",
	anyOf: [
		fields("Other members are ignored.", { layoutMode: maybe(layoutMode), properties: maybe(newProperties) }),
		{ not: { type: "object" } },
	],
};

const completed = flag("Whether the node is completed. Default: true if the name is a completed task (`- [x]`).");

/** The schema of each field of an operation. Optional fields may also be `null`. */
const bodySchemas = {
	name,
	note: text("The plain text below the name; `null` for none."),
	layoutMode,
	properties: newProperties,
	completed,
	format: textFormat,
	children: listOf(named("NewSubtree"), "The children from top to bottom."),
	base: fields(
		"The texts that the edit began from. An edit of other words since then is kept; of the same words, the answer is " +
			"`edit_conflict`.",
		{ name: text("The name as it was read."), note: maybe(text("The note as it was read.")) },
	),
	parent: parentReference,
	position: named("Position"),
	mirrors: named("MirrorsOfDeleted"),
	key: text("The shortcut."),
} satisfies { readonly [field: string]: Schema };

/** The schemas in a batch, where a reference may also be a name that an earlier operation sets. */
const batchSchemas = {
	...bodySchemas,
	position: named("BatchPosition"),
	...Object.fromEntries(referenceFields.map((field) => [field, named("BatchReference")])),
};

/** The schemas that differ in one operation. {@link ownInBodies} has one more, outside of batches. */
const ownSchemas: { readonly [type: string]: Partial<typeof bodySchemas> } = {
	update: { completed: flag("`true` completes the node, `false` reopens it. Default: no change.") },
};
const ownInBodies: typeof ownSchemas = { ...ownSchemas, mirror: { parent: text("The full id of an existing node.") } };

function positionBeside(sibling: Schema): Schema {
	return {
		description: "The position among siblings: at an end, or directly before or after a sibling.",
		oneOf: [
			{ type: "string", enum: ["top", "bottom"] },
			objectOf("Directly before a sibling.", { before: sibling }),
			objectOf("Directly after a sibling.", { after: sibling }),
		],
	};
}

/** An object whose members are optional, except the members in `required`. */
function fields(description: string, properties: Readonly<Record<string, Schema>>, required: readonly string[] = []) {
	return objectOf(
		description,
		properties,
		Object.keys(properties).filter((field) => !required.includes(field)),
	);
}

/** The fields of an operation's input as properties of a body. */
function propertiesOf(
	taken: readonly string[],
	schemas: { readonly [field: string]: Schema },
	notNull: readonly string[],
) {
	const properties = taken.map((field) => {
		const schema = schemas[field];
		if (schema === undefined) throw new Error(`The field ${field} has no schema. Add it to bodySchemas.`);
		return [wireName(field), notNull.includes(field) ? schema : maybe(schema)];
	});
	return { ...Object.fromEntries(properties), ...(taken.some((field) => dataFields.includes(field)) && { data }) };
}

/** The schema of the request body of an operation. */
function body(type: OperationName, description: string, fieldsTaken = descriptionOf(type)!.fields): Schema {
	const { required = [] } = descriptionOf(type)!;
	const schemas = { ...bodySchemas, ...ownInBodies[type] };
	return fields(description, propertiesOf(fieldsTaken, schemas, ["name", ...required]), required.map(wireName));
}

/** The schema of an operation in a batch: the body of its request, its type, and the id of its path. */
function inBatch(type: OperationName): Schema {
	const { ref, creates, fields: taken, required = [] } = descriptionOf(type)!;
	const head = {
		type: { const: type },
		...(creates && { as: maybe(naming) }),
		...(ref && { id: named("BatchReference") }),
	};
	const properties = propertiesOf(taken, { ...batchSchemas, ...ownSchemas[type] }, required);
	const needed = ["type", ...(ref ? ["id"] : []), ...required.map(wireName)];
	return fields(`The operation \`${type}\`.`, { ...head, ...properties }, needed);
}

/** The named schemas of request bodies. The server ignores fields without a schema. */
export const inputSchemas: Readonly<Record<string, Schema>> = {
	Position: positionBeside(reference),
	MirrorsOfDeleted: word(
		"The policy for mirrors that stay when their origin is deleted. `reject`: nothing is deleted. `detach`: each mirror " +
			"becomes an independent node, with a copy of all nodes visible below it. `promote`: the origin isn't deleted; it " +
			"takes the place of its oldest mirror, with its subtree.",
		["reject", "detach", "promote"] satisfies MirrorPolicy[],
	),
	NewNode: body(
		"create",
		"A node to create. A name with several blocks of Markdown makes several nodes: the first block's node is the parent " +
			"of the rest.",
	),
	NewTree: body("createTree", "A node to create with its subtree."),
	NewSubtree: body("createTree", "A node below a new node.", subtreeFields),
	NodeUpdate: body("update", "The fields to change. Absent fields keep their values."),
	NewPlace: body("move", "The new place of a node. Default parent: its current parent."),
	NewCopy: body("duplicate", "The place of a copy. Default: directly after the node."),
	NewMirror: body("mirror", "The place of a mirror."),
	Nothing: fields("The operation has no fields; the body is optional.", {}),
	BatchReference: {
		description: "A reference, or the name that an earlier operation of the batch has set with `as`.",
		oneOf: [{ type: "string" }, objectOf("A name.", { as: naming })],
	},
	BatchPosition: positionBeside(named("BatchReference")),
	BatchOperation: {
		description: "The body of an operation's request, with its `type` and with the id of its path as `id`.",
		oneOf: operationNames.map(inBatch),
	},
	Batch: fields(
		"Several operations in one commit: all succeed or none.",
		{ operations: listOf(named("BatchOperation"), "The operations in order.") },
		["operations"],
	),
};
