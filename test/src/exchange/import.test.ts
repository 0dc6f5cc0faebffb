import type { ExchangeFormat, ExchangeProgress, ImportOptions, OutlineEvent } from "outlinekit";
import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { describe, expect, test } from "vitest";
import { paged } from "../../conformance/wrapped.js";
import { beforeCommits } from "../../support/interrupted.js";
import { codeOf, exported, newOutline, noon, picture, plant, planted } from "../../support/outline.js";
import { bytewise, exportedFile, fileOf, streamed } from "./files.js";

const text = (source: string, options: Partial<ImportOptions> = {}): [string, ImportOptions] => [
	source,
	{ format: "text", ...options },
];

describe("an import", () => {
	test("adds its nodes at the bottom, or at the given position", async () => {
		const { outline, b } = await planted("a\nb #b\nc");
		const { rootIds, nodes } = await outline.import(...text("1\n\tx\n2\n3"));
		expect(nodes).toBe(4);
		expect(await Promise.all(rootIds.map(async (id) => (await outline.get(id)).name))).toEqual(["1", "2", "3"]);
		await outline.import(...text("4\n5", { position: "top" }));
		await outline.import(...text("6\n7", { position: { after: b } }));
		await outline.import(...text("8\n9", { position: { before: b } }));
		await outline.import(...text("e\nf", { parent: b }));
		await outline.import(...text("g\nh", { parent: b, position: "top" }));
		await outline.import(...text("i", { parent: "inbox" }));
		expect(await picture(outline)).toBe(
			"4\n5\na\n8\n9\nb\n  g\n  h\n  e\n  f\n6\n7\nc\n1\n  x\n2\n3\nInbox\n  i".replace("\n  x", "\n  x"),
		);
		expect((await outline.verify()).problems).toEqual([]);
	});

	test("finds room beside a node for any number of nodes, repeatedly", async () => {
		const { outline, a } = await planted("a #a\nb #b\nc");
		const many = (name: string, count: number) => Array.from({ length: count }, (_, number) => `${name}${number}`);
		const expected: string[] = [];
		for (const [round, count] of [1, 500, 3, 700, 2, 1000, 1].entries()) {
			const names = many(`${round}.`, count);
			await outline.import(...text(names.join("\n"), { position: { after: a } }));
			expected.unshift(...names);
			for (let narrowing = 0; narrowing < 17 + round; narrowing++) {
				const { name } = await outline.create({ name: `${round}.${narrowing}`, position: { after: a } });
				expected.unshift(name);
			}
		}
		expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(["a", ...expected, "b", "c"]);
		expect((await outline.verify()).problems).toEqual([]);
	});

	test("finds room beside a node if few priorities are free", async () => {
		for (let narrowing = 0; narrowing < 45; narrowing++) {
			const { outline, a, b } = await planted("a #a\nb #b\nc");
			const position = narrowing % 2 === 0 ? { after: a } : { before: b };
			for (let number = 0; number < narrowing >> 1; number++) await outline.create({ name: `${number}`, position });
			const before = (await outline.list()).nodes.map(({ name }) => name);
			before.splice(narrowing % 2 === 0 ? 1 : before.length - 2, 0, "x", "y", "z");
			await outline.import(...text("x\ny\nz", { position }));
			expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(before);
			expect((await outline.verify()).problems).toEqual([]);
		}
	});

	test("under a mirror, adds to the origin, among the visible children", async () => {
		const { outline, boat, mirror } = await planted("boat #boat\n  sail\nplans\n  (mirror boat) #mirror");
		const own = await outline.create({ name: "own" });
		await outline.move(own.id, { parent: mirror, position: "bottom" });
		await outline.import(...text("x\ny", { parent: mirror }));
		expect((await outline.list(mirror)).nodes.map(({ name }) => name)).toEqual(["sail", "own", "x", "y"]);
		expect((await outline.list(boat)).nodes.map(({ name }) => name)).toEqual(["sail", "x", "y"]);
	});

	test("refuses a wrong place or option, and reads the source only if necessary to find out", async () => {
		const outline = newOutline();
		expect(await codeOf(outline.import(...text("a", { parent: "nowhere" })))).toBe("not_found");
		expect(await codeOf(outline.import(...text("a", { parent: "2026-02-30" })))).toBe("invalid_reference");
		let asked = false;
		const source = (async function* () {
			asked = true;
			yield "a";
		})();
		for (const options of [
			{ position: "middle" },
			{ format: "rtf" },
			{ format: undefined },
			{ onProgress: 1 },
			{ signal: {} },
			{ format: "markdown", dialect: ["logseq"] },
			{ dialect: Object.create(null) },
		]) {
			expect(await codeOf(outline.import(source, { ...text("")[1], ...options } as never))).toBe("invalid_argument");
		}
		expect(await codeOf(outline.import(source, null as never))).toBe("invalid_argument");
		expect(asked).toBe(false);
		expect(await exported(outline)).toEqual([]);
	});
});

/** The size with which each format is tested. Markdown is slow. */
const sizes = {
	json: { nodes: 5000, levels: 5000 },
	opml: { nodes: 1000, levels: 30_000 },
	markdown: { nodes: 3000, levels: 1000 },
	text: { nodes: 50_000, levels: 3000 },
};
const formats: readonly [ExchangeFormat][] = [["json"], ["opml"], ["markdown"], ["text"]];

describe.each(formats)("an import of %s", (format) => {
	const scene = async (outline: Outline) => {
		await plant(outline, "é a\n  b #b\n    c\nd\n  (mirror b)\ne");
		await outline.complete((await outline.list()).nodes[0]!.id);
		return fileOf(outline, format);
	};

	test("reads a file one byte at a time with the same result, in one commit and one undo step", async () => {
		for (const storage of [createMemoryStorage(), paged(createMemoryStorage())]) {
			const source = await scene(newOutline());
			const whole = newOutline();
			const report = await whole.import(source, { format });
			const outline = newOutline({ storage });
			const events: OutlineEvent[] = [];
			outline.subscribe((event) => events.push(event));
			const seen: ExchangeProgress[] = [];
			const onProgress = (progress: ExchangeProgress) => seen.push(progress);
			const again = await outline.import(bytewise(source), { format, onProgress });
			expect({ ...again, rootIds: 0 }).toEqual({ ...report, rootIds: 0 });
			expect(await picture(outline)).toBe(await picture(whole));
			expect(events.map(({ revision, changes }) => [revision, changes.length])).toEqual([[1, 6]]);
			expect(seen.at(-1)).toEqual({ characters: source.length, nodes: 6 });
			expect(seen.every(({ characters }, index) => characters >= (seen[index - 1]?.characters ?? 0))).toBe(true);
			expect(await outline.undo()).toMatchObject({ operation: "import" });
			expect(await exported(outline)).toEqual([]);
		}
	});

	test("changes nothing if the source fails, is malformed or aborted, if onProgress throws, or if the outline is closed", async () => {
		const outline = newOutline();
		const source = await scene(newOutline());
		const half = source.slice(0, source.length / 2);
		let ended = false;
		const failing = async function* () {
			try {
				yield half;
				throw new Error("lost");
			} finally {
				ended = true;
			}
		};
		await expect(outline.import(failing(), { format })).rejects.toThrow("lost");
		expect(ended).toBe(true);

		const controller = new AbortController();
		ended = false;
		const endless = async function* () {
			try {
				yield half;
				controller.abort(new Error("enough"));
				for (;;) yield source.slice(source.length / 2);
			} finally {
				ended = true;
			}
		};
		await expect(outline.import(endless(), { format, signal: controller.signal })).rejects.toThrow("enough");
		expect(ended).toBe(true);
		await expect(outline.import(source, { format, signal: controller.signal })).rejects.toThrow("enough");
		expect(await codeOf(outline.import(source, { format, signal: { aborted: true } }))).toBe("closed");
		const onProgress = () => {
			throw new Error("no");
		};
		await expect(outline.import(source, { format, onProgress })).rejects.toThrow("no");
		expect(await codeOf(outline.import(bytewise(`${source}\u0000`.replace("b", "\ud800")), { format }))).not.toBe(
			"closed",
		);
		const invalid = streamed([new TextEncoder().encode(source), Uint8Array.of(0xff)]);
		expect(await codeOf(outline.import(invalid, { format }))).toBe("invalid_argument");

		const closing = newOutline();
		const slow = async function* () {
			yield half;
			await closing.close();
			yield source.slice(half.length);
		};
		expect(await codeOf(closing.import(slow(), { format }))).toBe("closed");
		expect(await codeOf(closing.import(source, { format }))).toBe("closed");
	});

	test("of an empty file creates nothing", async () => {
		const outline = newOutline();
		const report = await outline.import(await fileOf(newOutline(), format), { format, parent: "inbox" });
		expect(report).toEqual({ nodes: 0, rootIds: [], lost: {} });
		expect(await exported(outline)).toEqual([]);
	});

	test("is retried if another outline commits meanwhile, and returns the same report", async () => {
		const inner = createMemoryStorage();
		let others = 3;
		const other = new Outline({ storage: inner, now: () => noon });
		const storage = beforeCommits(inner, async () => {
			if (others-- > 0) await other.create({ name: `o${others}` });
		});
		const source = await scene(newOutline());
		const outline = new Outline({ storage, now: () => noon });
		const { nodes, lost } = await outline.import(source, { format });
		expect(nodes).toBe(6);
		expect(lost).toEqual(format === "json" ? { priority: 3 } : {});
		expect(await exported(outline)).toHaveLength(9);
	});

	test("reads many nodes and many levels", { timeout: 120_000 }, async () => {
		const { nodes, levels } = sizes[format];
		const wide = Array.from({ length: nodes }, (_, number) => `${"\t".repeat(number % 4)}n${number}`).join("\n");
		const outline = newOutline();
		await outline.import(wide, { format: "text" });
		const file = await fileOf(outline, format);
		const copy = newOutline();
		expect((await copy.import(file, { format })).nodes).toBe(nodes);
		expect(await fileOf(copy, "text")).toBe(`${wide}\n`);

		const deep = newOutline();
		const body = '<outline text="x">'.repeat(levels) + "</outline>".repeat(levels);
		await deep.import(`<opml><body>${body}</body></opml>`, { format: "opml" });
		const { text: deepFile, lost } = await exportedFile(deep, format);
		const deepest = { markdown: 99, text: 1001, json: levels, opml: levels }[format];
		expect(lost).toEqual(deepest < levels ? { depth: levels - deepest } : {});
		const deepCopy = newOutline();
		expect((await deepCopy.import(deepFile, { format })).nodes).toBe(levels);
		if (deepest === levels) expect(await fileOf(deepCopy, "opml")).toBe(await fileOf(deep, "opml"));
	});
});
