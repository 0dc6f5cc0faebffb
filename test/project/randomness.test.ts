import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));
const draw = "Math.random()";
const texts = new Map(
	readdirSync(folder, { recursive: true, encoding: "utf8" })
		.filter((name) => /\.[jt]s$/.test(name))
		.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
);

/** Lines of the tests that draw a number which no seed determines. */
const draws = [...texts]
	.flatMap(([name, text]) => {
		const lines = text.split("\n").filter((line) => line.includes(draw));
		return lines.map((line) => ({ name, line: line.trim() }));
	})
	.filter(({ line }) => !line.startsWith("const draw ="));

/** The files that draw seeds: for our own tests, and for the tests of a storage's author. */
const sources = [join("setup", "soak.ts"), join("conformance", "index.ts")];

/** Whether a draw needs no seed: the length of a pause, a unique name, a race of processes. */
function isFree({ name, line }: { name: string; line: string }): boolean {
	return /\b(pause|setTimeout|aWhile)\(/.test(line) || line.startsWith("const run =") || name.endsWith("-program.ts");
}

test("random values of a test follow from a seed, which a failure prints", () => {
	const seeds = draws.filter((each) => !isFree(each));
	expect(seeds.map(({ name }) => name).sort()).toEqual(sources.sort());
	for (const { name, line } of seeds) expect(line, name).toMatch(/\bseed\b/);
	const users = [...texts].filter(([, text]) => /import \{[^}]*\bseed\b[^}]*\} from ".*\/soak\.js"/.test(text));
	expect(users.length).toBeGreaterThan(2);
	for (const [name, text] of users)
		expect(text, `${name} tells its seed`).toMatch(/`[^`]*\bseed:? \$\{seed\b|Global\(/);
});
