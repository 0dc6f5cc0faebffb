import fc from "fast-check";
import { expect, test } from "vitest";
import { OutlineError } from "../../../../src/errors.js";
import { layoutModes } from "../../../../src/layout-mode.js";
import type { Outline } from "../../../../src/outline.js";
import type { Delta, KeyDelta, NodeDelta } from "../../../../src/sync/delta.js";
import { fieldsOfRecord } from "../../../../src/sync/record-fields.js";
import { soak } from "../../../setup/soak.js";
import { countedIds, numberedId } from "../../../support/ids.js";
import { exported, newOutline, noon, plant } from "../../../support/outline.js";
import { entryTime, SyncDevice } from "../../../support/sync-device.js";

/** Draws random values for the deltas of one run. */
class Draw {
	readonly #next: (below: number) => number;

	constructor(start: number) {
		let state = start >>> 0;
		this.#next = (below) => {
			state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
			return Math.floor((state / 2 ** 32) * below);
		};
	}

	below(limit: number): number {
		return this.#next(limit);
	}

	/** Whether one of so many turns has come. */
	once(turns: number): boolean {
		return this.#next(turns) === 0;
	}

	of<T>(items: readonly T[]): T {
		return items[this.#next(items.length)]!;
	}
}

const texts = [
	"",
	"a",
	"word word",
	"&lt;",
	"<b>x</b>",
	'<time datetime="2026-11-21">2026-11-21</time>',
	"x".repeat(500),
];
const keys = ["k", "inbox", "calendar", "2026", "2026-11", "2026-11-21"];
const groups: Record<string, string> = {
	k: "shortcut",
	inbox: "system",
	calendar: "system",
	"2026": "calendar",
	"2026-11": "2026",
	"2026-11-21": "2026-11",
};

/** A delta that a device could have made of some nodes, of whose places it may be wrong. */
function plausible(draw: Draw, ids: readonly string[], fresh: readonly string[]): Delta {
	const everyId = [...ids, ...fresh];
	const maybe = () => (draw.once(4) ? null : draw.of(everyId));
	const fields = () => ({
		parentId: maybe(),
		priority: draw.of([0, 1, -5, 2 ** 20, 3 * 2 ** 50, draw.below(9)]),
		name: draw.of(texts),
		createdAt: entryTime,
		...(draw.once(3) && { note: draw.of(texts) }),
		...(draw.once(3) && { layoutMode: draw.of(layoutModes) }),
		...(draw.once(4) && { properties: '{"due":"2026-12-01"}' }),
		...(draw.once(4) && { completedAt: entryTime }),
		...(draw.once(3) && { originId: draw.of(everyId) }),
	});
	const some = () => {
		const all = Object.entries({ ...fields(), originId: maybe() });
		return Object.fromEntries(all.filter(() => draw.once(2)));
	};
	const anchors = () => ({
		...(draw.once(2) && { above: maybe(), below: maybe() }),
		...(draw.once(8) && { aside: true as const }),
		...(draw.once(8) && { copyOf: draw.of(everyId) }),
	});
	const chosen = new Set(Array.from({ length: 1 + draw.below(5) }, () => draw.of(everyId)));
	const nodes = [...chosen].map((id): NodeDelta => {
		const kind = draw.below(5);
		if (kind === 0) return { id, before: fields(), after: null };
		if (kind < 3) return { id, before: null, after: fields(), ...anchors() };
		return { id, before: some(), after: some(), ...(draw.once(2) && { rest: fields() }), ...anchors() };
	});
	const chosenKeys = new Set(draw.once(3) ? Array.from({ length: 1 + draw.below(3) }, () => draw.of(keys)) : []);
	const known = [...new Set(Array.from({ length: draw.below(4) }, () => draw.of(everyId)))];
	return {
		at: draw.of([entryTime, noon / 1000 + 5000, 1]),
		nodes,
		keys: [...chosenKeys].map((key): KeyDelta => ({ key, group: groups[key]!, before: maybe(), after: maybe() })),
		known: Object.fromEntries(
			known.map((id) => [id, { parentId: maybe(), ...(draw.once(3) && { key: draw.of(keys) }) }]),
		),
	};
}

const strange: readonly unknown[] = [
	null,
	true,
	-1,
	0.5,
	1e308,
	2 ** 53,
	"",
	"\0",
	"\ud800",
	"a\r\nb",
	"<script>",
	"<b>x",
	'<a href="javascript:x">x</a>',
	"__proto__",
	"constructor",
	"2026-02-30",
	"None",
	[],
	[[]],
	{},
	{ __proto__: null, toString: 1 },
	'{"a":1 }',
	"9999999999999999-1",
];

/** Replaces some members of a JSON value, at any depth. */
function mutated(draw: Draw, value: unknown, others: readonly unknown[]): unknown {
	if (draw.once(12)) return draw.of([...strange, ...others]);
	if (Array.isArray(value)) {
		const items = value.map((each) => mutated(draw, each, others));
		return draw.once(12) ? [...items, ...items] : items;
	}
	if (typeof value !== "object" || value === null) return value;
	const members = Object.entries(value).filter(() => !draw.once(20));
	return Object.fromEntries(members.map(([name, each]) => [name, mutated(draw, each, others)]));
}

async function assertSound(outline: Outline, hint: string): Promise<void> {
	const { problems } = await outline.verify();
	expect(problems, hint).toEqual([]);
}

async function outlineToAttack(): Promise<Outline> {
	const outline = newOutline({ generateId: countedIds() });
	const { a, b } = await plant(outline, "a #a\n  b #b\n    c\n  d\ne\n  (mirror a)\n    f\n  (mirror b)");
	await outline.update(a!, { note: "note", properties: { due: "2026-12-01" } });
	await outline.setShortcut("k", b!);
	await outline.create({ parent: "2026-11-21", name: "in a day" });
	await outline.create({ parent: "inbox", name: "in the inbox" });
	return outline;
}

/** Pushes entries as a device that believes everything, and checks the outline after each. */
async function attack(
	start: number,
	change: (draw: Draw, delta: Delta, ids: readonly string[]) => unknown,
): Promise<void> {
	const draw = new Draw(start);
	const outline = await outlineToAttack();
	let device = new SyncDevice();
	const fresh = [1, 2, 3, 4].map((number) => numberedId(0xabcdef000 + number));
	for (let count = 0; count < 12; count++) {
		const ids = (await exported(outline)).map(({ id }) => id);
		const delta = plausible(draw, ids, fresh);
		device.add(change(draw, delta, [...ids, ...fresh]) as Delta);
		const hint = device.entries.at(-1)!.lines.join("\n");
		try {
			device.take(await outline.sync(device.push()));
		} catch (error) {
			if (!(error instanceof OutlineError)) throw new Error(hint, { cause: error });
			expect(error.code, hint).toBe("invalid_argument");
			device = new SyncDevice();
		}
		await assertSound(outline, hint);
	}
	// A device that follows the answers has what the server has.
	const follower = new SyncDevice();
	await follower.sync(outline);
	device.limit = 10_000;
	await device.sync(outline).catch(() => {});
	expect(new Map([...follower.nodes].sort())).toEqual(new Map([...device.nodes].sort()));
}

const runs = { numRuns: 100 * soak };

test("no plausible entry breaks a rule of the outline", () =>
	fc.assert(
		fc.asyncProperty(fc.nat(), (start) => attack(start, (_, delta) => delta)),
		runs,
	));

test("no mutated entry breaks a rule of the outline, or throws anything but its refusal", () =>
	fc.assert(
		fc.asyncProperty(fc.nat(), (start) => attack(start, (draw, delta, ids) => mutated(draw, delta, ids))),
		runs,
	));

test("no mutated text of a push breaks a rule of the outline", () =>
	fc.assert(
		fc.asyncProperty(fc.nat(), async (start) => {
			const draw = new Draw(start);
			const outline = await outlineToAttack();
			const ids = (await exported(outline)).map(({ id }) => id);
			const device = new SyncDevice();
			for (let count = 0; count < 5; count++) device.add(plausible(draw, ids, [numberedId(0xabcdef000)]));
			for (let count = 0; count < 10; count++) {
				const lines = device.push().map((line) => {
					if (!draw.once(3)) return line;
					const at = draw.below(line.length);
					return (
						line.slice(0, at) +
						draw.of(["", "0", '"', "}", "[", "\0", ",", "\n", "\\u0000"]) +
						line.slice(at + draw.below(3))
					);
				});
				if (draw.once(3)) lines.splice(draw.below(lines.length), 1);
				if (draw.once(3)) lines.push(draw.of(lines));
				await outline.sync(lines).catch((error: unknown) => expect(error).toBeInstanceOf(OutlineError));
				await assertSound(outline, lines.join("\n"));
			}
		}),
		{ numRuns: 30 * soak },
	));

test("parents that a delta knows in a circle lead to the inbox", async () => {
	const outline = await outlineToAttack();
	const device = new SyncDevice();
	const [id, above, below] = [7, 8, 9].map((number) => numberedId(0xabcdef000 + number)) as [string, string, string];
	const node = { id, before: null, after: { parentId: above, priority: 0, name: "lost", createdAt: entryTime } };
	device.add({ nodes: [node], known: { [above]: { parentId: below }, [below]: { parentId: above } } });
	await device.sync(outline);
	expect((await outline.get(id)).parentId).toBe((await outline.get("inbox")).id);
	expect([...device.conflicts.values()]).toMatchObject([{ kind: "parent", nodeId: id, other: above }]);
	await assertSound(outline, "");
});

test("a record gets no unknown field", async () => {
	const outline = await outlineToAttack();
	const device = new SyncDevice();
	device.add({
		nodes: [{ id: numberedId(1), before: null, after: { ...fieldsOfRecord({} as never), evil: 1 } as never }],
	});
	await device.sync(outline);
	expect(device.refused).toHaveLength(1);
});
