import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { commands } from "../../adapters/cli/commands.js";
import { completionOf, shells } from "../../adapters/cli/completion.js";

const has = (shell: string) => spawnSync(shell, ["-c", "exit"]).status === 0;

test.runIf(has("bash"))("bash completes commands, their second words, and their options", () => {
	const lines = [
		...["se", "keys ", "keys add --u", "export --fo", "undo --se", "export --format ", "add --to to"],
		...["completion f", "help ba", "list in", "add --note inb", "list --"],
	];
	const script = [
		completionOf("bash", commands),
		...lines.map((line) => {
			const words = ["outlinekit", ...line.split(" ")];
			return `COMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _outlinekit; echo "\${COMPREPLY[*]}"`;
		}),
	].join("\n");
	const { stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
	expect(stderr).toBe("");
	const answers = stdout.trimEnd().split("\n");
	expect(answers.slice(0, -1)).toEqual([
		...["search serve", "add list revoke", "--url", "--format", "", "json opml markdown text", "today tomorrow"],
		...["fish", "backup", "inbox", ""],
	]);
	expect(answers.at(-1)!.split(" ")).toEqual(expect.arrayContaining(["--depth", "--file", "--json", "--help"]));
});

test.each(shells.filter((shell) => shell !== "bash" && has(shell)))("%s takes its script", (shell) => {
	const { status, stderr } = spawnSync(shell, ["--no-execute"], {
		input: completionOf(shell, commands),
		encoding: "utf8",
	});
	expect([status, stderr]).toEqual([0, ""]);
});

test("each script has every command and every option", () => {
	for (const shell of shells) {
		const script = completionOf(shell, commands);
		for (const { name, options } of commands) {
			for (const word of name.split(" ")) expect(script).toContain(word);
			for (const option of Object.keys(options))
				expect(script).toContain(shell === "fish" ? `-l ${option}` : `--${option}`);
		}
	}
});
