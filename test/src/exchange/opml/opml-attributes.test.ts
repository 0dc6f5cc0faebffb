import { expect, test } from "vitest";
import { newOutline } from "../../../support/outline.js";

/** Returns the node that an element with these attributes becomes, and the losses. */
async function imported(attributes: string) {
	const outline = newOutline();
	const file = `<opml version="2.0"><body><outline ${attributes}/></body></opml>`;
	const { rootIds, lost } = await outline.import(file, { format: "opml" });
	return { node: await outline.get(rootIds[0]!), lost };
}

const completions = ["_complete", "complete", "completed", "_completed", "_status", "_checked", "checked"];
const words: [string, boolean][] = [
	...["true", "yes", "1", "x", "checked", "done", " TRUE "].map((word): [string, boolean] => [word, true]),
	...["false", "no", "0", "", "unchecked", "indeterminate"].map((word): [string, boolean] => [word, false]),
];

test.each([
	...completions.map((name) => [name, "true", true] as const),
	...words.map(([word, completed]) => ["_complete", word, completed] as const),
])('%s="%s" sets whether a node is completed: %s', async (name, word, completed) => {
	const { node, lost } = await imported(`text="a" ${name}="${word}"`);
	expect([node.completed, lost]).toEqual([completed, {}]);
});

test.each<readonly [string, string, string]>([
	...["checkbox", "_checkbox", "_task", "task"].map((name) => [name, "true", "todo"] as const),
	...words.map(([word, is]) => ["checkbox", word, is ? "todo" : "bullets"] as const),
	["heading", "1", "h1"],
	["_heading", "2", "h2"],
	["heading", "h3", "h3"],
	["heading", "H1", "h1"],
])('%s="%s" sets the layout mode %s', async (name, word, layoutMode) => {
	const { node, lost } = await imported(`text="a" ${name}="${word}"`);
	expect([node.layoutMode, lost]).toEqual([layoutMode, {}]);
});

test.each([
	["heading", "4"],
	["heading", "0"],
	["heading", "1h"],
	["checkbox", "perhaps"],
	["_complete", "perhaps"],
	["unknown", "a"],
])('%s="%s" has no known meaning and counts as lost', async (name, word) => {
	const { node, lost } = await imported(`text="a" ${name}="${word}"`);
	expect([node.layoutMode, node.completed, lost]).toEqual(["bullets", false, { [`attribute ${name}`]: 1 }]);
});

test.each([
	['title="a"', "a", {}],
	['text="a" title="a"', "a", {}],
	['text="a" title="b"', "a", { "attribute title": 1 }],
	['text="a" url="https://x.example/"', '<a href="https://x.example/">a</a>', {}],
	['text="a" htmlUrl="https://x.example/"', '<a href="https://x.example/">a</a>', {}],
	['text="a" xmlUrl="https://x.example/" type="rss"', '<a href="https://x.example/">a</a>', {}],
	['text="" url="https://x.example/"', '<a href="https://x.example/">https://x.example/</a>', {}],
	['text="a" url="javascript:x"', "a", { "attribute url": 1 }],
	['text="a" empty=""', "a", {}],
])("an element with %s becomes a node with the name %s", async (attributes, name, lost) => {
	expect(await imported(attributes)).toMatchObject({ node: { name }, lost });
	expect((await imported(attributes)).lost).toEqual(lost);
});
