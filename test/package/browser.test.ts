import { expect, test } from "vitest";
import { bundle } from "./bundle.js";
import { project } from "./project.js";

test.each([
	"outlinekit",
	"outlinekit/live",
	"outlinekit/markup",
	"outlinekit/sync",
	"outlinekit/memory",
	"outlinekit/indexeddb",
	"outlinekit/http",
])("%s is bundled for a browser, without anything of Node", async (name) => {
	const { code } = await bundle(`export * from "${name}";`, project);
	expect(code).not.toContain('"node:');
});

test("a bundle that needs something of Node is refused", async () => {
	await expect(bundle('export * from "outlinekit/file";', project)).rejects.toThrow("node:");
});

test("a page that imports only the texts of names doesn't load the rest", async () => {
	// In chunks, esbuild keeps code that only an unused chunk would need.
	const { inputs } = await bundle('export { toText } from "outlinekit/markup";', project, { splitting: false });
	expect(modulesOf(inputs)).toEqual(["@date-fns/tz", "decode-named-character-reference", "outlinekit"]);
});

test("modules for first use don't load before", async () => {
	const everything = 'export * from "outlinekit"; export * from "outlinekit/http";';
	const { code, later } = await bundle(everything, project);
	// Words of their own messages, which no minifier changes.
	for (const words of [
		"The query is empty",
		"A scan gives it twice",
		"Each outline has the endpoints of nodes",
		"so it is no OPML",
		"codeTextSequence",
		"is the origin of mirrors outside of the scope",
	]) {
		expect({ words, now: code.includes(words), later: later.includes(words) }).toEqual({
			words,
			now: false,
			later: true,
		});
	}
});

/** The packages that files are of. */
function modulesOf(inputs: readonly string[]): string[] {
	const names = inputs.map((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? input);
	return [...new Set(names)].sort();
}
