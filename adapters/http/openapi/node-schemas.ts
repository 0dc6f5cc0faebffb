import type { ChangedKey } from "../../../src/engine/event.js";
import type { LayoutMode } from "../../../src/layout-mode.js";
import type { TextFormat } from "../../../src/operations/name.js";
import type { HitAncestor, HitRanges, TextRange } from "../../../src/read/search/options.js";
import type { Target } from "../../../src/read/targets.js";
import type { WireHit, WireMirror, WireNode } from "../server/wire.js";
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

/** The schema of a layout mode. */
export const layoutMode = word("The layout mode of the node. `todo` is a task; `bullets` is the default.", [
	...Object.keys(layoutModes),
]);

/** The schema of a name's format. */
export const textFormat = word(
	"The format of the name: Markdown, an HTML fragment, or plain text.",
	Object.keys(textFormats),
);

/** The schema of properties in answers. */
export const properties: Schema = {
	type: "object",
	description: "JSON values of the host by their keys; absent if there are none. None of them is `null`.",
	propertyNames: { minLength: 1, maxLength: 64 },
	additionalProperties: { not: { type: "null" } },
};

const seconds = (time: string) => integer(`${time}, in Unix seconds.`);

/** The schema of a node's id in answers. */
const nodeId = text("The full id of a node.", {
	pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
});

const path = {
	...listOf(
		named("NodeId"),
		"The ids from the request's root, or from the top level, to the node itself: the last 32 of them at most.",
	),
	minItems: 1,
	maxItems: 32,
};

/** The schema of the ranges of a text. */
const ranges = (of: string): Schema => ({
	...listOf(
		objectLike<TextRange>("A range, in UTF-16 code units.", {
			start: integer("The offset of its first character.", { minimum: 0 }),
			end: integer("The offset behind its last character.", { minimum: 1 }),
		}),
		`In the text of ${of}: in ascending order, without overlaps, the first 32 at most.`,
	),
	maxItems: 32,
});

type MirrorOfOrigin = Extract<WireMirror, { origin_id: unknown }>;
type OriginOfMirrors = Extract<WireMirror, { mirror_ids: unknown }>;

/** The named schemas of nodes and of their parts. */
export const nodeSchemas: Readonly<Record<string, Schema>> = {
	NodeId: nodeId,
	Node: objectLike<WireNode>("A bullet of the outline.", {
		id: named("NodeId"),
		parent_id: {
			anyOf: [named("NodeId"), { type: "null" }],
			description: "The id of the parent; `null` at the top level.",
		},
		name: text(
			"The text: escaped HTML with the tags `<b>`, `<i>`, `<s>`, `<code>`, `<a href>` and `<time datetime>` alone.",
		),
		note: nullable(text("The plain text below the name.")),
		priority: integer("A number that orders siblings: the lowest comes first."),
		completed: flag("Whether the node is completed."),
		createdAt: seconds("The time of creation"),
		modifiedAt: seconds("The time of the last change of name, note, layout mode, properties or completion"),
		completedAt: nullable(seconds("The time of completion")),
		data: objectLike<WireNode["data"]>(
			"The layout mode, the properties and the mirror relation.",
			{ layoutMode, properties, mirror: named("Mirror") },
			"properties",
			"mirror",
		),
	}),
	Mirror: {
		description: "Present on mirrors and on origins with mirrors; absent on all other nodes.",
		oneOf: [
			objectLike<MirrorOfOrigin>("The node is a mirror.", {
				origin_id: {
					anyOf: [named("NodeId"), { type: "null" }],
					description: "The node whose content the mirror shows; `null` if it can't be read.",
				},
			}),
			objectLike<OriginOfMirrors>("The node is the origin of mirrors.", { mirror_ids: listOf(named("NodeId")) }),
		],
	},
	NodeWithPath: {
		allOf: [named("Node"), objectLike<{ path: string[] }>("The path of the node.", { path })],
	},
	NodeInTree: {
		allOf: [
			named("NodeWithPath"),
			objectLike<{ depth: number }>("The depth of the node.", {
				depth: integer("The number of ids before its own in the whole path.", { minimum: 0 }),
			}),
		],
	},
	Hit: {
		allOf: [
			named("Node"),
			objectLike<Omit<WireHit, keyof WireNode>>(
				"How the query finds the node.",
				{
					path,
					score: { type: "number", description: "A higher score is a better match; comparable within one answer." },
					date: text(
						"With the order `date`: the first date of the node that a `date:` term finds, or else its first date, such as " +
							"`2026-12-01` or `2026-12-01T09:30+01:00`. Absent if the node has no date.",
					),
					ancestors: {
						...listOf(
							objectLike<HitAncestor>("An ancestor.", {
								id: named("NodeId"),
								name: text("The name as in a node; if it has more than 200 characters, the beginning of its text."),
							}),
							"With `ancestors`: the nodes above the node, from the top level down: the last 32 of them at most.",
						),
						maxItems: 32,
					},
					ranges: objectLike<HitRanges>(
						"With `ranges`: the words, phrases and tags of the query in the texts of the node.",
						{
							name: ranges("the name, as a user reads it: without tags, and with its escapes decoded"),
							note: ranges("the note"),
						},
					),
				},
				"date",
				"ancestors",
				"ranges",
			),
		],
	},
	ChangedKey: objectLike<{ key: string; type: string; node_id: string | null }>("A key that was set or dropped.", {
		key: text("A shortcut, `inbox`, `calendar`, or a date of the calendar such as `2026-11`."),
		type: word("`system`: the inbox or the calendar's root. `calendar`: a year, month or day.", [
			"shortcut",
			"system",
			"calendar",
		] satisfies ChangedKey["type"][]),
		node_id: {
			anyOf: [named("NodeId"), { type: "null" }],
			description: "The node that the key names now; `null` if the key was dropped.",
		},
	}),
	Target: objectLike<Target>("A named entry point into the outline.", {
		key: text("The key; each parameter that accepts a reference accepts it."),
		type: word("`shortcut`: set by the user. `system`: always present.", ["shortcut", "system"]),
		name: nullable(text("The name of the node; `null` for a system target whose node doesn't exist yet.")),
	}),
};
