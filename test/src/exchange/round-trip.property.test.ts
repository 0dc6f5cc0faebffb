import fc from "fast-check";
import type { ExchangeFormat, LayoutMode, TreeInput } from "outlinekit";
import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { createSqliteStorage } from "outlinekit/sqlite";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../adapters/sqlite/open-database.js";
import { paged } from "../../conformance/wrapped.js";
import { command } from "../../model/commands.js";
import { Comparison } from "../../model/comparison.js";
import { soak } from "../../setup/soak.js";
import { exported, newOutline } from "../../support/outline.js";
import { canonical } from "../markup/canonical.js";
import { lineSoup } from "../markup/soup.js";
import { fileOf, rowsOf, streamed } from "./files.js";

const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1);

async function everything(outline: Outline): Promise<unknown> {
	return { nodes: (await exported(outline)).sort(byId), targets: await outline.targets() };
}

/** A random outline with mirrors and keys, created by the commands of the model. */
async function outlineAfter(commands: readonly Parameters<Comparison["run"]>[0][]): Promise<Outline> {
	const storage = createMemoryStorage();
	let outline!: Outline;
	const comparison = new Comparison(
		() => ({ ...paged(storage), close: async () => {} }),
		(made) => {
			outline = made;
			return made;
		},
	);
	for (const each of commands) await comparison.run(each);
	return outline;
}

test("JSON restores everything in another storage, and exports the same text again", async () => {
	let mirrors = 0;
	let keys = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(command, { minLength: 30, maxLength: 70, size: "max" }), async (commands) => {
			const outline = await outlineAfter(commands);
			const file = await fileOf(outline, "json");
			mirrors += file.split('"originId":"').length - 1;
			keys += file.split('{"key"').length - 1;
			const database = openDatabase("libsql", ":memory:");
			for (const storage of [createMemoryStorage(), createSqliteStorage(database as never, { outline: "copy" })]) {
				const copy = new Outline({ storage, timeZone: "UTC", now: () => 0 });
				expect((await copy.import(file, { format: "json" })).lost).toEqual({});
				expect(await fileOf(copy, "json")).toBe(file);
				expect((await exported(copy)).sort(byId)).toEqual((await exported(outline)).sort(byId));
				expect((await copy.verify()).problems).toEqual([]);
			}
			// Imported into the same outline, every node is copied with a new id.
			const before = await everything(outline);
			const { nodes } = await outline.import(file, { format: "json" });
			expect((await exported(outline)).length).toBe(2 * nodes);
			expect((await outline.verify()).problems).toEqual([]);
			expect(await outline.targets()).toEqual((before as { targets: unknown }).targets);
			database.close();
		}),
		{ numRuns: 10 * soak },
	);
	expect(mirrors).toBeGreaterThan(0);
	expect(keys).toBeGreaterThan(0);
});

const modes: LayoutMode[] = ["bullets", "todo", "h1", "h2", "h3", "code-block", "quote-block"];
const line = fc.oneof(
	lineSoup,
	fc.constantFrom(
		"",
		" ",
		"a",
		"---",
		"--",
		"```",
		"- x",
		"<!-- completed -->",
		"a <!-- completed --> <!-- completed -->",
		"\\> b",
		"\\",
		"\ta ",
	),
);
const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
const name = fc.oneof(
	{ weight: 3, arbitrary: canonical.map((html) => ({ name: html, format: "html" as const })) },
	{ weight: 1, arbitrary: text.map((plain) => ({ name: plain, format: "text" as const })) },
);
const node = fc.record({
	name,
	layoutMode: fc.constantFrom(...modes),
	note: fc.option(text),
	completed: fc.boolean(),
	depth: fc.nat(5),
});

/** Converts nodes with wanted depths into trees. */
const trees = fc.array(node, { minLength: 1, maxLength: 12 }).map((nodes) => {
	const root: { children: TreeInput[] } = { children: [] };
	const path = [root];
	for (const { depth, name, ...content } of nodes) {
		path.length = Math.min(path.length, depth + 1);
		const tree = { ...content, ...name, children: [] };
		path.at(-1)!.children.push(tree);
		path.push(tree);
	}
	return root.children;
});

/** Returns the name of a code block after a round trip through a fence. */
function fenced(html: string): string {
	const plain = html.replace(/<[^>]*>/g, "");
	return plain.replace(/&(?:amp|lt|gt);/g, "x").trim() === "" ? "" : plain;
}

describe.each<[ExchangeFormat]>([["opml"], ["markdown"], ["text"]])("%s", (format) => {
	test("restores everything that the format can hold", async () => {
		await fc.assert(
			fc.asyncProperty(trees, async (inputs) => {
				const outline = newOutline();
				for (const each of inputs) await outline.createTree({ ...each, position: "bottom" });
				const file = await fileOf(outline, format);
				const copy = newOutline({ now: () => 1e12 });
				await copy.import(streamed(file), { format });
				const rows = (await rowsOf(outline)).map((row) => {
					if (format === "opml") {
						const fit = (text: string) => text.replace(/[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd");
						return { ...row, name: fit(row.name), note: row.note && fit(row.note) };
					}
					if (format === "markdown") return row.layoutMode === "code-block" ? { ...row, name: fenced(row.name) } : row;
					return { ...row, name: row.name.replace(/<[^>]*>/g, ""), layoutMode: "bullets", completed: false };
				});
				expect(await rowsOf(copy)).toEqual(rows);
				if (format !== "opml") return;
				const times = async (of: Outline) =>
					(await exported(of)).map((node) => [node.createdAt, node.completedAt]).sort();
				expect(await times(copy)).toEqual(await times(outline));
			}),
			{ numRuns: 50 * soak },
		);
	});
});
