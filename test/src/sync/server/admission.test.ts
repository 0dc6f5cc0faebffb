import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { beginCall } from "../../../../src/engine/call.js";
import { settingsFrom } from "../../../../src/engine/settings.js";
import { htmlModule } from "../../../../src/operations/name.js";
import { finished } from "../../../../src/pace.js";
import { admitted } from "../../../../src/sync/server/admission.js";
import { numberedId } from "../../../support/ids.js";
import { noon } from "../../../support/outline.js";

await htmlModule.load();

const now = noon / 1000;
const limits = { name: 50, note: 50, properties: 50 };
const call = beginCall(settingsFrom({ storage: createMemoryStorage(), now: () => noon, linkSchemes: ["tel"], limits }));
const [id, other] = [numberedId(1), numberedId(2)];
const whole = { parentId: null, priority: 0, name: "a", createdAt: now };

const admit = (entry: unknown) => finished(admitted(entry as never, call)).delta;
const entry = (node: object) => ({ at: now, nodes: [{ id, before: null, after: whole, ...node }] });
const after = (fields: object) => entry({ after: { ...whole, ...fields } });

const names = [
	"",
	"a & b".replace("&", "&amp;"),
	"<b>x</b>",
	'<a href="tel:1">x</a>',
	"a\nb",
	'<time datetime="2026-11-21">x</time>',
];
const notCanonical = [
	"a & b",
	"<b>x",
	"<i><script></i>",
	'<a href="foo:1">x</a>',
	'<a href="javascript:1">x</a>',
	"a\0",
	"a\r\n",
	"\ud800",
	"x".repeat(51),
	1,
	null,
];

test.each(names)("the name %j is admitted", (name) => {
	expect(admit(after({ name }))).toEqual(after({ name }));
});

test("a missing field is named, with what it must be", () => {
	expect(() => admit(entry({ id: undefined }))).toThrow("id is missing and must be an id in lower case.");
});

test.each(notCanonical)("the name %j is refused", (name) => {
	expect(() => admit(after({ name }))).toThrow("name");
});

test.each([
	["priority", [0.5, "1", null, 2 ** 52, -(2 ** 52), Number.NaN]],
	["parentId", ["x", "ABCDEF00-0000-4000-8000-000000000001", 1, "", id.slice(-12)]],
	["originId", ["x", id, 1]],
	["note", ["a\0", "a\r", "\udc00", "x".repeat(51), 1, {}]],
	["layoutMode", ["h4", "", null, 1]],
	[
		"properties",
		[
			"",
			"{}",
			"[]",
			"null",
			'{"a":null}',
			'{"b":1,"a":2}',
			'{"a": 1}',
			'{"":1}',
			`{"a":"${"x".repeat(50)}"}`,
			{},
			'{"a":"\\u0000"}',
		],
	],
	["createdAt", [null, 0.5, "1", 1e12]],
	["modifiedAt", [null, -1e12]],
	["completedAt", ["x", 1.5]],
] as const)("%s is refused unless it is as a storage keeps it", (field, values) => {
	for (const value of values) {
		expect(() => admit(after({ [field]: value })), String(value)).toThrow();
		expect(() => admit(entry({ before: {}, after: { [field]: value } })), String(value)).toThrow();
	}
});

test("valid fields are admitted as they are, without unknown ones", () => {
	const fields = {
		parentId: other,
		priority: -(3 * 2 ** 50),
		note: "note\n",
		layoutMode: "code-block",
		properties: '{"a":1,"b":["x"]}',
		modifiedAt: now - 1,
		completedAt: now - 2,
		originId: other,
	};
	const more = { above: other, below: null, aside: true, copyOf: other };
	const given = entry({ after: { ...whole, ...fields }, ...more });
	const known = { [other]: { parentId: null, key: "2026-11-21" }, [id]: { parentId: other } };
	const keys = [
		{ key: "2026-11-21", group: "2026-11", before: null, after: id },
		{ key: "k", group: "shortcut", before: id, after: null },
	];
	const delta = { ...given, keys, known, closed: ["0000000000000012-3"] };
	expect(admit({ ...delta, seq: 1, extra: [], nodes: [{ ...given.nodes[0], revision: 1 }] })).toEqual(delta);
	expect(admit(after({ revision: 5, evil: true }))).toEqual(after({}));
});

test("a time after now becomes now, of a completion only one more than a day after now", () => {
	const later = { createdAt: now + 5, modifiedAt: now + 6, completedAt: now + 86_401 };
	const admittedTimes = { createdAt: now - 1, modifiedAt: now, completedAt: now };
	expect(admit({ ...after(later), at: now + 9 })).toEqual(after(admittedTimes));
	const completedAt = now + 86_400;
	expect(admit({ ...after({ ...later, completedAt }), at: now + 9 })).toEqual(after({ ...admittedTimes, completedAt }));
});

test("old values needn't be what the host would store today", () => {
	const before = { name: '<a href="foo:1">x</a>', note: "x".repeat(100), properties: `{"a":"${"x".repeat(60)}"}` };
	expect(admit(entry({ before, after: { name: "b" } }))).toEqual(entry({ before, after: { name: "b" } }));
	// The server may store these, so the link becomes text.
	const rest = { name: '<a href="foo:1">x</a>', parentId: null };
	const mended = '&lt;a href="foo:1"&gt;x&lt;/a&gt;';
	expect(admit(entry({ before: {}, after: {}, rest })).nodes[0]!.rest).toEqual({ ...rest, name: mended });
	const long = { name: "x".repeat(51), note: "x".repeat(51), properties: `{"a":"${"x".repeat(50)}"}` };
	const kept = { parentId: null, createdAt: now };
	expect(admit(entry({ before: {}, after: {}, rest: { ...kept, ...long } })).nodes[0]!.rest).toEqual(kept);
});

test("long properties aren't parsed: those before a change are left out, and others are refused by their length", () => {
	const before = { name: "b", properties: `{"a":"${"x".repeat(65_536)}"}` };
	const change = { after: { name: "a", properties: null } };
	expect(admit(entry({ before, ...change }))).toEqual(entry({ before: { name: "b" }, ...change }));
	expect(() => admit(after({ properties: "x".repeat(51) }))).toThrow(
		"The properties have more than 50 characters of JSON.",
	);
});

test.each([
	["no time", { nodes: [] }],
	["a time that is none", { at: "now", nodes: [] }],
	["no nodes", { at: now }],
	["nodes that are no list", { at: now, nodes: {} }],
	["a node that is no object", { at: now, nodes: [1] }],
	["a node twice", { at: now, nodes: [...entry({}).nodes, ...entry({}).nodes] }],
	["a node without an id", entry({ id: undefined })],
	["an id in upper case", entry({ id: `${id.slice(0, -1)}A` })],
	["neither before nor after", entry({ after: null })],
	["no before", entry({ before: undefined })],
	["no after", entry({ after: undefined })],
	["a new node without a parent", after({ parentId: undefined })],
	["a new node without a name", after({ name: undefined })],
	["a deleted node without a priority", entry({ before: { ...whole, priority: undefined }, after: null })],
	["an anchor that is no id", entry({ above: "x" })],
	["a copy of nothing", entry({ copyOf: null })],
	["a rest that is no object", entry({ rest: null })],
	["keys that are no list", { ...entry({}), keys: {} }],
	["a key that can't be", { ...entry({}), keys: [{ key: "2026-02-30", group: "2026-02", before: null, after: id }] }],
	["a reserved shortcut", { ...entry({}), keys: [{ key: "None", group: "shortcut", before: null, after: id }] }],
	["a key of another group", { ...entry({}), keys: [{ key: "k", group: "system", before: null, after: id }] }],
	["a key without a node", { ...entry({}), keys: [{ key: "k", group: "shortcut", before: null }] }],
	[
		"a key twice",
		{
			...entry({}),
			keys: [
				{ key: "k", group: "shortcut", before: null, after: id },
				{ key: "k", group: "shortcut", before: null, after: other },
			],
		},
	],
	["a known node that is none", { ...entry({}), known: { x: { parentId: null } } }],
	["a known node without a parent", { ...entry({}), known: { [id]: {} } }],
	["a known key that can't be", { ...entry({}), known: { [id]: { parentId: null, key: "2026-13" } } }],
	["a conflict that is none", { ...entry({}), closed: ["x"] }],
	["closed conflicts that are no list", { ...entry({}), closed: "0000000000000012-3" }],
])("an entry with %s is refused", (_, given) => {
	expect(() => admit(given)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
});
