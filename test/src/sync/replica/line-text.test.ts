import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OutlineError } from "../../../../src/errors.js";
import type { DeltaFields, NodeDelta } from "../../../../src/sync/delta.js";
import type { SyncAnswer } from "../../../../src/sync/protocol.js";
import { entryPrefix } from "../../../../src/sync/replica/journal.js";
import { storedLine } from "../../../../src/sync/replica/line-text.js";
import { type Line, lineIn, lineOf } from "../../../../src/sync/replica/read-line.js";
import { numberedId } from "../../../support/ids.js";
import { newOutline } from "../../../support/outline.js";
import { contents, directRemote, newDevice } from "./direct-remote.js";

/** Texts, also with the characters that the form uses. */
const text = fc.oneof(fc.string(), fc.stringMatching(/^[~^|0-4"{}\\a]*$/));
const id = fc.oneof(
	fc.constantFrom(1, 2, 3).map(numberedId),
	text.filter((each) => each !== "" && each !== "__proto__"),
);
const time = fc.integer({ min: 0 });
const optional = { requiredKeys: [] };

const fields = fc.record(
	{
		parentId: fc.option(id),
		priority: fc.integer(),
		name: text,
		note: fc.option(text),
		layoutMode: fc.constantFrom("h1", "todo"),
		properties: fc.option(text),
		createdAt: time,
		modifiedAt: time,
		completedAt: fc.option(time),
		originId: fc.option(id),
	},
	optional,
) as fc.Arbitrary<DeltaFields>;

const node: fc.Arbitrary<NodeDelta> = fc
	.tuple(
		id,
		fc.oneof(
			fields.map((after) => ({ before: null, after })),
			fields.map((before) => ({ before, after: null })),
			fc.tuple(fields, fields).map(([before, after]) => ({ before, after })),
		),
		fc.record({ rest: fields }, optional),
		fc.oneof(fc.constant({}), fc.record({ above: fc.option(id), below: fc.option(id) })),
		fc.record({ aside: fc.constant(true as const), copyOf: id, others: fc.array(fields) }, optional),
	)
	.map(([id, change, rest, anchors, others]) => ({ id, ...change, ...rest, ...anchors, ...others }));

const known = fc.dictionary(
	id,
	fc.oneof(fc.record({ parentId: fc.option(id) }), fc.record({ parentId: fc.option(id), key: text.filter(Boolean) })),
	{ minKeys: 1 },
);
const key = fc.record({ key: text, group: text, before: fc.option(id), after: fc.option(id) });
const line: fc.Arbitrary<Line> = fc.oneof(
	fc.record({ seq: fc.nat(), more: fc.constant(true as const), nodes: fc.array(node) }),
	fc
		.record({
			seq: fc.nat(),
			at: time,
			nodes: fc.array(node),
			keys: fc.array(key),
			closed: fc.array(id),
			others: fc.record({ known, joins: fc.constant(true as const) }, optional),
		})
		.map(({ others, ...rest }) => ({ ...rest, ...others })),
);

describe("the stored text of a line", () => {
	test("gives the line again", () => {
		fc.assert(
			fc.property(line, (line) => {
				const { seq, more, ...delta } = line;
				expect(lineIn(seq, storedLine(delta))).toEqual(line);
			}),
		);
	});

	test("tells a field from another one that had its value before", () => {
		const texts = { parentId: "a", name: "b", note: "c", layoutMode: "h1", properties: "d", originId: "e" } as const;
		const numbers = { priority: 1, createdAt: 2, modifiedAt: 3, completedAt: 4 };
		const turned = (fields: object, by: number) => {
			const values = Object.values(fields);
			return Object.fromEntries(Object.keys(fields).map((name, at) => [name, values.at(at - by)]));
		};
		const before = { ...texts, ...numbers };
		const nodes = Object.keys(texts).map((_, by) => {
			const after = { ...turned(texts, by), ...turned(numbers, by % 4) };
			return { id: numberedId(by), before, after };
		});
		expect(lineIn(1, storedLine({ at: 9, nodes })).nodes).toEqual(nodes);
	});

	test("has no quotation mark of its own", () => {
		const before = { name: "a", modifiedAt: 1 };
		const after = { name: "b", modifiedAt: 2 };
		const nodes = [{ id: numberedId(1), before, after, rest: { parentId: null }, above: null, below: numberedId(2) }];
		const text = storedLine({ at: 2, nodes, known: { [numberedId(3)]: { parentId: null, key: "inbox" } } });
		expect(text).not.toContain('"');
	});

	/** A server may have an entry of a device whose program is then replaced. Its digest must stay the same. */
	test("means the same line in each release", () => {
		const stored = [
			'9^{"keys":[{"key":"inbox","group":"system","before":null,"after":"f"}],"closed":["i"],"joins":true}',
			'+a^0~^11^2b~0s^3~3^67|@^a~^bx|.{"copyOf":"b"}|+c^0a^11^2d|-e^0~^1~4^2e^68^79|-f^2old^77',
			'>^2new^78|\'^0h^15|.{"aside":true,"others":[{"note":"n"}]}|/g^0h^c2026|/^0~',
		].join("|");
		const sent = {
			seq: 12,
			at: 9,
			nodes: [
				{
					...{ id: "a", before: null, after: { parentId: null, priority: 1, name: "b~s", note: "", createdAt: 7 } },
					...{ above: null, below: "x", copyOf: "b" },
				},
				{ id: "c", before: null, after: { parentId: "a", priority: 1, name: "d" } },
				{ id: "e", before: { parentId: null, priority: 1, name: "e", createdAt: 8, modifiedAt: 9 }, after: null },
				{
					...{ id: "f", before: { name: "old", modifiedAt: 7 }, after: { name: "new", modifiedAt: 8 } },
					...{ rest: { parentId: "h", priority: 5 }, aside: true, others: [{ note: "n" }] },
				},
			],
			known: { g: { parentId: "h", key: "2026" }, h: { parentId: null } },
			...{ keys: [{ key: "inbox", group: "system", before: null, after: "f" }], closed: ["i"], joins: true },
		};
		expect(JSON.stringify(lineIn(12, stored))).toBe(JSON.stringify(sent));
	});

	test("may be the line as it is sent, as earlier releases stored it", () => {
		const sent = `{"seq":12,"at":5,"nodes":[{"id":"${numberedId(1)}","before":{"name":"a"},"after":{"name":"b"}}]}`;
		expect(JSON.stringify(lineIn(12, sent))).toBe(sent);
	});
});

test("a device sends entries of an earlier release, and later ones after them, once each", async () => {
	const server = newOutline();
	const { push, image } = directRemote(() => server);
	let lost = (answer: Promise<SyncAnswer>) => answer;
	let sent: readonly string[] = [];
	const { local, outline, replica } = newDevice({
		push(lines, signal) {
			sent = lines.slice(1);
			return lost(push(lines, signal));
		},
		image,
	});
	await replica.sync();
	const { id } = await outline.create({ name: "before" });
	await outline.create({ parent: "2026-11-26", name: "x" });
	const query = { type: "documents", prefix: entryPrefix } as const;
	const { revision, results } = await local.read([query]);
	const put = results[0].map((document) => ({ key: document.key, value: JSON.stringify(lineOf(document)) }));
	expect(put.length).toBe(2);
	await local.commit({ base: revision, nodes: [], keys: [], documents: { put, dropped: [] } });
	lost = (answer) => answer.then(() => Promise.reject(new OutlineError("storage_unavailable", "The answer is lost.")));
	await expect(replica.sync()).rejects.toMatchObject({ code: "storage_unavailable" });
	expect(sent).toEqual(put.map(({ value }) => value));
	await outline.update(id, { name: "after" });
	lost = (answer) => answer;
	await replica.sync();
	expect(await contents(outline)).toEqual(await contents(server));
	expect((await server.get(id)).name).toBe("after");
	expect(await replica.conflicts()).toEqual([]);
	expect(replica.status.current).toMatchObject({ pending: 0, phase: "idle" });
});
