import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));
const draw = "Math.random()";

/** Lines of the tests that draw a number which no seed determines. */
const draws = readdirSync(folder, { recursive: true, encoding: "utf8" })
	.filter((name) => /\.[jt]s$/.test(name))
	.flatMap((name) => {
		const lines = readFileSync(join(folder, name), "utf8").split("\n");
		return lines.filter((line) => line.includes(draw)).map((line) => ({ name, line: line.trim() }));
	})
	.filter(({ line }) => !line.startsWith("const draw ="));

/** Whether a draw decides nothing that could be had again: how long to wait, a name that nobody else has, a race of processes. */
function isFree({ name, line }: { name: string; line: string }): boolean {
	return /\b(pause|setTimeout|aWhile)\(/.test(line) || line.startsWith("const run =") || name.endsWith("-program.ts");
}

test("what a test draws at random follows from a seed, which a failure tells", () => {
	const seeds = draws.filter((each) => !isFree(each));
	expect(seeds.length).toBeGreaterThan(2);
	for (const { name, line } of seeds) {
		expect(line, name).toMatch(/\bseed\b/);
		const told = /`[^`]*\bseed:? \$\{seed\b/.test(readFileSync(join(folder, name), "utf8"));
		expect(told || name === join("conformance", "index.ts"), `${name} tells its seed`).toBe(true);
	}
});
