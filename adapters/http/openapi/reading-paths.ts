import { type Operation, type Paths, reads } from "./operation.js";
import { inQuery, parentReference } from "./parameters.js";
import { flag, integer, named, text, word } from "./schema.js";

const ofParents = ["invalid_argument", "invalid_reference", "not_found"] as const;
const limit = inQuery("limit", "How many nodes to give.", integer("Default 1,000.", { minimum: 1, maximum: 10_000 }));
const since = inQuery("since", "The revision of the last answer.", integer("0 for everything.", { minimum: 0 }));

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
			summary: "Give every node",
			description: "Streamed. It can be asked for once a minute, unless the host says otherwise.",
			gives: { "application/json": named("AllNodes") },
			answer: "Every node.",
			codes: ["rate_limited"],
		}),
	},
	"/api/v1/tree": {
		get: reads({
			operationId: "readTree",
			tag: "reading",
			summary: "Give what is visible in the outline, or below a node",
			description:
				"The answer ends with a cursor at `limit`, or before a node with which the nodes would have more than 4,194,304 " +
				"characters of JSON.",
			parameters: [
				inQuery("root", "Where to begin. Default: at the top level.", parentReference),
				inQuery("depth", "How many levels below the root to go. Default: all.", integer("Levels.", { minimum: 0 })),
				limit,
				inQuery("completed", "Whether to give completed nodes, with what is below them.", flag("Default `true`.")),
				inQuery(
					"mirrors",
					"Whether to go below mirrors.",
					word("`follow`: to their origins' children; `stop`: to their own. Default `follow`.", ["follow", "stop"]),
				),
				inQuery("cursor", "Where an earlier answer to the same request has ended.", text("A cursor.")),
			],
			gives: { "application/json": named("VisibleTree") },
			answer: "The nodes, each before those below it.",
			codes: [...ofParents, "too_large"],
		}),
	},
	"/api/v1/search": {
		get: reads({
			operationId: "searchNodes",
			tag: "reading",
			summary: "Find nodes",
			description:
				'Words and their beginnings, `"a phrase"`, `-not`, `OR`, `#tag`, `@tag`, `is:todo`, `is:completed`, `is:mirror`, ' +
				"`in:note`, and `created:`, `modified:`, `completed:` with dates or spans such as `7d`.",
			parameters: [
				{ ...inQuery("q", "The query.", text("A query.")), required: true },
				inQuery("within", "Where to search. Default: everywhere.", parentReference),
				inQuery("limit", "How many nodes to give.", integer("Default 50.", { minimum: 1, maximum: 1000 })),
			],
			gives: { "application/json": named("Hits") },
			answer: "The nodes that it finds.",
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
			summary: "Say what has changed since a revision",
			parameters: [since, limit],
			gives: { "application/json": named("Changes") },
			answer:
				"The changes, in whole commits: until they have about as many nodes as `limit`, or until the next would make more " +
				"than 1,048,576 characters of names and notes, with 64 for each node.",
			codes: ["invalid_argument", "not_found"],
		}),
	},
	"/api/v1/changes/stream": {
		get: reads({
			operationId: "streamChanges",
			tag: "changes",
			summary: "Say what has changed since a revision, and then each change as it comes",
			description:
				"Server-sent events, named `changes`. The data of an event is a `Changes`, and its id is their revision. " +
				"While nothing changes, a comment comes now and then.",
			parameters: [
				since,
				{
					name: "Last-Event-ID",
					in: "header",
					description: "The revision of the last event that has come: goes on behind it, whatever `since` says.",
					schema: integer("A revision.", { minimum: 0 }),
				},
			],
			gives: { "text/event-stream": text("Events.") },
			answer: "The events.",
			codes: ["invalid_argument", "not_found"],
		}),
	},
	"/api/v1/openapi.json": {
		get: {
			operationId: "describe",
			tag: "description",
			summary: "Describe the interface: this document",
			description: "It needs no API key: a description is no secret.",
			gives: { "application/json": { type: "object", additionalProperties: true } },
			answer: "The document.",
			codes: [],
			open: true,
		},
	},
};
