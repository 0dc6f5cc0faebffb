import { flag, integer, listOf, named, objectOf, type Schema, text } from "./schema.js";

const mirror = objectOf("The list is below a mirror.", {
	origin_id: { anyOf: [named("NodeId"), { type: "null" }], description: "The origin of that mirror." },
});
const itemId = { item_id: named("NodeId") };

/** The named schemas of what requests are answered with. */
export const answerSchemas: Readonly<Record<string, Schema>> = {
	Done: objectOf("It is done.", { status: { type: "string", const: "ok" } }),
	Created: objectOf("A node has been created.", itemId),
	CreatedTree: objectOf("A node has been created, with all below it.", {
		...itemId,
		item_ids: listOf(named("NodeId"), "All of them, each before those below it."),
	}),
	CreatedMirror: objectOf("A mirror has been created.", {
		...itemId,
		origin_id: { anyOf: [named("NodeId"), { type: "null" }], description: "Its origin." },
	}),
	NodeAnswer: objectOf("A node.", { node: named("Node") }),
	NodeList: objectOf("Children.", { nodes: listOf(named("Node")), mirror }, ["mirror"]),
	AllNodes: objectOf("Every node, flat and unordered.", { nodes: listOf(named("Node")) }),
	TargetList: objectOf("The system targets, then the shortcuts.", { targets: listOf(named("Target")) }),
	BatchResults: objectOf("What the batch came to.", {
		results: listOf(
			{ anyOf: ["Done", "Created", "CreatedTree", "CreatedMirror"].map(named) },
			"The answer of each operation's request.",
		),
		ids: {
			type: "object",
			description: "The ids of the nodes that were given names, by those.",
			additionalProperties: named("NodeId"),
		},
	}),
	VisibleTree: objectOf("Nodes as they are shown, each before those below it.", {
		nodes: listOf(named("NodeInTree")),
		cursor: {
			type: ["string", "null"],
			maxLength: 5000,
			description:
				"Where to go on; `null` if there is nothing behind. Opaque, and safe to keep. `invalid_argument` when it is sent if " +
				"nodes far above that place have been moved or deleted since: begin again without it.",
		},
	}),
	Hits: objectOf("Nodes, the best first.", { nodes: listOf(named("Hit")) }),
	Backlinks: objectOf(
		"The nodes that link to the node.",
		{
			nodes: { ...listOf(named("NodeWithPath")), maxItems: 1000 },
			more: { type: "boolean", const: true, description: "There are more than these." },
		},
		["more"],
	),
	Tags: objectOf("The most frequent first.", {
		tags: listOf(
			objectOf("A tag.", {
				tag: text("With its `#` or `@`."),
				count: integer("How many nodes bear it.", { minimum: 1 }),
			}),
		),
	}),
	Changes: objectOf("What has changed since a revision.", {
		nodes: listOf(named("Node"), "Those that have changed and are still there, as they are now."),
		deleted: listOf(named("NodeId"), "Those that are gone."),
		revision: integer("Everything up to this revision is told. Ask with it the next time.", { minimum: 0 }),
		more: flag("Whether there are more changes: ask again at once."),
	}),
	DeletionPlanAnswer: objectOf("What a deletion would do.", {
		plan: objectOf("The plan.", {
			node_ids: listOf(named("NodeId"), "Those that would go."),
			mirror_ids: listOf(named("NodeId"), "Those of them that are mirrors."),
			keys: listOf(text("A key."), "The keys that would go along: shortcuts, `inbox`, and calendar keys."),
			forbidden_by: listOf(named("NodeId"), "The mirrors that forbid it. Empty if nothing does."),
			promoted: listOf(
				objectOf("An origin, and the mirror whose place it takes.", {
					id: named("NodeId"),
					mirror_id: named("NodeId"),
				}),
				"With `promote`: the origins that would stay, in the place of a mirror.",
			),
			detached: listOf(named("NodeId"), "With `detach`: the mirrors that would become nodes of their own."),
			copies: integer("With `detach`: how many nodes would be made. More than 100,000 are refused.", { minimum: 0 }),
		}),
	}),
	ImportAnswer: objectOf("What an import came to.", {
		report: objectOf("The report.", {
			nodes: integer("How many nodes were created.", { minimum: 0 }),
			root_ids: listOf(named("NodeId"), "The topmost of them, in their order."),
			lost: {
				type: "object",
				description: "What the outline couldn't take over, counted by kind.",
				additionalProperties: integer("How often.", { minimum: 0 }),
			},
		}),
	}),
};
