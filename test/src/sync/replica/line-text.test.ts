import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeltaFields, NodeDelta } from "../../../../src/sync/delta.js";
import { type Line, lineIn, sentLine, storedLine } from "../../../../src/sync/replica/line-text.js";
import { numberedId } from "../../../support/ids.js";

/** Texts with the characters that the form uses, and what they become. */
const text = fc.oneof(fc.string(), fc.stringMatching(/^[~^|0-5"'{}\\a]*$/));
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
			known,
			closed: fc.array(id),
			joins: fc.option(fc.constant(true as const), { nil: undefined }),
		})
		.map(({ joins, ...rest }) => ({ ...rest, ...(joins && { joins }) })),
);

describe("the stored text of a line", () => {
	test("gives the line again", () => {
		fc.assert(
			fc.property(line, (line) => {
				expect(sentLine(lineIn(line.seq, storedLine(line)))).toBe(sentLine(line));
			}),
		);
	});

	test("has no quotation mark of its own", () => {
		const before = { name: "a", modifiedAt: 1 };
		const after = { name: "b", modifiedAt: 2 };
		const nodes = [{ id: numberedId(1), before, after, rest: { parentId: null }, above: null, below: numberedId(2) }];
		const text = storedLine({ seq: 1, at: 2, nodes, known: { [numberedId(3)]: { parentId: null, key: "inbox" } } });
		expect(text).not.toContain('"');
	});

	/** A server may have an entry of a device whose program is then replaced. Its digest must stay the same. */
	test("means the same line in each release", () => {
		const stored = [
			"9|+a^0~^11^2b ~1 ~2 ~0^3~3^67|@~^x|=b|+c^0~4^1~5^2d|-e^0~^12^2e^68^7~6|*f^2old^77",
			'>^2new^78|\'^0~4^15|!|o[{"note":"n"}]|kinbox^system^~^f|/g^h^2026|/^~|xi|j',
		].join("|");
		const nodes = [
			'{"id":"a","before":null,"after":{"parentId":null,"priority":1,"name":"b ^ | ~","note":"","createdAt":7}',
			'"above":null,"below":"x","copyOf":"b"},{"id":"c","before":null,"after":{"parentId":"a","priority":1,"name":"d"}}',
			'{"id":"e","before":{"parentId":null,"priority":2,"name":"e","createdAt":8,"modifiedAt":9},"after":null}',
			'{"id":"f","before":{"name":"old","modifiedAt":7},"after":{"name":"new","modifiedAt":8}',
			'"rest":{"parentId":"f","priority":5},"aside":true,"others":[{"note":"n"}]}',
		].join(",");
		const others = [
			'"keys":[{"key":"inbox","group":"system","before":null,"after":"f"}]',
			'"known":{"g":{"parentId":"h","key":"2026"},"h":{"parentId":null}},"closed":["i"],"joins":true',
		].join(",");
		expect(sentLine(lineIn(12, stored))).toBe(`{"seq":12,"at":9,"nodes":[${nodes}],${others}}`);
	});

	test("may be the line as it is sent, as earlier releases stored it", () => {
		const sent = `{"seq":12,"at":5,"nodes":[{"id":"${numberedId(1)}","before":{"name":"a"},"after":{"name":"b"}}]}`;
		expect(sentLine(lineIn(12, sent))).toBe(sent);
	});
});
