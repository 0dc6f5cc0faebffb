import { describe, expect, test } from "vitest";
import { commands } from "../../adapters/cli/commands.js";
import { Failure } from "../../adapters/cli/failure.js";
import { commandHelp, programHelp } from "../../adapters/cli/help.js";
import type { Environment } from "../../adapters/cli/options.js";
import { parse } from "../../adapters/cli/parse.js";
import { defaultFile, localPlaceOf, nameOf, placeOf } from "../../adapters/cli/place/place.js";

const parsed = (words: string[], environment: Environment = {}) => parse(words, commands, environment);

/** The error of a wrong command line. */
function refusal(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		expect(error).toBeInstanceOf(Failure);
		expect(error).toMatchObject({ code: "usage", exitCode: 2 });
		return (error as Failure).message;
	}
	throw new Error("There was no error.");
}

describe("the parser", () => {
	test.each([
		[/no command "lst"\. Did you mean list\?$/, ["lst"]],
		[/Did you mean search\?$/, ["serach", "milk"]],
		[/Did you mean keys\?$/, ["key"]],
		[/no command "quit"\. The command comes first/, ["quit"]],
		[/no command "ad"/, ["ad"]],
		[/no command "--file"/, ["--file", "x", "list"]],
		[/one of these commands: keys add, keys list, keys revoke/, ["keys"]],
		[/Unknown option '--fast'\. See outlinekit help list\./, ["list", "--fast"]],
		[/Unknown option '--dept'\. Did you mean --depth\?$/, ["list", "--dept", "2"]],
		[/outlinekit undo works only on a file or a database\. Give --file or --database\.$/, ["undo", "--server", "x"]],
		[/Unknown option '-m'\. Write -- before .*: outlinekit search -- …/, ["search", "-milk"]],
		[/Write -- before .*: outlinekit add -- …/, ["add", "--not-an-option"]],
		[/<text\.\.\.> is missing/, ["add"]],
		[/at most 1/, ["list", "a", "b"]],
		[/no words/, ["undo", "twice"]],
		[/argument missing/, ["list", "--depth"]],
		[/^--note needs a value\. If the value begins with -, write --note=<value>\.$/, ["add", "x", "--note", "-q"]],
		[/does not take an argument/, ["add", "x", "--top=yes"]],
	])("refuses with %s", (message, words) => {
		expect(refusal(() => parsed(words))).toMatch(message);
	});

	test("takes texts that look like options for texts", () => {
		const { words, options } = parsed(["add", "- [ ] milk", "--todo", "-", "--", "--top"]);
		expect(words).toEqual(["- [ ] milk", "-", "--top"]);
		expect([options.flag("todo"), options.flag("top")]).toEqual([true, undefined]);
		const { options: edit } = parsed(["edit", "today", "--note", "- tent\n- rope"]);
		expect(edit.text("note")).toBe("- tent\n- rope");
	});

	test("finds commands of two words", () => {
		const { command, words } = parsed(["keys", "add", "ada"]);
		expect([command.name, words]).toEqual(["keys add", ["ada"]]);
	});
});

describe("options", () => {
	test("come from the command line before the environment, and an empty variable is none", () => {
		const { options } = parsed(["serve", "--port", "1"], { PORT: "2", OUTLINEKIT_HOST: "::1", OUTLINEKIT_KEY: "" });
		expect(options.integer("port", 0, 65_535)).toBe(1);
		expect([options.text("host"), options.text("key")]).toEqual(["::1", undefined]);
	});

	test("name the option or the variable of a wrong value", () => {
		const { options } = parsed(["serve", "--port", "65536"], { OUTLINEKIT_WEEK_START: "7" });
		expect(refusal(() => options.integer("port", 0, 65_535))).toBe(
			'--port is "65536". It must be an integer from 0 to 65535.',
		);
		expect(refusal(() => options.integer("week-start", 0, 6))).toMatch(/^OUTLINEKIT_WEEK_START is "7"/);
		const { options: format } = parsed(["export", "--format", "pdf"]);
		expect(refusal(() => format.text("format"))).toMatch(/one of json, opml, markdown, text/);
		const { options: flag } = parsed(["mcp"], { OUTLINEKIT_READ_ONLY: "yes" });
		expect(refusal(() => flag.flag("read-only"))).toMatch(/^OUTLINEKIT_READ_ONLY is "yes"/);
	});
});

describe("the place of an outline", () => {
	const place = (words: string[], environment?: Environment) =>
		placeOf(parsed(["list", ...words], environment).options);
	const path = expect.stringMatching(/[/\\]a$/);

	test("is a file, a database or a server", () => {
		expect(place([], { XDG_DATA_HOME: "/data" })).toMatchObject({ kind: "file", isDefault: true });
		expect(place(["--file", "a"])).toEqual({ kind: "file", path, isDefault: false });
		expect(place(["--database", "sqlite:a"])).toEqual({ kind: "sqlite", path, outline: "outline" });
		const postgres = place(["--database", "postgres://ada:secret@db/notes", "--outline", "ada"]);
		expect(postgres).toMatchObject({ kind: "postgres", outline: "ada" });
		expect(nameOf(postgres)).toBe("db/notes");
		const server = { kind: "server", url: "https://notes.example/mine", key: "k" };
		expect(place(["--server", "https://notes.example/mine/#key=k"])).toEqual(server);
		expect(place(["--server", "https://notes.example/mine"], { OUTLINEKIT_KEY: "k" })).toEqual(server);
		expect(place(["--server", "https://notes.example/mine/api/v1/", "--key", "k"])).toEqual(server);
	});

	test("of the command line wins over a place of the environment", () => {
		const environment = { OUTLINEKIT_SERVER: "http://a/#key=k", OUTLINEKIT_DATABASE: "sqlite:x" };
		expect(place(["--file", "a"], environment)).toMatchObject({ kind: "file" });
		expect(place(["--server", "http://b/#key=k"], environment)).toMatchObject({ url: "http://b" });
	});

	test.each([
		[/--file and --server/, ["--file", "a", "--server", "http://b/#key=k"], {}],
		[
			/there are OUTLINEKIT_FILE and OUTLINEKIT_DATABASE\. Give one/,
			[],
			{ OUTLINEKIT_FILE: "a", OUTLINEKIT_DATABASE: "sqlite:b" },
		],
		[/^--file is empty/, ["--file", ""], {}],
		[/needs a key/, ["--server", "http://b"], {}],
		[/key has a blank(?!.*my)/, ["--server", "http://b", "--key", "my key"], {}],
		[/key has .*is empty/, ["--server", "http://b/#key="], {}],
		[/--server is "b"/, ["--server", "b"], {}],
		[/--server is "ftp:/, ["--server", "ftp://b"], {}],
		[/--database is "mysql:/, ["--database", "mysql://b"], {}],
		[/^--outline names an outline in a database/, ["--outline", "ada"], {}],
		[/^--outline names an outline in a database/, ["--outline", "ada"], { OUTLINEKIT_SERVER: "http://a/#key=k" }],
	])("is refused with %s", (message, words, environment) => {
		expect(refusal(() => place(words, environment))).toMatch(message);
	});

	test("is never another outline than the one that the environment names", () => {
		const { options } = parsed(["undo"], { OUTLINEKIT_SERVER: "http://a/#key=k" });
		expect(refusal(() => placeOf(options))).toMatch(/OUTLINEKIT_SERVER/);
		const { options: sync } = parsed(["sync"], { OUTLINEKIT_SERVER: "http://a/#key=k" });
		expect(localPlaceOf(sync)).toMatchObject({ kind: "file", isDefault: true });
	});

	test("is where each system keeps data by default", () => {
		expect(defaultFile({}, "linux", "/home/a")).toBe("/home/a/.local/share/outlinekit/outline.jsonl");
		expect(defaultFile({ XDG_DATA_HOME: "/data" }, "linux", "/home/a")).toBe("/data/outlinekit/outline.jsonl");
		expect(defaultFile({}, "darwin", "/a")).toBe("/a/Library/Application Support/outlinekit/outline.jsonl");
		expect(defaultFile({ LOCALAPPDATA: "/l" }, "win32", "/a")).toBe("/l/outlinekit/outline.jsonl");
	});
});

test("the help names every command, and every option and variable of each", () => {
	const program = programHelp(commands, "/data/outline.jsonl");
	for (const command of commands) {
		expect(program).toContain(`\n  ${command.name}`);
		const help = commandHelp(command);
		for (const [name, { variable }] of Object.entries(command.options)) {
			expect(help).toContain(`--${name}`);
			if (variable !== undefined) expect(help).toContain(`[${variable}]`);
		}
	}
	expect(program.split("\n").filter((line) => line.length > 120)).toEqual([]);
});
