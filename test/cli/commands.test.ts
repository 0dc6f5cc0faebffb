import promises, { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { writeNewFile } from "../../adapters/cli/new-file.js";
import { createFileStorage } from "../../adapters/file.js";
import type { OutlineNode } from "../../src/node.js";
import { Outline } from "../../src/outline.js";
import { idOf } from "../conformance/records.js";
import { addingAll, recordAt } from "../support/batches.js";
import { commandLine } from "../support/command-line.js";
import { treeBy } from "../support/outlinekit.js";
import { temporaryFolder } from "../support/temporary.js";

let folder: string;
let file: string;
beforeEach(() => {
	folder = temporaryFolder();
	file = join(folder, "outline.jsonl");
});
const environment = () => ({ OUTLINEKIT_FILE: file, XDG_DATA_HOME: folder });
const { start, run } = commandLine(environment);
const tree = treeBy(run);
const terminal = commandLine(environment, true);

/** The objects of an output of JSON Lines. */
const objects = <T = OutlineNode & { depth: number }>(stdout: string): T[] =>
	stdout
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));

const added = async (...words: string[]) => objects((await run("add", ...words)).stdout)[0]!;

describe("the commands of a day", () => {
	test("add, complete, undo and redo nodes", async () => {
		const milk = await added("- [ ] milk");
		expect(milk).toMatchObject({ name: "milk", text: "milk", layoutMode: "todo" });
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

	test("list None has the top level, as list alone", async () => {
		await run("add", "--to", "None", "trip\n\n- pack");
		expect(await tree("None")).toBe("• trip\n  • pack\n");
		expect(await tree("None")).toBe(await tree());
		expect(await tree("None", "--depth", "1")).toBe("• trip\n");
	});

	test("show today, also before it has an entry", async () => {
		await run("add", "--to", "None", "something else");
		const nothing = await run("today", "--no-json", "--time-zone", "UTC");
		expect([nothing.stdout, nothing.stderr]).toEqual([
			expect.stringMatching(/^\d{4}-\d\d-\d\d\n$/),
			expect.stringMatching(/^Nothing yet.* add --to today/),
		]);
		expect(await run("today")).toEqual({ status: 0, stdout: "", stderr: "" });
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
		expect(hit).toMatchObject({ ancestors: [{ text: "trip" }], ranges: { name: [{ start: 0, end: 4 }] } });
		expect(await run("search", "nothing")).toEqual({ status: 0, stdout: "", stderr: "" });
		const [counts] = objects<object>((await run("stats")).stdout);
		expect(counts).toMatchObject({ place: file, nodes: 2, tasks: 0, tags: 1, bytes: expect.any(Number) });
	});

	test("search prints the best hits, and says on the standard error that there are more", async () => {
		const outline = new Outline({ storage: createFileStorage(file) });
		await outline.batch(
			Array.from({ length: 60 }, (_, index) => ({ type: "create", name: `n${index}`, parent: null }) as const),
		);
		await outline.close();
		const some = await run("search", "n");
		expect(objects(some.stdout)).toHaveLength(50);
		expect(some.stderr).toBe("Showing the best 50 hits. For more: --limit 200\n");
		expect((await run("search", "n", "--quiet")).stderr).toBe("");
		const one = await run("search", "n", "--limit", "1", "--order", "date", "--no-json");
		expect([one.stdout.split("\n").length, one.stderr]).toEqual([2, "Showing the first hit. For more: --limit 4\n"]);
		for (const limit of ["60", "1000"]) {
			const all = await run("search", "n", "--limit", limit);
			expect([objects(all.stdout).length, all.stderr]).toEqual([60, ""]);
		}
	});

	test("mirror a node, and name it by a shortcut", async () => {
		const milk = await added("- [ ] milk");
		const hint = "There are no shortcuts. To make one: outlinekit shortcuts set <name> <node>\n";
		expect(await run("shortcuts", "list", "--no-json")).toEqual({ status: 0, stdout: "", stderr: hint });
		expect(objects((await run("shortcuts", "set", "buy", milk.id)).stdout)).toEqual([{ key: "buy", id: milk.id }]);
		expect((await run("shortcuts", "list", "--no-json")).stdout).toBe("buy  milk\n");
		expect((await run("shortcuts", "list")).stdout).toBe('{"key":"buy","type":"shortcut","name":"milk"}\n');

		const trip = await added("--to", "None", "trip");
		await run("add", "--to", trip.id, "pack");
		const first = objects((await run("mirror", "buy", "--to", trip.id, "--top")).stdout)[0]!;
		expect(first).toMatchObject({ text: "milk", mirror: { originId: milk.id } });
		expect((await run("mirror", "buy", "--to", "today", "--no-json")).stdout).toMatch(/^☐ milk {2}\w{12}\n$/);
		await run("edit", first.id, "oat milk");
		expect(await tree(trip.id)).toBe("☐ oat milk\n• pack\n");
		expect(await tree("today")).toBe("☐ oat milk\n");

		for (const words of [["mirror", "buy"], ["shortcuts"]]) expect((await run(...words)).status).toBe(2);
		for (const words of [
			["mirror", "nothing", "--to", "tomorrow"],
			["mirror", "buy", "--to", "nothing"],
			["shortcuts", "set", "other", "nothing"],
			["shortcuts", "delete", "other"],
			["list", "tomorrow"],
		]) {
			expect(await run(...words)).toMatchObject({ status: 3, stdout: "" });
		}
		expect((await run("shortcuts", "delete", "buy", "--no-json")).stdout).toBe("Deleted the shortcut buy.\n");
		expect((await run("list", "buy")).status).toBe(3);
	});

	test("edit, move and delete nodes", async () => {
		const trip = await added("--to", "None", "trip");
		const pack = await added("--to", trip.id, "pack");
		const book = await added("--to", trip.id, "book");
		expect((await run("edit", pack.id, "#", "Pack", "**all**", "--no-json")).stdout).toMatch(
			/^• Pack all {2}\w{12}\n$/,
		);
		await run("edit", pack.id, "--note", "by Friday");
		expect(objects((await run("list")).stdout)[1]).toMatchObject({
			name: "Pack <b>all</b>",
			text: "Pack all",
			note: "by Friday",
			layoutMode: "h1",
		});
		expect(objects((await run("edit", pack.id, "--note", "")).stdout)).toMatchObject([{ note: null }]);
		const edited = start("edit", pack.id, "-");
		edited.stdin.end("pack\n");
		expect((await edited.ended).status).toBe(0);

		await run("move", book.id, "--before", pack.id);
		expect(await tree()).toBe("• trip\n  • book\n  • pack\n");
		await run("move", book.id, "--after", pack.id);
		expect(await tree()).toBe("• trip\n  • pack\n  • book\n");
		await run("move", book.id, "--top");
		await run("move", pack.id, "--to", "None", "--top");
		expect(await tree()).toBe("• pack\n• trip\n  • book\n");
		for (const words of [[], ["--top", "--after", trip.id], ["--before", trip.id, "--after", trip.id]]) {
			expect(await run("move", pack.id, ...words)).toMatchObject({
				status: 2,
				stderr: expect.stringContaining("--to"),
			});
		}

		expect((await run("delete", trip.id, "--no-json")).stdout).toBe("Deleted: 2 nodes.\n");
		expect(await tree()).toBe("• pack\n");
		await run("undo");
		expect(objects((await run("delete", trip.id)).stdout)).toEqual([{ deleted: [trip.id, book.id] }]);
		expect(await run("delete", trip.id)).toMatchObject({ status: 3, stdout: "" });
	});

	test("print an agenda: overdue tasks, and the dates of the next days", async () => {
		const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
		const [past, next, late] = [day(-3), day(2), day(40)];
		await run("add", `- [ ] pay the rent [${past}]`);
		await run("add", `party [${past}]`);
		await run("add", `- [x] done [${next}]`);
		await run("add", `lunch [${next} 12:30]`);
		await run("add", `breakfast [${next} 08:30]`);
		await run("add", `later [${late}]`);
		const { stdout } = await run("agenda", "--no-json");
		const lines = stdout.split("\n").filter((line) => !line.startsWith("  in"));
		expect(lines.map((line) => line.replace(/ {2}\w{12}$/, ""))).toEqual([
			"Overdue",
			`☐ pay the rent ${past}`,
			next,
			`• breakfast ${next} 08:30`,
			`• lunch ${next} 12:30`,
			"",
		]);
		expect(objects<{ date: string }>((await run("agenda", "--days", "60")).stdout).map(({ date }) => date)).toEqual([
			past,
			`${next}T08:30+00:00`,
			`${next}T12:30+00:00`,
			late,
		]);
		const byDate = await run("search", "lunch", "OR", "breakfast", "OR", "later", "--order", "date");
		expect(objects<{ date: string }>(byDate.stdout).map(({ date }) => date.slice(0, 10))).toEqual([next, next, late]);
		expect((await run("agenda", "--within", "today", "--no-json")).status).toBe(3);
	});

	test("work on an SQLite database, with an outline for each name", async () => {
		const database = ["--database", `sqlite:${join(folder, "outlines.db")}`];
		const missing = await run("list", ...database);
		expect([missing.status, missing.stderr]).toEqual([
			3,
			expect.stringMatching(/no outline "outline" in .*outlines\.db/),
		]);
		expect(await run("add", "boat", "--to", "None", ...database)).toMatchObject({
			status: 0,
			stderr: expect.stringMatching(/^A new outline: "outline" in .*outlines\.db\n$/),
		});
		const misspelled = await run("list", "--outline", "outlin", ...database);
		expect([misspelled.status, misspelled.stderr]).toEqual([3, expect.stringMatching(/no outline "outlin" in/)]);
		expect((await run("add", "tent", "--to", "None", "--outline", "other", ...database)).stderr).toContain('"other"');
		expect(await tree(...database)).toBe("• boat\n");
		expect((await run("undo", ...database)).status).toBe(0);
		expect(await tree(...database)).toBe("");
		expect(await tree("--outline", "other", ...database)).toBe("• tent\n");
	});
});

const noServer = /http:\/\/127\.0\.0\.1:1 can't be reached: (?!fetch failed).+ \[storage_unavailable\]/;

describe("exit codes", () => {
	test.each([
		[2, /--depth is "x"/, ["list", "--depth", "x"]],
		[3, /\[not_found\]/, ["done", "nothing"]],
		[3, /nothing to undo/, ["undo"]],
		[3, /no file nowhere\.md/, ["import", "nowhere.md"]],
		[2, /notes\.org has no known ending: add --format json, opml, markdown or text\./, ["import", "notes.org"]],
		[3, /no outline at .*nowhere\.jsonl/, ["list", "--file", "nowhere.jsonl"]],
		[1, noServer, ["list", "--server", "http://127.0.0.1:1/#key=x"]],
		[1, noServer, ["stats", "--server", "http://127.0.0.1:1/#key=x"]],
	])("%i, with a message like %s", async (status, message, words) => {
		const storage = createFileStorage(file);
		await storage.commit(addingAll([recordAt(1, 1)]));
		await storage.close();
		const ended = await run(...words);
		expect(ended).toEqual({ status, stdout: "", stderr: expect.stringMatching(message) });
		expect(ended.stderr).toMatch(/^outlinekit: [^\n]*\n$/);
	});

	test.skipIf(process.platform === "win32")("a file that can't be looked up isn't called absent", async () => {
		await symlink(file, file);
		const ended = await run("list");
		expect([ended.status, ended.stderr]).toEqual([1, expect.stringMatching(/ELOOP.* \[storage_unavailable\]/)]);
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
		expect([repaired.status, repaired.stdout]).toEqual([0, expect.stringMatching(/Repaired: 1 problem\.\n$/)]);
		expect(await run("verify", "--no-json")).toMatchObject({
			status: 0,
			stdout: "No problems in 2 nodes and 0 keys.\n",
		});
	});
});

test("on a terminal, an empty answer is a note on the standard error", async () => {
	await terminal.run("add", "x");
	await terminal.run("delete", "inbox");
	for (const [words, note] of [
		[["list"], /^The outline is empty\. .*outlinekit add/],
		[["list", "inbox"], /^There is nothing here/],
		[["search", "nothing"], /^Nothing was found/],
		[["agenda"], /^Nothing is due/],
	] as const) {
		expect(await terminal.run(...words)).toEqual({ status: 0, stdout: "", stderr: expect.stringMatching(note) });
		expect((await terminal.run(...words, "--quiet")).stderr).toBe("");
	}
});

test("a command that refuses a setting lets go of the outline", async () => {
	await run("add", "milk");
	expect(await run("list", "--time-zone", "Mars/X")).toMatchObject({ status: 2 });
	expect(await run("serve", "--port", "0", "--time-zone", "Mars/X")).toMatchObject({ status: 2 });
	expect(await readdir(folder)).toEqual(["outline.jsonl"]);
	const tls = ["--tls-certificate", join(folder, "outline.jsonl"), "--tls-key", join(folder, "outline.jsonl")];
	expect(await run("serve", "--port", "0", ...tls)).toMatchObject({ status: 1 });
	expect(await readdir(folder)).toEqual(["outline.jsonl"]);
});

describe("the standard input", () => {
	test("is the text of add, if the text is a dash", async () => {
		const adding = start("add", "-", "--to", "None");
		adding.stdin.end("- boat\n  - sail\n");
		expect(await adding.ended).toMatchObject({ status: 0 });
		expect(await tree()).toBe("• boat\n  • sail\n");
		expect(await run("add", "-")).toMatchObject({ status: 2, stderr: expect.stringContaining("The text is empty") });
	});

	test("is UTF-8, or the command changes nothing", async () => {
		await run("add", "café", "--to", "None");
		const { id } = JSON.parse((await run("list")).stdout) as { id: string };
		for (const words of [
			["add", "-"],
			["edit", id, "-"],
		]) {
			const reading = start(...words);
			reading.stdin.end(Buffer.from("caf\xe9 noir", "latin1"));
			expect(await reading.ended).toMatchObject({ status: 2, stderr: expect.stringMatching(/isn't UTF-8/) });
		}
		expect(await tree()).toBe("• café\n");
	});

	test("isn't waited for after Ctrl+C", async () => {
		for (const words of [
			["add", "-"],
			["edit", "inbox", "-"],
			["list", "--time-zone", "UTC"],
		]) {
			const reading = start(...words);
			reading.stop();
			expect(await reading.ended).toMatchObject({ status: 130, stdout: "" });
		}
	});

	test("has no file name, so an import needs a format", async () => {
		expect((await run("import", "-")).stderr).toBe(
			"outlinekit: Standard input has no file name: add --format json, opml, markdown or text. [usage]\n",
		);
		expect((await run("export", join(folder, "x.pdf"))).stderr).toMatch(/x\.pdf has no known ending: add --format/);
	});
});

test("a command that fails, or finds nothing, leaves no new outline", async () => {
	expect((await run("add", "x", "--to", "unknown")).status).toBe(3);
	expect(await readdir(folder)).toEqual([]);
	const atDefault = commandLine(() => ({ XDG_DATA_HOME: folder }));
	expect(await atDefault.run("list")).toMatchObject({ status: 0, stdout: "" });
	expect(await readdir(join(folder, "outlinekit"))).toEqual([]);
});

test("a command that fails keeps an empty outline that was there before", async () => {
	const storage = createFileStorage(file);
	await storage.read([]);
	await storage.close();
	expect((await run("add", "x", "--to", "unknown")).status).toBe(3);
	expect(await readdir(folder)).toEqual(["outline.jsonl"]);
});

describe("files", () => {
	test("go out to a file system without hard links, and under the longest names", async () => {
		await run("add", "--to", "None", "milk");
		const withLinks = promises.link;
		const refused = vi.spyOn(promises, "link").mockRejectedValue(Object.assign(new Error("EPERM"), { code: "EPERM" }));
		syncBuiltinESMExports();
		onTestFinished(() => {
			promises.link = withLinks;
			syncBuiltinESMExports();
		});
		const path = join(folder, `${"x".repeat(252)}.md`);
		expect(await run("export", path)).toMatchObject({ status: 0, stderr: "" });
		expect(refused).toHaveBeenCalled();
		expect(await readFile(path, "utf8")).toBe("- milk\n");
		await expect(writeNewFile(path, Readable.from(["other"]))).rejects.toMatchObject({ code: "exists" });
		expect(await readFile(path, "utf8")).toBe("- milk\n");
		expect((await readdir(folder)).filter((name) => name.includes(".new"))).toEqual([]);
	});

	test.each([
		["add -", ["add", "-", "--to", "None"]],
		["edit -", ["edit", "before", "-"]],
		["import -", ["import", "-", "--format", "markdown"]],
	])("Ctrl+C right after the end of the input: %s writes nothing", async (_, words) => {
		const { id } = await added("--to", "None", "before");
		const running = start(...words.map((word) => (word === "before" ? id : word)));
		running.stdin.once("end", () => setImmediate(running.stop));
		running.stdin.end("half");
		expect(await running.ended).toEqual({ status: 130, stdout: "", stderr: "" });
		expect(await tree()).toBe("• before\n");
	});

	test("an empty import is refused, and leaves no new outline behind", async () => {
		for (const text of ["", " \n\n"]) {
			const importing = start("import", "-", "--format", "markdown");
			importing.stdin.end(text);
			expect(await importing.ended).toEqual({
				status: 2,
				stdout: "",
				stderr: "outlinekit: The text is empty. [usage]\n",
			});
		}
		const path = join(folder, "empty.md");
		await writeFile(path, "");
		expect(await run("import", path)).toMatchObject({ status: 2, stderr: `outlinekit: ${path} is empty. [usage]\n` });
		expect(await readdir(folder)).toEqual(["empty.md"]);
	});

	test("go out and come in, and no file is ever replaced", async () => {
		await run("add", "--to", "None", "- [ ] milk");
		const markdown = join(folder, "notes.md");
		expect(await run("export", markdown)).toMatchObject({ status: 0, stdout: "", stderr: "" });
		expect(await readFile(markdown, "utf8")).toBe("- [ ] milk\n");
		expect(await run("export", markdown)).toMatchObject({
			status: 2,
			stderr: expect.stringContaining("already exists"),
		});
		expect((await run("export", "--format", "text")).stdout).toBe("milk\n");
		const elsewhere = await run("export", join(folder, "absent", "notes.md"));
		expect(elsewhere).toMatchObject({ status: 3, stderr: expect.stringContaining("There is no folder") });

		const saved = await run("backup", folder, "--no-json");
		const path = saved.stdout.slice(0, saved.stdout.indexOf(": "));
		file = join(folder, "restored.jsonl");
		expect(objects((await run("import", path)).stdout)).toMatchObject([{ nodes: 1, lost: {} }]);
		const imported = start("import", "-", "--format", "markdown", "--top", "--no-json");
		imported.stdin.end("- bread\n  - rye\n");
		expect((await imported.ended).stdout).toBe("Imported: 2 nodes.\n");
		expect(await tree()).toBe("• bread\n  • rye\n☐ milk\n");
		const marked = start("import", "-", "--format", "markdown", "--dialect", "logseq", "--no-json");
		marked.stdin.end("- DONE call Ada\n  id:: 1\n");
		expect((await marked.ended).stdout).toBe("Imported: 1 node.\n");
		expect(await tree()).toBe("• bread\n  • rye\n☐ milk\n☑ call Ada\n");
		expect((await readdir(folder)).filter((name) => name.includes(".new"))).toEqual([]);
	});
});

test("a server exchanges with a local copy, on which commands work offline, and is a place of its own", async () => {
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

	const [bought] = objects((await run("add", "--to", "None", "milk")).stdout);
	await run("sync", "--server", link);
	await run("edit", bought!.id, "oat milk");
	await run("edit", bought!.id, "soy milk", "--server", link);
	expect((await run("sync", "--server", link, "--no-json")).stderr).toBe(
		"1 conflict to settle: outlinekit conflicts list\n",
	);
	const [conflict] = objects((await run("conflicts", "list")).stdout);
	expect((await run("conflicts", "list", "--no-json")).stdout).toBe(
		`text (name): "oat milk"  ${conflict!.id}\n  shown  oat milk\n  other  soy milk\n`,
	);
	expect(await run("conflicts", "resolve", conflict!.id, "both")).toMatchObject({ status: 2 });
	expect((await run("conflicts", "resolve", conflict!.id, "other")).status).toBe(0);
	expect((await run("conflicts", "list", "--no-json")).stderr).toBe("There are no conflicts.\n");
	expect((await run("undo")).status).toBe(0);
	expect(await tree()).toBe(`${expected}• oat milk\n`);
	await run("sync", "--server", link);
	await run("edit", bought!.id, "rye", "--server", link);
	await run("sync", "--server", link);
	expect(await run("undo")).toMatchObject({
		status: 1,
		stderr: expect.stringContaining("outlinekit undo --forget forgets"),
	});
	expect((await run("undo", "--forget")).status).toBe(0);
	expect((await run("undo")).status).toBe(3);
	await run("edit", bought!.id, "oat milk");

	expect(await run("serve", "--port", "0")).toMatchObject({
		status: 1,
		stderr: expect.stringContaining("[is_copy]"),
	});
	expect(await run("undo", "--server", link)).toMatchObject({ status: 2 });
	expect(await run("sync")).toMatchObject({ status: 2, stderr: expect.stringContaining("OUTLINEKIT_SERVER") });
	file = join(folder, "server.jsonl");
	expect(await run("conflicts", "list")).toMatchObject({ status: 2, stderr: expect.stringContaining("no copy") });
});
