import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { ReplicaConflict } from "outlinekit/sync";
import { expect, test } from "vitest";
import { conflictLines } from "../../adapters/cli/commands/conflicts.js";
import { Output, PipeClosed } from "../../adapters/cli/output.js";
import { run } from "../../adapters/cli/run.js";
import { hitLines, nodeLines } from "../../adapters/cli/tree.js";
import { newOutline } from "../support/outline.js";
import { temporaryFolder } from "../support/temporary.js";

/** A terminal, and the text that it shows. */
function terminal() {
	const stream = Object.assign(new PassThrough(), { isTTY: true, hasColors: () => true });
	let text = "";
	stream.setEncoding("utf8").on("data", (piece: string) => {
		text += piece;
	});
	return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

test("a terminal shows signs, colours and notes, and no control characters of names", async () => {
	const { stream } = terminal();
	const output = new Output({ json: undefined, quiet: false }, stream, stream);
	expect(output.json).toBe(false);
	const outline = newOutline();
	const lines = async (name: string, note?: string) => {
		const node = await outline.create({ name, note });
		return nodeLines(await outline.get(node.id), 1, output).replace(node.id.slice(-12), "id");
	};
	expect(await lines("# Heading")).toBe("  • \u001b[1mHeading\u001b[22m  \u001b[2mid\u001b[22m");
	expect(stripVTControlCharacters(await lines("- [ ] task", "a\nb"))).toBe("  ☐ task  id\n    a\n    b");
	expect(stripVTControlCharacters(await lines("- [x] task"))).toBe("  ☑ task  id");
	const hostile = await lines("a", "\u001b]0;title\u0007 \u009b2J");
	expect(hostile).toContain("\ufffd]0;title\ufffd \ufffd2J");
	const origin = await outline.create({ name: "origin" });
	const mirror = await outline.mirror(origin.id, { parent: (await outline.create({ name: "x" })).id });
	expect(nodeLines(mirror, 0, output)).toMatch(/^◆ /);
});

test("shows each kind of conflict with its two ways out", async () => {
	const { stream } = terminal();
	const output = new Output({ json: false, quiet: false }, stream, stream);
	const outline = newOutline();
	const { id: nodeId } = await outline.create({ name: "*milk*" });
	const lines = async (kind: ReplicaConflict["kind"], shown: unknown, other: unknown, field?: string) => {
		const conflict: ReplicaConflict = {
			id: "1",
			kind,
			nodeId,
			shown,
			other,
			at: 0,
			device: "d",
			...(field !== undefined && { field }),
		};
		return stripVTControlCharacters(await conflictLines(outline, conflict, output))
			.split("\n")
			.map((line) => line.trim());
	};
	expect(await lines("text", "<b>a</b>\n&lt;", "b", "name")).toEqual([
		'text (name): "milk"  1',
		"shown  a",
		"<",
		"other  b",
	]);
	expect(await lines("text", "&lt;\u001b", null, "properties.x")).toEqual([
		'text (properties.x): "milk"  1',
		"shown  &lt;\ufffd",
		"other  null",
	]);
	expect(await lines("move", null, nodeId)).toEqual(['move: "milk"  1', "shown  the top level", 'other  "milk"']);
	expect(await lines("parent", nodeId, "x")).toContain("other  a node that is gone (x)");
	expect(await lines("shortcut", nodeId, null, "home")).toEqual([
		'shortcut (home): "milk"  1',
		'shown  "milk"',
		"other  no node",
	]);
	expect(await lines("deletion", nodeId, null)).toContain("other  delete the node");
	expect(await lines("returned", nodeId, null)).toContain("shown  the node stays");
	expect(await lines("refused", { code: "too_large", message: "Too long." }, {})).toEqual([
		'refused: "milk"  1',
		"shown  the change is left out: Too long.",
		"other  try the change again",
	]);
});

test("marks what a search has found, also over several lines, and never the rest of the line", async () => {
	const { stream } = terminal();
	const output = new Output({ json: undefined, quiet: false }, stream, stream);
	const outline = newOutline();
	const shown = async (query: string, name: string, note?: string) => {
		await outline.create({ name, note, parent: (await outline.create({ name: "above **all**" })).id });
		const [hit] = await outline.search(query, { ancestors: true, ranges: true });
		return hitLines(hit!, output).replace(hit!.node.id.slice(-12), "id");
	};
	const found = (text: string) => `\u001b[1m\u001b[33m${text}\u001b[39m\u001b[22m`;
	const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;
	expect(await shown("fer", "the *fer*ry", "a ferry")).toBe(
		`• the ${found("fer")}ry  ${dim("id")}\n  ${dim("a ")}${found("fer")}${dim("ry")}\n  ${dim("in above all")}`,
	);
	expect(await shown('"one two"', "```\none\ntwo\n```")).toBe(
		`• ${found("one")}  ${dim("id")}\n  ${found("two")}\n  ${dim("in above all")}`,
	);
});

/** The error of a stream. */
const failure = (code: string) => Object.assign(new Error(`${code}: no space left on device, write`), { code });

test("a program that Ctrl+C stops doesn't wait for a reader that has stopped", async () => {
	const stopping = new AbortController();
	const stream = new Writable({ highWaterMark: 1, write: () => {} });
	const output = new Output({ json: true, quiet: false }, stream, stream, stopping.signal);
	const ends = [output.result({}, ""), output.flush()];
	stopping.abort();
	for (const end of ends) await expect(end).rejects.toMatchObject({ name: "AbortError" });
	await expect(output.result({}, "")).rejects.toMatchObject({ name: "AbortError" });
});

test.each([
	[
		"ENOSPC",
		1,
		/^outlinekit: The result can't be written to the standard output \(ENOSPC: no space left on device\)\. If the command changed the outline, the change is stored\. \[ENOSPC\]\n$/,
	],
	["EPIPE", 0, /^$/],
])("an output that fails with %s ends each command with the status %i", async (code, status, message) => {
	const environment = { XDG_DATA_HOME: temporaryFolder(), PORT: "0" };
	for (const words of [["--help"], ["--version"], ["help"], ["list", "--help"], ["add", "milk"], ["list"], ["serve"]]) {
		const stdout = new Writable({ write: (_text, _, done) => done(failure(code)) });
		const stderr = terminal();
		const { signal } = new AbortController();
		const surroundings = { environment, stdin: new PassThrough(), stdout, stderr: stderr.stream, signal };
		expect([words, await run(words, surroundings)]).toEqual([words, status]);
		expect(stderr.text().replace(/^A new outline: .*\n/, "")).toMatch(message);
	}
	// The last one has stopped the server.
	expect((await readdir(join(environment.XDG_DATA_HOME, "outlinekit"))).sort()).toEqual([
		"outline.jsonl",
		"outline.jsonl.key",
	]);
});

test("waits for a slow reader without a listener for each write", async () => {
	const waiting: (() => void)[] = [];
	const stream = new Writable({ highWaterMark: 1, write: (_text, _, done) => void waiting.push(done) });
	const output = new Output({ json: true, quiet: false }, stream, stream);
	const listeners = () => ["drain", "close", "error"].map((name) => stream.listenerCount(name));
	const before = listeners();
	for (let count = 0; count < 20; count++) {
		const written = output.result({ count }, "");
		await Promise.resolve();
		waiting.shift()!();
		await written;
	}
	expect(listeners()).toEqual(before);
	const last = output.result({}, "");
	stream.destroy(failure("EPIPE"));
	await expect(last).rejects.toBeInstanceOf(PipeClosed);
	await expect(output.result({}, "")).rejects.toBeInstanceOf(PipeClosed);
});

test("progress is on a terminal alone, and vanishes before a note", async () => {
	const { stream, text } = terminal();
	const output = new Output({ json: undefined, quiet: false }, stream, stream);
	output.progress("half");
	output.progress("too soon");
	output.note("done");
	expect(text()).toBe("\r\u001b[Khalf\r\u001b[Kdone\n");
	const quiet = terminal();
	const silent = new Output({ json: undefined, quiet: true }, quiet.stream, quiet.stream);
	silent.progress("half");
	silent.note("done");
	await silent.result({}, "text");
	expect(quiet.text()).toBe("");
});
