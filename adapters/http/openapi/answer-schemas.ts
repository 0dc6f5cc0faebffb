import { flag, integer, listOf, named, objectOf, type Schema, text } from "./schema.js";

const mirror = objectOf("The list is below a mirror.", {
	origin_id: { anyOf: [named("NodeId"), { type: "null" }], description: "The origin of that mirror." },
});
const itemId = { item_id: named("NodeId") };

/** The named schemas of answers. */
export const answerSchemas: Readonly<Record<string, Schema>> = {
	Done: objectOf("The operation succeeded.", { status: { type: "string", const: "ok" } }),
	Created: objectOf("The id of the created node.", itemId),
	CreatedTree: objectOf("The ids of a created node and its subtree.", {
		...itemId,
		item_ids: listOf(named("NodeId"), "The ids of all created nodes, each parent before its children."),
	}),
	CreatedMirror: objectOf("The id of the created mirror.", {
		...itemId,
		origin_id: { anyOf: [named("NodeId"), { type: "null" }], description: "Its origin." },
	}),
	NodeAnswer: objectOf("A node.", { node: named("Node") }),
	NodeList: objectOf("Children.", { nodes: listOf(named("Node")), mirror }, ["mirror"]),
	AllNodes: objectOf("All nodes as a flat list in no order.", { nodes: listOf(named("Node")) }),
	TargetList: objectOf("The system targets, then the shortcuts.", { targets: listOf(named("Target")) }),
	BatchResults: objectOf("The results of a batch.", {
		results: listOf(
			{ anyOf: ["Done", "Created", "CreatedTree", "CreatedMirror"].map(named) },
			"For each operation, the answer of its request.",
		),
		ids: {
			type: "object",
			description: "The ids of the nodes that the batch names with `as`, by name.",
			additionalProperties: named("NodeId"),
		},
	}),
	VisibleTree: objectOf("Visible nodes, each parent before its children.", {
		nodes: listOf(named("NodeInTree")),
		cursor: {
			type: ["string", "null"],
			maxLength: 5000,
			description:
				"Send it to continue; `null` at the end. It is opaque, and safe to keep. The answer to it is `invalid_argument` " +
				"if its ancestors have been moved or deleted: then begin again without it.",
		},
	}),
	Hits: objectOf("Nodes, the best first.", { nodes: listOf(named("Hit")) }),
	Backlinks: objectOf(
		"The nodes that link to the node.",
		{
			nodes: { ...listOf(named("NodeWithPath")), maxItems: 1000 },
			more: { type: "boolean", const: true, description: "Present if there are more nodes." },
		},
		["more"],
	),
	Tags: objectOf("The most frequent first.", {
		tags: listOf(
			objectOf("A tag.", {
				tag: text("The tag with its `#` or `@`."),
				count: integer("The number of nodes with the tag.", { minimum: 1 }),
			}),
		),
	}),
	Changes: objectOf(
		"The changes since a revision.",
		{
			nodes: listOf(named("Node"), "The changed nodes that still exist, as they are now."),
			deleted: listOf(named("NodeId"), "The ids of the deleted nodes."),
			keys: listOf(named("ChangedKey"), "The keys that were set or dropped."),
			revision: integer("The answer has all changes up to this revision. Send it as `since` the next time.", {
				minimum: 0,
			}),
			more: flag("Whether there are more changes. If so, send the next request at once."),
			expired: {
				type: "boolean",
				const: true,
				description:
					"Present in an event that begins again with everything, because deletions since the client's revision have been " +
					"pruned: the client drops its copy first.",
			},
		},
		["expired"],
	),
	ChangedRevision: objectOf("A commit that may have changed the nodes in sight of a key for a part of an outline.", {
		revision: integer("The revision of the commit.", { minimum: 1 }),
	}),
	DeletionPlanAnswer: objectOf("The effects of a deletion.", {
		plan: objectOf("The plan.", {
			node_ids: listOf(named("NodeId"), "The nodes that would be deleted."),
			mirror_ids: listOf(named("NodeId"), "The mirrors among these nodes."),
			keys: listOf(text("A key."), "The keys that would be deleted: shortcuts, `inbox`, and calendar keys."),
			forbidden_by: listOf(named("NodeId"), "The mirrors that forbid the deletion. Empty if none does."),
			promoted: listOf(
				objectOf("An origin, and the mirror whose place it takes.", {
					id: named("NodeId"),
					mirror_id: named("NodeId"),
				}),
				"With `promote`: the origins that would stay, each in the place of a mirror.",
			),
			detached: listOf(named("NodeId"), "With `detach`: the mirrors that would become independent nodes."),
			copies: integer("With `detach`: the number of nodes to create. More than 100,000 are refused.", { minimum: 0 }),
		}),
	}),
	ImportAnswer: objectOf("The result of an import.", {
		report: objectOf("The report.", {
			nodes: integer("The number of created nodes.", { minimum: 0 }),
			root_ids: listOf(named("NodeId"), "The ids of the imported nodes without an imported parent, in order."),
			lost: {
				type: "object",
				description: "The number of things that the outline can't hold, by kind.",
				additionalProperties: integer("The number.", { minimum: 0 }),
			},
		}),
	}),
};
