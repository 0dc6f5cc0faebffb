import { expect, test } from "vitest";
import { Random } from "../conformance/random.js";
import { seed, soak } from "../setup/soak.js";
import { numberedId } from "../support/ids.js";
import { exported, plant } from "../support/outline.js";
import { expectEqual } from "./meeting.js";
import { Site } from "./site.js";

const scene = `
a #a
  b #b
    c #c
  (mirror c) #m
d #d
  (mirror b) #n
    e #e
f`;

/** Values of the wrong type, or out of every range. */
const junk: readonly unknown[] = [
	undefined,
	null,
	"",
	"None",
	-1,
	0.5,
	1e300,
	true,
	[],
	{},
	{ nodes: [] },
	"\ud800",
	"\u0000",
	"<script>alert(1)</script>",
	'<a href="javascript:alert(1)">x</a>',
	"&",
	"x".repeat(2_000),
	"__proto__",
	"constructor",
	[[[[[[[[]]]]]]]],
];

/** Makes entries of a push that lies: some of it is likely, some is impossible. */
class Liar {
	readonly #random: Random;
	readonly #ids: readonly string[];

	constructor(random: Random, ids: readonly string[]) {
		this.#random = random;
		this.#ids = [...ids, ...Array.from({ length: 4 }, () => numberedId(random.below(2 ** 31) + 2 ** 40))];
	}

	entry(seq: number): unknown {
		const list = (make: () => unknown) => Array.from({ length: this.#random.below(5) }, make);
		return {
			seq,
			at: this.#maybe(() => 1_800_000_000 + this.#random.below(100)),
			nodes: this.#maybe(() => list(() => this.#node())),
			keys: this.#maybe(() => list(() => this.#key())),
			known: this.#maybe(() => Object.fromEntries(list(() => [this.#id(), this.#known()]) as [string, unknown][])),
			closed: this.#maybe(() => list(() => this.#id())),
		};
	}

	#node(): unknown {
		const side = () => this.#random.pick([() => null, () => this.#fields(), () => this.#some(this.#fields())])();
		const node = {
			id: this.#maybe(() => this.#id()),
			before: this.#maybe(side),
			after: this.#maybe(side),
		};
		const further = { rest: side(), above: this.#id(), below: this.#id(), aside: true, copyOf: this.#id() };
		return { ...node, ...this.#some(further) };
	}

	/** All fields of a record, most of them possible. */
	#fields(): Record<string, unknown> {
		const random = this.#random;
		return {
			parentId: this.#maybe(() => random.pick([null, this.#id()])),
			priority: this.#maybe(() => random.below(2_000) - 1_000),
			name: this.#maybe(() => random.pick(["x", "a &amp; b", "<b>c</b>"])),
			note: this.#maybe(() => random.pick([null, "note"])),
			layoutMode: this.#maybe(() => random.pick(["bullets", "todo", "h1"])),
			properties: this.#maybe(() => random.pick([null, '{"due":"2026-12-01"}'])),
			createdAt: this.#maybe(() => 1_700_000_000 + random.below(200_000_000)),
			modifiedAt: this.#maybe(() => 1_700_000_000 + random.below(200_000_000)),
			completedAt: this.#maybe(() => random.pick([null, 1_700_000_000])),
			originId: this.#maybe(() => random.pick([null, null, this.#id()])),
		};
	}

	#key(): unknown {
		const [key, group] = this.#random.pick([
			["home", "shortcut"],
			["inbox", "system"],
			["calendar", "system"],
			["2026", "calendar"],
			["2026-11", "2026"],
			["2026-11-21", "2026-11"],
			["2026-02-30", "2026-02"],
			["2026-11-21", "shortcut"],
		] as const);
		const id = () => this.#random.pick([null, this.#id()]);
		return { key: this.#maybe(() => key), group: this.#maybe(() => group), before: id(), after: this.#maybe(id) };
	}

	#known(): unknown {
		const key = this.#random.pick([undefined, "inbox", "2026-11-21", "2026", "nonsense"]);
		return this.#maybe(() => ({ parentId: this.#random.pick([null, this.#id()]), key }));
	}

	#id(): string {
		return this.#random.pick(this.#ids);
	}

	#some(fields: Record<string, unknown>): Record<string, unknown> {
		return Object.fromEntries(Object.entries(fields).filter(() => this.#random.happens(0.4)));
	}

	#maybe(value: () => unknown): unknown {
		return this.#random.happens(0.97) ? value() : this.#random.pick(junk);
	}
}

test("whatever a push says, the server answers, and breaks no rule", { timeout: 60_000 * soak }, async () => {
	for (let run = 0; run < 20 * soak; run++) {
		const random = new Random(seed + run);
		const site = new Site();
		const honest = site.device();
		await plant(honest.outline, scene);
		await honest.outline.ensure("2026-11-21");
		await honest.sync();
		const outline = (await site.disk.read([{ type: "documents", prefix: "sync/outline" }])).results[0][0]!.value;
		for (let push = 0; push < 10; push++) {
			const liar = new Liar(
				random,
				(await exported(site.outline)).map(({ id }) => id),
			);
			const header = {
				protocol: 1,
				outline,
				device: numberedId(push + 1),
				since: 0,
				last: 0,
				digest: "",
				limit: 1_000,
			};
			const entries = Array.from({ length: 20 }, (_, index) => liar.entry(index + 1));
			const body = [header, ...entries].map((line) => JSON.stringify(line)).join("\n");
			const headers = { authorization: "Bearer key", "content-type": "application/x-ndjson" };
			const request = new Request("http://outline.example/api/v1/sync", { method: "POST", headers, body });
			const response = await site.handler(request);
			const message = `seed ${seed + run}, push ${push}`;
			expect(response.status, `${message}: ${await response.text()}`).toBeLessThan(500);
			expect((await site.outline.verify()).problems, message).toEqual([]);
		}
		await honest.outline.create({ name: "honest" });
		await honest.sync();
		await expectEqual(site);
	}
});
