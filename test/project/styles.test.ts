import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../examples/outliner/src", import.meta.url));

/** The classes of a style sheet. */
interface Sheet {
	readonly name: string;
	/** The classes with rules for every element that has them, such as `.beside {`. */
	readonly bare: ReadonlySet<string>;
	/** The classes that are a state of another class, such as `marked` in `.day.marked`. */
	readonly states: ReadonlySet<string>;
}

function sheetOf(name: string): Sheet {
	const css = readFileSync(join(folder, name), "utf8").replace(/\/\*.*?\*\//gs, "");
	const selectors = Array.from(css.matchAll(/([^{};]+)\{/g), ([, selector]) => selector!.trim());
	const bare = selectors
		.flatMap((selector) => selector.replace(/\([^)]*\)/g, "()").split(","))
		.map((each) => /^\.([\w-]+)$/.exec(each.trim())?.[1]);
	const states = selectors.flatMap((selector) =>
		Array.from(selector.matchAll(/(?<=\.[\w-]+\.)[\w-]+/g), ([each]) => each),
	);
	return { name, bare: new Set(bare.filter((each) => each !== undefined)), states: new Set(states) };
}

const sheets = readdirSync(folder, { recursive: true, encoding: "utf8" })
	.filter((name) => name.endsWith(".css"))
	.map(sheetOf);

test("no class has rules of its own in one style sheet, and is a state of another class in a second one", () => {
	expect(sheets.length).toBeGreaterThan(20);
	const collisions = sheets.flatMap(({ name, bare }) =>
		sheets
			.filter((other) => other.name !== name)
			.flatMap((other) =>
				[...other.states].filter((state) => bare.has(state)).map((state) => `.${state}: ${name}, ${other.name}`),
			),
	);
	expect(collisions).toEqual([]);
});
