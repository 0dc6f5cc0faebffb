import { type Operation, type Paths, reads } from "./operation.js";
import { inQuery, parentReference } from "./parameters.js";
import { flag, integer, named, text, word } from "./schema.js";

const ofParents = ["invalid_argument", "invalid_reference", "not_found"] as const;
const limit = inQuery("limit", "The most nodes.", integer("Default 1,000.", { minimum: 1, maximum: 10_000 }));
const since = inQuery(
	"since",
	"The revision of the last answer.",
	integer("Default 0, for all changes.", { minimum: 0 }),
);

/** The endpoints that read more than one node. */
export const readingPaths: Paths<Operation> = {
	"/api/v1/targets": {
		get: reads({
			operationId: "listTargets",
			tag: "reading",
			summary: "List the system targets and the shortcuts",
			gives: { "application/json": named("TargetList") },
			answer: "The targets.",
			codes: [],
		}),
	},
	"/api/v1/nodes-export": {
		get: reads({
			operationId: "exportNodes",
			tag: "files",
			summary: "Return all nodes",
			description: "Streamed. The limit is one export a minute, unless the host sets another limit.",
			gives: { "application/json": named("AllNodes") },
			answer: "All nodes.",
			codes: ["rate_limited"],
		}),
	},
	"/api/v1/tree": {
		get: reads({
			operationId: "readTree",
			tag: "reading",
			summary: "Return the visible nodes of the outline, or of a subtree",
			description:
				"The answer ends with a cursor at `limit`, or before its nodes would have more than 4,194,304 characters of JSON.",
			parameters: [
				inQuery("root", "The node to begin with. Default: the top level.", parentReference),
				inQuery("depth", "The number of levels below the root. Default: all.", integer("Levels.", { minimum: 0 })),
				limit,
				inQuery("completed", "Whether to return completed nodes and the nodes below them.", flag("Default `true`.")),
				inQuery(
					"mirrors",
					"The children to return below mirrors.",
					word("`follow`: their origins' children; `stop`: their own children. Default `follow`.", ["follow", "stop"]),
				),
				inQuery("cursor", "The cursor of an earlier answer to the same request.", text("A cursor.")),
			],
			gives: { "application/json": named("VisibleTree") },
			answer: "The nodes, each parent before its children.",
			codes: [...ofParents, "too_large"],
		}),
	},
	"/api/v1/search": {
		get: reads({
			operationId: "searchNodes",
			tag: "reading",
			summary: "Find nodes",
			description:
				'Words and their beginnings, `"a phrase"`, `-not`, `OR`, `#tag`, `@tag`, `#ta*`, `is:todo`, `is:completed`, `is:mirror`, ' +
				"`in:note`; `links:` with the id of a node, for nodes that link to it; `created:`, `modified:`, `completed:` " +
				"with dates or spans such as `7d`, and `date:` for dates in names and notes (`2026-12`, `<today`, `today..2026-12-07`, " +
				"`+7d`); `has:note`, `has:link`, `has:date`, `has:mirror`; `has:key` for nodes with a " +
				"property, and `key:value` for its values: words, `true`, a number, a date, `>5`, `1..5`.",
			parameters: [
				{ ...inQuery("q", "The query.", text("A query.")), required: true },
				inQuery("within", "The node to search in. Default: the whole outline.", parentReference),
				inQuery("limit", "The most nodes.", integer("Default 50.", { minimum: 1, maximum: 1000 })),
				inQuery(
					"order",
					"The order of the nodes.",
					word("`score`: the best first; `date`: the earliest date in their texts first. Default `score`.", [
						"score",
						"date",
					]),
				),
				inQuery("ancestors", "Whether to return the names of the ancestors.", flag("Default `false`.")),
				inQuery("ranges", "Whether to return the parts of the texts that match.", flag("Default `false`.")),
			],
			gives: { "application/json": named("Hits") },
			answer: "The nodes that match.",
			codes: ofParents,
		}),
	},
	"/api/v1/tags": {
		get: reads({
			operationId: "listTags",
			tag: "reading",
			summary: "List the tags in names and notes",
			gives: { "application/json": named("Tags") },
			answer: "The tags.",
			codes: ["not_found"],
		}),
	},
	"/api/v1/changes": {
		get: reads({
			operationId: "listChanges",
			tag: "changes",
			summary: "Return the changes since a revision",
			parameters: [since, limit],
			gives: { "application/json": named("Changes") },
			answer:
				"The changes, in whole commits. The answer ends when it has about as many nodes as `limit`, or before its names " +
				"and notes would have more than 1,048,576 characters, counting 64 more for each node.",
			codes: ["invalid_argument", "not_found", "changes_expired"],
		}),
	},
	"/api/v1/changes/stream": {
		get: reads({
			operationId: "streamChanges",
			tag: "changes",
			summary: "Return the changes since a revision, then each further change",
			description:
				"Server-sent events with the name `changes`. The data of an event is a `Changes`, and its id is the revision. " +
				"Without `since` and `Last-Event-ID` the events begin with the whole outline. " +
				"The server sends a comment every 15 seconds without changes, and ends the stream of a key that isn't valid " +
				"any more. If deletions since the client's revision can't be read any more, an event with `expired: true` begins " +
				"again with everything: the client drops its copy first. " +
				"With `revisions=true`, events have the name `revision`, and their data is a `ChangedRevision`. " +
				"With a key for a part of an outline, all events do: the client reads the part again, as after each connection.",
			parameters: [
				since,
				{
					name: "revisions",
					in: "query",
					description: "Whether the events have the revisions alone.",
					schema: { type: "boolean", default: false },
				},
				{
					name: "Last-Event-ID",
					in: "header",
					description: "The revision of the last event that the client received. It replaces `since`.",
					schema: integer("A revision.", { minimum: 0 }),
				},
			],
			gives: {
				"text/event-stream": text("Events. This is the schema of their data.", {
					contentMediaType: "text/event-stream",
					contentSchema: { anyOf: [named("Changes"), named("ChangedRevision")] },
				}),
			},
			answer: "The events.",
			codes: ["invalid_argument", "not_found"],
		}),
	},
	"/api/v1/openapi.json": {
		get: {
			operationId: "describe",
			tag: "description",
			summary: "Describe the interface: this document",
			description: "The request needs no API key.",
			gives: { "application/json": { type: "object", additionalProperties: true } },
			answer: "The document.",
			codes: [],
			open: true,
		},
	},
};
