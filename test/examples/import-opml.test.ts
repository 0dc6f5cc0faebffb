import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { createFileStorage } from "../../adapters/file.js";
import { importOpml } from "../../examples/import-opml/import.js";
import { linesOf } from "../../examples/import-opml/lines.js";
import { sketch } from "../src/exchange/files.js";
import { exported, newOutline } from "../support/outline.js";
import { temporaryFolder } from "../support/temporary.js";

const folder = fileURLToPath(new URL("../../examples/import-opml", import.meta.url));

async function imported(name: string) {
	const outline = newOutline();
	const report = await importOpml(outline, createReadStream(`${folder}/samples/${name}.opml`));
	return { lines: linesOf(name, report), sketch: await sketch(outline) };
}

describe("the import of what other outliners export", () => {
	test("takes WorkFlowy's HTML, notes, dates, tags and completion", async () => {
		const { lines, sketch } = await imported("workflowy");
		expect(sketch).toBe(
			`<b>Trip to Oslo</b> #travel // Ask Ben for the tent.⏎See the timetable (https://ferries.example/oslo).
  x Book the ferry <time datetime="2026-12-01">Tue, Dec 1, 2026</time>
  <a href="https://workflowy.com/#/4c1f0be27a93">Packing list</a> @ben
  Passport &amp; tickets
Packing list
  Tent, see <a href="https://workflowy.com/#/77aa01c3d9e2">what Ben has</a>
  x <i>Rope</i>, 20 m &lt; 1 kg`,
		);
		expect(lines).toEqual([
			"workflowy: 7 nodes came over",
			"  2 completed, 1 with a note, 2 with tags, 2 with links",
			"  Links to workflowy.com that still lead there, since the file doesn't say which nodes they mean: 2",
			"  Lost:",
			"    1 × <span>",
			"    1 × <u>",
			"    1 × head ownerEmail",
		]);
	});

	test("takes Dynalist's Markdown, headings, checkboxes and completion", async () => {
		const { lines, sketch } = await imported("dynalist");
		expect(sketch).toBe(
			`h2: Novels
  x todo: <b>Emma</b> by Jane Austen #classic // Lent to Ben.
  todo: <a href="https://books.example/ulysses">Ulysses</a>
  more in <a href="https://dynalist.io/d/Xk2pQ7#z=b81mT">my other list</a>
Order of reading
  <code>__Emma__</code>, then <i>Ulysses</i>
  2 * 3 * 4 pages a day`,
		);
		expect(lines.slice(1, 5)).toEqual([
			"  1 completed, 1 with a note, 1 with tags, 2 with links",
			"  2 with properties, from attributes of their own",
			"  Links to dynalist.io that still lead there, since the file doesn't say which nodes they mean: 1",
			"  Lost:",
		]);
	});

	test("takes OmniOutliner's notes and status, and its columns as properties", async () => {
		const { lines, sketch } = await imported("omnioutliner");
		expect(sketch).toBe("Spring\n  x Sow peas &amp; beans // Two rows,⏎one hand apart.\n  Prune the apple tree");
		expect(lines.slice(2)).toEqual([
			"  2 with properties, from attributes of their own",
			"  Lost:",
			"    1 × head expansionState",
			"    1 × head title",
		]);
	});

	test("leaves a Dynalist text as it is that would be more than a line of text", async () => {
		const outline = newOutline();
		const texts = ["# one", "- two", "three\n\nfour", "1. five"];
		const outlines = texts.map((text) => `<outline text="${text.replaceAll("\n", "&#10;")}"/>`).join("");
		const file = `<opml><head><flavor>dynalist</flavor></head><body>${outlines}</body></opml>`;
		await importOpml(outline, asPieces([file]));
		expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(texts);
	});

	test("reads a long file as it comes, and every text of it", async () => {
		const outline = newOutline();
		const before: number[] = [];
		let seen = 0;
		async function* pieces() {
			yield "<opml><head><flavor>dynalist</flavor></head><body>";
			for (let number = 0; number < 1200; number++) {
				before.push(seen);
				yield `<outline text="**${number}**"/>`;
			}
			yield "</body></opml>";
		}
		const onProgress = ({ nodes }: { nodes: number }) => {
			seen = nodes;
		};
		const { nodes } = await importOpml(outline, pieces(), { onProgress });
		expect(nodes).toBe(1200);
		expect(before).toEqual(Array.from({ length: 1200 }, (_, number) => number));
		expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(before.map((number) => `<b>${number}</b>`));
	});

	test("changes nothing if the file ends in the middle, and says where", async () => {
		const outline = newOutline();
		const file = asPieces(["<opml><body>\n", '<outline text="a"/>\n', '<outline text="b">']);
		await expect(importOpml(outline, file)).rejects.toThrow(/line 3/i);
		expect(await exported(outline)).toEqual([]);
	});
});

test("the program keeps in a file what it imports, shows it, and says what it can't import", async () => {
	const file = join(temporaryFolder(), "outline.jsonl");
	const run = (...args: string[]) =>
		promisify(execFile)(process.execPath, ["--import", "tsx", `${folder}/main.ts`, ...args]);
	// The second file is no OPML, which leaves the first as it is.
	const ended = run("--show", "--into", file, `${folder}/samples/workflowy.opml`, `${folder}/main.ts`);
	const { code, stdout, stderr } = await ended.catch((error) => error);
	expect(stdout).toContain("workflowy.opml: 7 nodes came over\n");
	expect(stdout).toContain("\n- **Trip to Oslo** #travel\n");
	expect([code, stderr]).toEqual([1, expect.stringMatching(/^Line \d+: .*Nothing was imported\.\n$/)]);
	const outline = newOutline({ storage: createFileStorage(file) });
	expect((await exported(outline)).length).toBe(7);
	await outline.close();
});

async function* asPieces(texts: readonly string[]): AsyncGenerator<string> {
	yield* texts;
}
