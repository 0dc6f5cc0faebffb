import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./project.js";
import { parts } from "./sizes.js";

const [, table = ""] = readFileSync(join(root, "README.md"), "utf8").split("\n## Size\n");

describe.each(parts)("what a page loads for $name", ({ name, limit, size }) => {
	test(`is at most ${limit} kB`, async () => {
		expect((await size()) / 1000).toBeLessThanOrEqual(limit);
	});

	test("is what the README says, to 0.2 kB", async () => {
		const row = table.split("\n").find((line) => line.startsWith(`| ${name} |`));
		const said = Number(/\| ([\d.]+) kB \|/.exec(row ?? "")?.[1]);
		const measured = (await size()) / 1000;
		expect(Math.abs(said - measured), `README.md wants: | ${name} | ${measured.toFixed(1)} kB |`).toBeLessThanOrEqual(
			0.2,
		);
	});
});
