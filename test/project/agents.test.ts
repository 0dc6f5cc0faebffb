import { describe, expect, test } from "vitest";
import { read } from "./pages.js";

const page = read("AGENTS.md");

/** The names in backticks of a part of the page. */
const namesIn = (part: string) => Array.from(part.matchAll(/`(\w+)`/g), ([, name]) => name!);

/** Its code runs in `snippets.test.ts`, and shows most of what the page says. */
describe("AGENTS.md", () => {
	test("names exactly the methods of an outline that return no promise", () => {
		const [, exceptions = ""] = /except these: (.*?) return at once\./s.exec(page)!;
		const methods = Array.from(
			read("src/outline.ts").matchAll(/^\t(?!constructor|async |get )(\w+)\(.*\): ([\w(][^;]*) \{$/gm),
			([, name, type]) => [name!, type!] as const,
		);
		expect(methods.length).toBeGreaterThan(20);
		const others = methods.filter(([, type]) => !type.startsWith("Promise<")).map(([name]) => name);
		expect(namesIn(exceptions).sort()).toEqual(others.sort());
	});

	test("shows each statement about names, positions, references and batches in its code", () => {
		const [, code = ""] = /^```ts\n(.*?)^```/ms.exec(page)!;
		const shown = [
			'position: "bottom"',
			'format: "markdown"',
			'format: "text"',
			"toText(",
			"ensure(",
			".batch(",
			".walk(",
		];
		expect(shown.filter((text) => !code.includes(text))).toEqual([]);
	});
});
