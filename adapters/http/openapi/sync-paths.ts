import type { Conflict, RefusedEntry, SyncAnswer, SyncNode } from "../../../src/sync/protocol.js";
import { linesType } from "../server/media-types.js";
import { layoutMode } from "./node-schemas.js";
import { type Operation, type Paths, reads, writes } from "./operation.js";
import { inQuery } from "./parameters.js";
import { flag, integer, listOf, named, objectLike, type Schema, text, word } from "./schema.js";

const number = (description: string) => integer(description, { minimum: 0 });
const nodeId = named("NodeId");
const anything = (description: string): Schema => ({ description, additionalProperties: true });

/** The named schemas of sync. */
export const syncSchemas: Readonly<Record<string, Schema>> = {
	SyncNode: objectLike<SyncNode>(
		"A node as it is stored. A mirror has its own record, not the content of its origin.",
		{
			id: nodeId,
			parentId: { anyOf: [nodeId, { type: "null" }], description: "`null` at the top level." },
			priority: integer("The order among siblings; the lowest comes first."),
			name: text("An HTML fragment."),
			note: text("Plain text. Absent if there is none."),
			layoutMode: { ...layoutMode, description: "Absent if it is `bullets`." },
			properties: text("The properties, as the JSON text of an object. Absent if there are none."),
			createdAt: integer("Unix seconds."),
			modifiedAt: integer("Unix seconds of the last change of the content. Absent if it equals `createdAt`."),
			completedAt: integer("Unix seconds. Absent if the node isn't completed."),
			originId: { allOf: [nodeId], description: "Of a mirror, its origin." },
		},
		"parentId",
		"priority",
		"name",
		"note",
		"layoutMode",
		"properties",
		"createdAt",
		"modifiedAt",
		"completedAt",
		"originId",
	),
	SyncConflict: objectLike<Conflict>(
		"Something that gave way when the server settled an entry.",
		{
			id: text("Its id."),
			kind: word("The kind of conflict.", ["text", "move", "deletion", "returned", "parent", "shortcut"]),
			nodeId,
			field: text("`name`, `note`, `properties.<key>`, or the key of a shortcut."),
			shown: anything("The value that the outline has."),
			other: anything("The value that gave way, whole."),
			at: integer("Unix seconds of the commit on the device."),
			device: text("The id of the device."),
		},
		"field",
	),
	SyncRefusal: objectLike<RefusedEntry>(
		"An entry that the server refused for good.",
		{
			seq: number("The number of the entry."),
			code: text("The error code."),
			message: text("A message for people."),
			nodes: listOf(nodeId, "Of an entry with `joins`: the refused nodes. The server has taken the others."),
		},
		"nodes",
	),
	SyncAnswer: objectLike<SyncAnswer>(
		"The state of the device at the server, and the changes since `since`.",
		{
			outline: text("The identity of the outline."),
			revision: number("The next `since`."),
			mark: text("A mark of the history up to that revision. The header of the next push sends it back."),
			more: flag("Whether there are more changes. The device applies all answers together, after the last one."),
			last: number("The number of the device's last entry that the server has; 0 for none."),
			digest: text("The digest of the device's journal up to that entry; empty for none."),
			refused: listOf(named("SyncRefusal"), "The refused entries after the `last` of the header."),
			nodes: listOf(named("SyncNode"), "The nodes that were changed, in no order."),
			deleted: listOf(nodeId, "The ids of deleted nodes."),
			keys: listOf(
				objectLike<SyncAnswer["keys"][number]>("A key.", {
					key: text("The key."),
					group: text("`shortcut`, `system`, or the calendar key above."),
					nodeId,
				}),
				"The keys that were set.",
			),
			droppedKeys: listOf(text("A key."), "The keys that were dropped."),
			conflicts: listOf(named("SyncConflict"), "The new conflicts that are still open."),
			closed: listOf(text("The id of a conflict."), "The conflicts that were closed."),
		},
		"mark",
	),
};

/** The endpoints of sync. docs/sync.md has their protocol. */
export const syncPaths: Paths<Operation> = {
	"/api/v1/sync": {
		post: writes({
			operationId: "sync",
			tag: "sync",
			summary: "Send the changes of a device, and receive the changes of the others",
			description:
				"For devices that hold the whole outline (`outlinekit/sync`). The body has a JSON object in each line: a header, " +
				"then the device's commits that the server doesn't have. It may be compressed (`Content-Encoding: gzip`). A push " +
				"may be sent again; each commit is settled once. An answer has about 10,000 changes at most.",
			takes: { [linesType]: text("The lines of a push.") },
			bodyRequired: true,
			gives: { "application/json": named("SyncAnswer") },
			answer: "The entries have been settled, up to `last`.",
			codes: ["wrong_outline", "sync_forked", "sync_reset", "sync_upgrade", "changes_expired"],
		}),
	},
	"/api/v1/sync/image": {
		get: reads({
			operationId: "syncImage",
			tag: "sync",
			summary: "Return the whole outline, for a new device",
			description:
				"A JSON object in each line: a head, then nodes in columns, keys and open conflicts, and at the end " +
				'`{"end":true}`. Streamed, and compressed if the client accepts gzip. The limit is 600 images a minute, unless the ' +
				"host sets another limit.",
			parameters: [
				inQuery("after", "The number of nodes that have arrived, to continue an image.", number("Default 0.")),
				inQuery("revision", "The revision of the image to continue.", number("Needed with `after`.")),
			],
			gives: { [linesType]: text("The lines of an image.") },
			answer: "The outline.",
			codes: ["invalid_argument", "forbidden", "sync_reset", "rate_limited", "quota_exceeded"],
		}),
	},
};
