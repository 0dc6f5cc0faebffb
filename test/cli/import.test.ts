import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { commandLine } from "../support/command-line.js";
import { treeBy } from "../support/outlinekit.js";
import { temporaryFolder } from "../support/temporary.js";

let folder: string;
let file: string;
beforeEach(() => {
	folder = temporaryFolder();
	file = join(folder, "outline.jsonl");
});
const { run } = commandLine(() => ({ OUTLINEKIT_FILE: file, XDG_DATA_HOME: folder }));
const tree = treeBy(run);

/** Writes files below the folder `notes`, and returns its path. */
async function notes(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
	for (const [name, text] of Object.entries(files)) {
		await mkdir(dirname(join(folder, "notes", name)), { recursive: true });
		await writeFile(join(folder, "notes", name), text);
	}
	return join(folder, "notes");
}

test("the import of a missing file leaves no new outline", async () => {
	const file = join(folder, "new", "outline.jsonl");
	await mkdir(join(folder, "new"));
	expect(await run("import", "nowhere.md", "--file", file)).toMatchObject({ status: 3 });
	expect(existsSync(file)).toBe(false);
});

test("messages about a broken file are whole sentences, without values that it doesn't have", async () => {
	const broken = async (name: string, text: string) => {
		await writeFile(join(folder, name), text);
		return (await run("import", join(folder, name))).stderr;
	};
	expect(await broken("bad.json", '{"a":1}\n')).toBe(
		'outlinekit: Line 1: This is no JSON export of an outline. Its first line must have "format": "outlinekit" and a version. Nothing was imported. [invalid_argument]\n',
	);
	expect(await broken("storage.jsonl", '{"crc32":"01234567","format":"outlinekit","version":2}\n')).toMatch(
		/This is the file of a storage, not an export of an outline/,
	);
	expect(await broken("bad.opml", '<opml><head/><body><outline text="a"/>')).toMatch(
		/unclosed tag: body\. Nothing was imported\. /,
	);
});

test("an import of a folder makes nodes of folders and Markdown files, puts notes of a day below it, and is one undo step", async () => {
	const path = await notes({
		"note 10.md": "# ten\n\ntext\n",
		"note 2.markdown": "",
		"trips/Oslo.md": "See [[Ada]].\n\n- [ ] book\n",
		"trips/map.png": "no text",
		"images/map.png": "no text",
		".obsidian/x.md": "settings\n",
		"2026-12-01.md": "- [x] call\n",
		"daily/2026-12-01.md": "- mend\n",
		"2026-02-30.md": "no day\n",
		"2026-13-01.md": "no day\n",
		"0000-01-01.md": "no day\n",
	});
	await run("add", "--to", "None", "before");
	const report = JSON.parse((await run("import", path)).stdout);
	expect(report).toMatchObject({ nodes: 16, lost: {} });
	expect(report.rootIds).toHaveLength(8);
	const pages = "• note 2\n• note 10\n  • ten\n    • text\n• trips\n  • Oslo\n    • See [[Ada]].\n    ☐ book\n";
	const whole = await tree();
	expect(whole).toMatch(
		`• before\n• 0000-01-01\n  • no day\n• 2026-02-30\n  • no day\n• 2026-13-01\n  • no day\n${pages}`,
	);
	expect(await tree("2026-12-01")).toBe("☑ call\n• mend\n");
	await run("undo");
	expect(await tree("--depth", "1")).toBe("• before\n• Calendar\n");
	await run("redo");
	expect(await tree()).toBe(whole);
});

test("an import too large for the stored history says that no undo takes it back", async () => {
	const path = join(folder, "large.txt");
	await writeFile(path, "node\n".repeat(20_000));
	await run("add", "--to", "None", "before");
	const { status, stderr } = await run("import", path, "--format", "text");
	expect({ status, stderr }).toEqual({
		status: 0,
		stderr: "The import is too large for the stored history: no undo takes it back, nor any change before it.\n",
	});
	expect((await run("undo")).status).toBe(3);
	await writeFile(path, "node\n");
	expect((await run("import", path, "--format", "text")).stderr).toBe("");
});

test("an import of a folder takes the names, days and properties of pages of Logseq", async () => {
	const path = await notes({
		"pages/a___b%3F.md": "tags:: x, y\n\n- one\n",
		"pages/c.md": "title:: Named\n\n- two\n",
		"pages/d.md": "- three\n  id:: 7\n",
		"pages/100%.md": "- TODO four\n",
		"journals/2026_12_01.md": "- five\n",
	});
	for (const part of ["pages", "journals"]) {
		await run("import", join(path, part), "--dialect", "logseq", "--to", "inbox", "--top");
	}
	expect(await tree("inbox")).toBe("• 100%\n  ☐ four\n• a/b?\n  • one\n• Named\n  • two\n• d\n  • three\n");
	expect(await tree("2026-12-01")).toBe("• five\n");
	const page = (await run("list", "inbox")).stdout.split("\n").find((line) => line.includes("a/b?"));
	expect(JSON.parse(page!).properties).toEqual({ tags: "x, y" });
});

test("an import of a folder names a file that can't be read, and imports nothing then", async () => {
	const path = await notes({ "a.md": "fine\n", "sub/b.md": new Uint8Array([0x61, 0xc3, 0x28]) });
	expect(await run("import", path)).toMatchObject({ status: 2, stderr: expect.stringMatching(/sub.b\.md: .*UTF-8/) });
	expect(existsSync(file)).toBe(false);
	const empty = await notes({ "none/x.txt": "text\n" });
	expect(await run("import", empty, "--format", "opml")).toMatchObject({
		status: 2,
		stderr: expect.stringMatching(/only Markdown files are read, and not opml\. \[usage\]/),
	});
	expect((await run("import", join(empty, "none"))).stderr).toMatch(/none has no Markdown file\. \[usage\]/);
	expect(existsSync(file)).toBe(false);
});
