import { describe, expect, test } from "vitest";
import { commands } from "../../adapters/cli/commands.js";
import type { OptionDescription } from "../../adapters/cli/options.js";
import { packedPages, read } from "./pages.js";

const { exports, scripts } = JSON.parse(read("package.json")) as {
	exports: Record<string, unknown>;
	scripts: Record<string, string>;
};

test("the README has at most 150 lines", () => {
	expect(read("README.md").split("\n").length).toBeLessThanOrEqual(150);
});

describe("the pages of the package", () => {
	test("list every error code, and no other", () => {
		const union = read("src/errors.ts").match(/type OutlineErrorCode =([^;]*);/)![1]!;
		const codes = Array.from(union.matchAll(/"(\w+)"/g), ([, code]) => code);
		const [, table = ""] = /^\| code \| meaning \|\n(.*?)\n\n/ms.exec(read("docs/guides/errors.md"))!;
		expect(Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, code]) => code)).toEqual(codes);
	});

	test("name every entry point and every environment variable of the server", () => {
		for (const path of Object.keys(exports).filter((each) => each !== "./package.json")) {
			expect(read("docs/README.md")).toContain(`\`outlinekit${path.slice(1)}\``);
		}
		const { options } = commands.find(({ name }) => name === "serve")!;
		const others = new Set(["OUTLINEKIT_DATABASE", "OUTLINEKIT_OUTLINE", "OUTLINEKIT_WAIT"]);
		for (const { variable } of Object.values<OptionDescription>(options)) {
			if (variable !== undefined && !others.has(variable))
				expect(read("docs/guides/command-line.md")).toContain(`\`${variable}\``);
		}
	});

	test("name only scripts that exist", () => {
		const named = packedPages.flatMap((page) =>
			Array.from(read(page).matchAll(/npm run ([\w:]+)/g), ([, script]) => ({ page, script: script! })),
		);
		expect(named.length).toBeGreaterThan(5);
		expect(named.filter(({ script }) => scripts[script] === undefined)).toEqual([]);
	});
});
