import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createFileStorage } from "../../adapters/file.js";
import type { OutlineNode } from "../../src/node.js";
import { idOf } from "../conformance/records.js";
import { addingAll, recordAt } from "../support/batches.js";
import { outlinekitProgram } from "../support/outlinekit.js";
import { temporaryFolder } from "../support/temporary.js";

let folder: string;
let file: string;
beforeEach(() => {
	folder = temporaryFolder();
	file = join(folder, "outline.jsonl");
});
const { start, run } = outlinekitProgram(() => ({ OUTLINEKIT_FILE: file, XDG_DATA_HOME: folder }));

/** The objects of an output of JSON Lines. */
const objects = <T = OutlineNode & { depth: number }>(stdout: string): T[] =>
	stdout
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));

/** The tree as text, without ids. */
async function tree(...words: string[]): Promise<string> {
	const { stdout } = await run("list", "--no-json", ...words);
	return stdout.replace(/ {2}[0-9a-f]{12}$/gm, "");
}

const added = async (...words: string[]) => objects((await run("add", ...words)).stdout)[0]!;

describe("the commands of a day", () => {
	test("add, complete, undo and redo nodes in processes of their own", async () => {
		const milk = await added("- [ ] milk");
		expect(milk).toMatchObject({ name: "milk", layoutMode: "todo" });
		await run("add", "--to", milk.id, "two", "litres", "--note", "or three");
		expect(await run("done", milk.id.slice(-12), "--no-json")).toMatchObject({
			status: 0,
			stdout: `☑ milk  ${milk.id.slice(-12)}\n`,
			stderr: "",
		});
		expect(await tree("inbox")).toBe("☑ milk\n  • two litres\n    or three\n");
		expect(await tree("inbox", "--open")).toBe("");

		expect((await run("undo", "--no-json")).stdout).toBe("Undone: complete (1 node)\n");
		expect((await run("undo", "--no-json")).stdout).toBe("Undone: create (1 node)\n");
		expect(await tree("inbox")).toBe("☐ milk\n");
		expect((await run("redo", "--no-json")).stdout).toBe("Redone: create (1 node)\n");
		expect(objects((await run("list", "inbox")).stdout).map(({ name, depth }) => [name, depth])).toEqual([
			["milk", 0],
			["two litres", 1],
		]);
	});

	test("show today, also before it has an entry", async () => {
		await run("add", "--to", "None", "something else");
		const nothing = await run("today", "--no-json", "--time-zone", "UTC");
		expect(nothing.stdout).toMatch(/^\d{4}-\d\d-\d\d\nNothing yet/);
		expect((await run("today")).stdout).toBe("");
		await run("add", "--to", "today", "--todo", "call Ada");
		expect(objects((await run("today")).stdout).map(({ name }) => name)).toEqual(["call Ada"]);
	});

	test("search with the names above each hit", async () => {
		const trip = await added("--to", "None", "trip");
		await run("add", "--to", trip.id, "pack #summer");
		const { stdout } = await run("search", "--no-json", "#summer");
		expect(stdout).toMatch(/^• pack #summer {2}\w{12}\n {2}in trip\n$/);
		const [hit] = objects<{ path: string[] }>((await run("search", "--", "pack", "-boat")).stdout);
		expect(hit!.path[0]).toBe(trip.id);
		expect(await run("search", "nothing")).toMatchObject({ status: 0, stdout: "" });
		const [counts] = objects<object>((await run("stats")).stdout);
		expect(counts).toMatchObject({ place: file, nodes: 2, tasks: 0, tags: 1, bytes: expect.any(Number) });
	});

	test("work on an SQLite database, with an outline for each name", async () => {
		const database = ["--database", `sqlite:${join(folder, "outlines.db")}`];
		const missing = await run("list", ...database);
		expect([missing.status, missing.stderr]).toEqual([3, expect.stringMatching(/no outline at .*outlines\.db/)]);
		expect(await run("add", "boat", "--to", "None", ...database)).toMatchObject({ status: 0, stderr: "" });
		await run("add", "tent", "--to", "None", "--outline", "other", ...database);
		expect(await tree(...database)).toBe("• boat\n");
		expect((await run("undo", ...database)).status).toBe(0);
		expect(await tree(...database)).toBe("");
		expect(await tree("--outline", "other", ...database)).toBe("• tent\n");
	});
});

describe("exit codes", () => {
	test.each([
		[2, /--depth is "x"/, ["list", "--depth", "x"]],
		[3, /\[not_found\]/, ["done", "nothing"]],
		[3, /nothing to undo/, ["undo"]],
		[3, /no file nowhere\.md/, ["import", "nowhere.md"]],
		[3, /no outline at .*nowhere\.jsonl/, ["list", "--file", "nowhere.jsonl"]],
		[1, /\[storage_unavailable\]/, ["list", "--server", "http://127.0.0.1:1/#key=x"]],
	])("%i, with a message like %s", async (status, message, words) => {
		const storage = createFileStorage(file);
		await storage.commit(addingAll([recordAt(1, 1)]));
		await storage.close();
		const ended = await run(...words);
		expect(ended).toEqual({ status, stdout: "", stderr: expect.stringMatching(message) });
		expect(ended.stderr).toMatch(/^outlinekit: [^\n]*\n$/);
	});

	test("a damaged outline is a fault; repair mends it", async () => {
		const storage = createFileStorage(file);
		await storage.commit(addingAll([recordAt(1, 1, { parentId: idOf(9) })]));
		await storage.close();
		const found = await run("verify", "--no-json");
		expect([found.status, found.stdout]).toEqual([1, expect.stringMatching(/^missing_parent \S+1: /)]);
		const saved = await run("backup", folder);
		expect([saved.status, objects(saved.stdout)]).toEqual([1, [expect.objectContaining({ nodes: 0, problems: 1 })]]);
		const repaired = await run("repair", "--no-json");
		expect([repaired.status, repaired.stdout]).toEqual([0, expect.stringMatching(/Mended: 1 problem\.\n$/)]);
		expect(await run("verify", "--no-json")).toMatchObject({
			status: 0,
			stdout: "No problems in 2 nodes and 0 keys.\n",
		});
	});

	test("0 if the reader of the output ends early, as head does", async () => {
		await writeFile(join(folder, "many.txt"), Array.from({ length: 20_000 }, (_, n) => `node ${n}`).join("\n"));
		await run("import", join(folder, "many.txt"));
		const { child, ended, printed } = start("list");
		await printed(/node 1/);
		child.stdout.destroy();
		expect(await ended).toMatchObject({ status: 0, stderr: "" });
		expect(await readdir(folder)).toEqual(["many.txt", "outline.jsonl"]);
	});
});

describe("files", () => {
	test("go out and come in, and no file is ever replaced", async () => {
		await run("add", "--to", "None", "- [ ] milk");
		const markdown = join(folder, "notes.md");
		expect(await run("export", markdown)).toMatchObject({ status: 0, stdout: "", stderr: "" });
		expect(await readFile(markdown, "utf8")).toBe("- [ ] milk\n");
		expect(await run("export", markdown)).toMatchObject({
			status: 2,
			stderr: expect.stringContaining("there already"),
		});
		expect((await run("export", "--format", "text")).stdout).toBe("milk\n");

		const saved = await run("backup", folder, "--no-json");
		const path = saved.stdout.slice(0, saved.stdout.indexOf(": "));
		file = join(folder, "restored.jsonl");
		expect(objects((await run("import", path)).stdout)).toMatchObject([{ nodes: 1, lost: {} }]);
		const imported = start("import", "-", "--format", "markdown", "--top", "--no-json");
		imported.child.stdin.end("- bread\n  - rye\n");
		expect((await imported.ended).stdout).toBe("Imported: 2 nodes.\n");
		expect(await tree()).toBe("• bread\n  • rye\n☐ milk\n");
		const marked = start("import", "-", "--format", "markdown", "--dialect", "logseq", "--no-json");
		marked.child.stdin.end("- DONE call Ada\n  id:: 1\n");
		expect((await marked.ended).stdout).toBe("Imported: 1 node.\n");
		expect(await tree()).toBe("• bread\n  • rye\n☐ milk\n☑ call Ada\n");
		expect((await readdir(folder)).filter((name) => name.includes(".new"))).toEqual([]);
	});
});

describe("several processes", () => {
	test("a second one waits for the file, or names the process that has it", async () => {
		const first = start("import", "-", "--format", "text");
		first.child.stdin.write("from the first\n");
		await expect.poll(() => readdir(folder)).not.toEqual([]);
		const refused = await run("add", "x", "--wait", "0");
		expect(refused.status).toBe(1);
		expect(refused.stderr).toContain(`is open in process ${first.child.pid}`);
		const second = start("add", "from the second", "--to", "None", "--wait", "30");
		await second.printed(/^Waiting up to 30 s: .* is open in process/);
		first.child.stdin.end();
		expect(await Promise.all([first.ended, second.ended])).toMatchObject([{ status: 0 }, { status: 0 }]);
		expect(await tree()).toBe("• from the first\n• from the second\n");
	});

	test.each([
		["SIGINT", 130],
		["SIGKILL", null],
	] as const)("an import that ends by %s changes nothing", async (signal, status) => {
		await run("add", "--to", "None", "before");
		const importing = start("import", "-", "--format", "text");
		importing.child.stdin.write("half\n");
		await expect.poll(async () => (await readdir(folder)).length).toBeGreaterThan(1);
		// Most likely it has read the line by then, and waits for the next one.
		await new Promise((resolve) => setTimeout(resolve, 500));
		importing.child.kill(signal);
		expect((await importing.ended).status).toBe(status);
		if (signal === "SIGINT") expect(await readdir(folder)).toEqual(["outline.jsonl"]);
		expect(await tree()).toBe("• before\n");
	});
});

describe("a server", () => {
	test("exchanges with a local copy, on which commands work offline, and is a place of its own", async () => {
		const copy = file;
		file = join(folder, "server.jsonl");
		const server = start("serve", "--port", "0");
		const [, address] = await server.printed(/served at (http:\S+)\/api/);
		const key = (await readFile(`${file}.key`, "utf8")).trim();
		const link = `${address}/#key=${key}`;
		file = copy;
		expect(await run("add", "--to", "None", "at the server", "--server", link)).toMatchObject({
			status: 0,
			stderr: "",
		});

		await run("add", "--to", "None", "in the copy");
		expect(await run("sync", "--server", address!, "--key", key)).toMatchObject({ status: 0, stderr: "" });
		await run("add", "--to", "None", "offline");
		await run("add", "--to", "None", "a mistake");
		expect((await run("undo")).status).toBe(0);
		expect((await run("sync", "--server", link)).status).toBe(0);
		const expected = "• at the server\n• in the copy\n• offline\n";
		expect(await tree()).toBe(expected);
		expect(await tree("--server", link)).toBe(expected);

		expect(await run("serve", "--port", "0")).toMatchObject({
			status: 1,
			stderr: expect.stringContaining("[is_copy]"),
		});
		expect(await run("undo", "--server", link)).toMatchObject({ status: 2 });
		expect(await run("sync")).toMatchObject({ status: 2, stderr: expect.stringContaining("OUTLINEKIT_SERVER") });
	});
});
