import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { OptionDescription } from "../../cli/command.js";
import { commands } from "../../cli/commands.js";
import { liveRows } from "../../src/live/index.js";
import { exported, newOutline } from "../support/outline.js";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const readme = read("README.md");

describe("the README", () => {
	test("lists every error code, and no other", () => {
		const union = read("src/errors.ts").match(/type OutlineErrorCode =([^;]*);/)![1]!;
		const codes = Array.from(union.matchAll(/"(\w+)"/g), ([, code]) => code);
		const table = readme.slice(
			readme.indexOf("| code | meaning"),
			readme.indexOf("\n\n", readme.indexOf("| code | meaning")),
		);
		expect(Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, code]) => code)).toEqual(codes);
	});

	test("names every entry point and every environment variable of the server", () => {
		const { exports } = JSON.parse(read("package.json")) as { exports: Record<string, unknown> };
		for (const path of Object.keys(exports).filter((each) => each !== "./package.json")) {
			expect(readme).toContain(`\`outlinekit${path.slice(1)}\``);
		}
		const { options } = commands.find(({ name }) => name === "serve")!;
		const others = new Set(["OUTLINEKIT_DATABASE", "OUTLINEKIT_OUTLINE", "OUTLINEKIT_WAIT"]);
		for (const { variable } of Object.values<OptionDescription>(options)) {
			if (variable !== undefined && !others.has(variable)) expect(readme).toContain(`\`${variable}\``);
		}
	});

	test("names only scripts that exist", () => {
		const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
		const named = Array.from(readme.matchAll(/npm run ([\w:]+)/g), ([, script]) => script!);
		expect(named.length).toBeGreaterThan(2);
		for (const script of named) expect(Object.keys(scripts)).toContain(script);
	});

	test("shows working code by task", async () => {
		const section = readme.slice(readme.indexOf("## More by task"), readme.indexOf("## Entry points"));
		const code = Array.from(section.matchAll(/^```js\n(.*?)^```$/gms), ([, block]) => block);
		expect(code.length).toBeGreaterThan(3);
		const outline = newOutline();
		const boat = await outline.create({ name: "boat" });
		const tent = await outline.create({ name: "tent", position: "bottom" });
		await outline.setShortcut("trip", boat.id);
		const copy = new Map();
		const lines: string[] = [];
		const log = { log: (line: string) => lines.push(line) };
		const AsyncFunction = (async () => {}).constructor as new (
			...source: string[]
		) => (...values: unknown[]) => Promise<void>;
		await new AsyncFunction("outline", "liveRows", "boat", "tent", "copy", "console", code.join("\n"))(
			outline,
			liveRows,
			boat,
			tent,
			copy,
			log,
		);
		expect(lines).toEqual(["boat", expect.stringMatching(/^\d+ to undo, 1 to redo$/), "not_found"]);
		expect([...copy.values()].map(({ name }) => name).sort()).toEqual(
			(await exported(outline)).map(({ name }) => name).sort(),
		);
		expect((await outline.list("shopping")).nodes.map(({ name }) => name)).toEqual(["milk", "Trip"]);
	});
});
