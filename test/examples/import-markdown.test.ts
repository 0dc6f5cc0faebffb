import { readFile } from "node:fs/promises";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { toString as textOf } from "mdast-util-to-string";
import { describe, expect, test } from "vitest";
import { importMarkdown, treeLines } from "../../examples/import-markdown/import.js";
import { sectionsOf } from "../../examples/import-markdown/sections.js";
import { type ImportTarget, inProcess, overHttp } from "../../examples/import-markdown/target.js";
import { startFileServer } from "../support/file-server.js";
import { newOutline } from "../support/outline.js";
import { sharedFolder } from "../support/temporary.js";

const path = new URL("../../examples/import-markdown/awesome.md", import.meta.url);
const markdown = await readFile(path, "utf8");
const directory = sharedFolder();

interface Found {
	depth: number;
	text: string;
}

/** The list items of the file and all its links, found by a Markdown parser of its own. */
function itemsAndLinks(): { items: Found[]; links: string[] } {
	const items: Found[] = [];
	const links: string[] = [];
	const walk = (node: Nodes, depth: number) => {
		if (node.type === "listItem") items.push({ depth, text: textOf(node.children[0]).replaceAll("\n", " ") });
		if (node.type === "link") links.push(node.url);
		if (node.type === "html") {
			for (const [, href] of node.value.matchAll(/<a href="([^"]*)"/g)) links.push(href!.replaceAll("&amp;", "&"));
		}
		if (!("children" in node)) return;
		for (const child of node.children) walk(child, depth + (node.type === "listItem" ? 1 : 0));
	};
	walk(fromMarkdown(markdown), 0);
	return { items, links };
}

async function linesOf(target: ImportTarget): Promise<string[]> {
	const root = await importMarkdown(target, "awesome.md", markdown);
	const lines: string[] = [];
	for await (const line of treeLines(target, root)) lines.push(line);
	return lines;
}

describe("the import of a real list", () => {
	test("makes every list item a node at its depth, once, and keeps every link", async () => {
		const lines = await linesOf(inProcess(newOutline()));
		const { items, links } = itemsAndLinks();
		expect(items.length).toBe(713);
		const imported = lines
			.map((line) => ({ depth: /^ */.exec(line)![0].length / 2, text: line.trimStart().slice(2) }))
			.map(({ depth, text }) => ({ depth, text: text.replace(/ <[^ >]+>/g, "") }));
		const places: number[] = [];
		for (const { depth, text } of items) {
			const at = imported.findIndex(
				(line, index) => index > (places.at(-1) ?? -1) && line.text === text && line.depth > 0,
			);
			expect(at, text).toBeGreaterThan(-1);
			// Every list of the file is under a heading of the second level, whose node is at depth 0.
			expect(imported[at]!.depth, text).toBe(depth + 1);
			places.push(at);
		}
		const headings = markdown.match(/^#+ .*$/gm)!.length;
		expect(lines.length).toBeLessThan(items.length + headings + 20);
		const all = lines.join("\n");
		for (const link of links) expect(all).toContain(`<${link}>`);
	});

	test("gives the same outline over HTTP, and in another process after a restart", async () => {
		const server = { port: 0, directory, apiKey: "key" };
		const running = await startFileServer(server);
		const lines = await linesOf(overHttp(running.address, server.apiKey));
		await running.stop();
		expect(lines).toEqual(await linesOf(inProcess(newOutline())));
		const again = await startFileServer(server);
		const target = overHttp(again.address, server.apiKey);
		const [root] = await target.children(null);
		const read: string[] = [];
		for await (const line of treeLines(target, root!.id)) read.push(line);
		await again.stop();
		expect(read).toEqual(lines);
	});
});

test("sections end at headings, not at a # in a fence", () => {
	expect(sectionsOf("intro\n# A\ntext\n```\n# no heading\n```\n## B\n\n#tag")).toEqual([
		{ level: 0, text: "intro" },
		{ level: 1, text: "# A\ntext\n```\n# no heading\n```" },
		{ level: 2, text: "## B\n\n#tag" },
	]);
});
