import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary.js";
import { installed, project } from "./project.js";

const program = join(project, "node_modules", ".bin", "outlinekit");

/** Runs the installed program. */
function run(file: string, ...words: string[]) {
	const env = { ...process.env, OUTLINEKIT_FILE: file };
	const { status, stdout, stderr } = spawnSync(program, words, {
		env,
		encoding: "utf8",
		shell: process.platform === "win32",
	});
	return { status, stdout, stderr };
}

test("the program runs without any package beside it, and names those that a command needs", () => {
	const file = join(temporaryFolder(), "outline.jsonl");
	const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
	expect(run(file, "--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
	expect(run(file, "add", "--to", "None", "- [ ] milk")).toMatchObject({
		status: 0,
		stderr: expect.stringMatching(/^A new outline: /),
	});
	expect(run(file, "list", "--no-json").stdout).toMatch(/^☐ milk {2}\w{12}\n$/);
	expect(run(file, "mcp")).toMatchObject({ status: 1, stderr: expect.stringMatching(/npm install @modelcon/) });
	const postgres = run(file, "list", "--database", "postgres://127.0.0.1/x");
	expect(postgres).toMatchObject({ status: 1, stderr: expect.stringMatching(/npm install pg/) });
});

test("the program serves the outliner of the package", async () => {
	const file = join(temporaryFolder(), "outline.jsonl");
	const child = spawn(process.execPath, [join(installed, "dist", "cli.js"), "serve", "--port", "0", "--file", file]);
	try {
		let text = "";
		for await (const piece of child.stdout) {
			text += piece;
			if (text.includes("Ctrl-C")) break;
		}
		const [, address] = /Write in your browser: (http:\S+)\/#key=/.exec(text)!;
		const page = await (await fetch(address!)).text();
		const [, script] = /src="\.\/(assets\/[^"]+\.js)"/.exec(page)!;
		expect((await fetch(`${address}/${script}`)).status).toBe(200);
	} finally {
		child.kill();
		await once(child, "close");
	}
});
