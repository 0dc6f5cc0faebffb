import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "./project.js";
import { parts } from "./sizes.js";

const [, table = ""] = readFileSync(join(root, "README.md"), "utf8").split("\n## Size\n");

describe.each(parts)("the size of a page with $name", ({ name, limit, size }) => {
	/** In kB. */
	let measured: number;
	beforeAll(async () => {
		measured = (await size()) / 1000;
	}, 60_000);

	test(`is at most ${limit} kB`, () => {
		expect(measured).toBeLessThanOrEqual(limit);
	});

	test("is what the README says, to 0.2 kB", () => {
		const row = table.split("\n").find((line) => line.startsWith(`| ${name} |`));
		const said = Number(/\| ([\d.]+) kB \|/.exec(row ?? "")?.[1]);
		expect(Math.abs(said - measured), `README.md wants: | ${name} | ${measured.toFixed(1)} kB |`).toBeLessThanOrEqual(
			0.2,
		);
	});
});
