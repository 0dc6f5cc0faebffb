import type { MirrorPolicy } from "../../../src/operations/delete/delete.js";
import { descriptionOf, type OperationName, operationNames } from "../../../src/operations/description.js";
import { subtreeFields, wireName } from "../endpoints/fields.js";
import { layoutMode, textFormat } from "./node-schemas.js";
import { parentReference, reference } from "./parameters.js";
import { flag, listOf, named, objectOf, type Schema, text, word } from "./schema.js";

const name = text("Its text.");
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

const completed = flag("Whether it is completed. Default: as the name says (`- [x]`), else no.");

/** The schema of each field that an operation has. Fields that needn't be given may be `null`. */
const bodySchemas = {
	name,
	note: text("Plain text below the main text; `null` for none."),
	layoutMode,
	completed,
	format: textFormat,
	children: listOf(named("NewSubtree"), "From top to bottom."),
	parent: parentReference,
	position: named("Position"),
	mirrors: named("MirrorsOfDeleted"),
	key: text("The shortcut."),
} satisfies { readonly [field: string]: Schema };

/** The same in a batch, where a reference may also be a name that the batch gives. */
const batchSchemas = { ...bodySchemas, parent: named("BatchReference"), position: named("BatchPosition") };

/** The fields that one operation has another schema for; outside of batches, a mirror has one more. */
const ownSchemas: { readonly [type: string]: Partial<typeof bodySchemas> } = {
	update: { completed: flag("`true` completes it, `false` opens it again. Default: as it is.") },
};
const ownInBodies: typeof ownSchemas = { ...ownSchemas, mirror: { parent: text("The full id of an existing node.") } };

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

/** The fields of an operation's input as properties of a body. */
function propertiesOf(
	taken: readonly string[],
	schemas: { readonly [field: string]: Schema },
	notNull: readonly string[],
) {
	const properties = taken.map((field) => {
		const schema = schemas[field]!;
		return [wireName(field), notNull.includes(field) ? schema : maybe(schema)];
	});
	return { ...Object.fromEntries(properties), ...(taken.includes("layoutMode") && { data }) };
}

/** The body of a request for an operation. */
function body(type: OperationName, description: string, fieldsTaken = descriptionOf(type)!.fields): Schema {
	const { required = [] } = descriptionOf(type)!;
	const schemas = { ...bodySchemas, ...ownInBodies[type] };
	return fields(description, propertiesOf(fieldsTaken, schemas, ["name", ...required]), required.map(wireName));
}

/** An operation in a batch: the body of its request, its type, and the id in the path of its request. */
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

/** The named schemas of what requests carry. Fields that no schema names are ignored. */
export const inputSchemas: Readonly<Record<string, Schema>> = {
	Position: positionBeside(reference),
	MirrorsOfDeleted: word(
		"What becomes of mirrors that stay when their origin is deleted. `reject`: nothing is deleted; `detach`: each becomes a " +
			"node of its own, with a copy of all that was visible below it; `promote`: the origin, with all below it, takes the " +
			"place of the oldest of them instead of going.",
		["reject", "detach", "promote"] satisfies MirrorPolicy[],
	),
	NewNode: body(
		"create",
		"A node to be created. Several blocks of Markdown make several nodes: the first, and the rest below it.",
	),
	NewTree: body("createTree", "A node to be created with all below it."),
	NewSubtree: body("createTree", "A node below a new one.", subtreeFields),
	NodeUpdate: body("update", "The fields to change. A field that is left out stays as it is."),
	NewPlace: body("move", "The new place of a node. Default of the parent: the parent that it has."),
	NewCopy: body("duplicate", "The place of a copy. Default: directly after the node."),
	NewMirror: body("mirror", "The place of a mirror."),
	Nothing: fields("No field is asked for; the body may be left out.", {}),
	BatchReference: {
		description: "A node: as everywhere else, or by the name that an earlier operation of the batch has given to it.",
		oneOf: [{ type: "string" }, objectOf("A name.", { as: naming })],
	},
	BatchPosition: positionBeside(named("BatchReference")),
	BatchOperation: {
		description: "A request of its own, with what that has in its path as `id`.",
		oneOf: operationNames.map(inBatch),
	},
	Batch: fields(
		"Several requests as one: all are done or none.",
		{ operations: listOf(named("BatchOperation"), "In their order.") },
		["operations"],
	),
};
