import type { LayoutMode } from "../../../src/layout-mode.js";
import type { TextFormat } from "../../../src/operations/name.js";
import type { Target } from "../../../src/read/targets.js";
import type { WireMirror, WireNode } from "../endpoints/wire.js";
import { flag, integer, listOf, named, nullable, objectLike, type Schema, text, word } from "./schema.js";

const layoutModes: Readonly<Record<LayoutMode, true>> = {
	bullets: true,
	todo: true,
	h1: true,
	h2: true,
	h3: true,
	"code-block": true,
	"quote-block": true,
};

const textFormats: Readonly<Record<TextFormat, true>> = { markdown: true, html: true, text: true };

/** How a node is displayed. */
export const layoutMode = word("How the node is displayed. `todo` is a task; `bullets` is the usual.", [
	...Object.keys(layoutModes),
]);

/** What a name is written in. */
export const textFormat = word(
	"What the name is written in: Markdown, an HTML fragment, or text that is taken to the letter.",
	Object.keys(textFormats),
);

const seconds = (what: string) => integer(`${what}, in Unix seconds.`);

/** The id of a node, as answers give it. */
export const nodeId = text("The full id of a node.", {
	pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
});

/** Ids from the top level, or from where a request began, to a node. */
const path = {
	...listOf(
		named("NodeId"),
		"The ids from where the request began, or from the top level, to the node itself: the last 32 of them at most.",
	),
	minItems: 1,
	maxItems: 32,
};

type MirrorOfOrigin = Extract<WireMirror, { origin_id: unknown }>;
type OriginOfMirrors = Extract<WireMirror, { mirror_ids: unknown }>;

/** The named schemas of nodes and what belongs to them. */
export const nodeSchemas: Readonly<Record<string, Schema>> = {
	NodeId: nodeId,
	Node: objectLike<WireNode>("A bullet of the outline.", {
		id: named("NodeId"),
		parent_id: {
			anyOf: [named("NodeId"), { type: "null" }],
			description: "The node that it stands below; `null` at the top level.",
		},
		name: text("Its text: an HTML fragment with `<b> <i> <s> <code> <a href>` and `<time datetime>`, else escaped."),
		note: nullable(text("Plain text below the main text.")),
		priority: integer("Its place among its siblings: lower ones come first."),
		completed: flag("Whether it is completed."),
		createdAt: seconds("When it was created"),
		modifiedAt: seconds("When its name, note, display or completion changed last"),
		completedAt: nullable(seconds("When it was completed")),
		data: objectLike<WireNode["data"]>(
			"How it is displayed, and what it is a mirror or an origin of.",
			{ layoutMode, mirror: named("Mirror") },
			"mirror",
		),
	}),
	Mirror: {
		description: "On mirrors and on origins that have mirrors; absent on every other node.",
		oneOf: [
			objectLike<MirrorOfOrigin>("The node is a mirror.", {
				origin_id: {
					anyOf: [named("NodeId"), { type: "null" }],
					description: "The node whose content it shows; `null` if that can't be reached.",
				},
			}),
			objectLike<OriginOfMirrors>("The node is the origin of mirrors.", { mirror_ids: listOf(named("NodeId")) }),
		],
	},
	NodeWithPath: {
		allOf: [named("Node"), objectLike<{ path: string[] }>("Where it was found.", { path })],
	},
	NodeInTree: {
		allOf: [
			named("NodeWithPath"),
			objectLike<{ depth: number }>("How deep it stands.", {
				depth: integer("How many ids its whole path has before its own.", { minimum: 0 }),
			}),
		],
	},
	Hit: {
		allOf: [
			named("NodeWithPath"),
			objectLike<{ score: number }>("How well it fits.", {
				score: { type: "number", description: "The more, the better; comparable within one answer." },
			}),
		],
	},
	Target: objectLike<Target>("A named entry point into the outline.", {
		key: text("What stands for the node wherever a reference is taken."),
		type: word("Set by the user, or always there.", ["shortcut", "system"]),
		name: nullable(text("The name of its node; `null` for a system target whose node doesn't exist yet.")),
	}),
};
