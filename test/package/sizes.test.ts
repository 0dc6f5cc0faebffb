import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "./project.js";
import { parts } from "./sizes.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const page = "docs/guides/performance.md";
const [, table = ""] = read(page).split("\n## Size\n");

test("the README says the size of the core as the page on performance does", () => {
	const [, size] = /^\| `outlinekit` \| ([\d.]+ kB) \|$/m.exec(table)!;
	expect(read("README.md")).toContain(`| ${size} ([all parts]`);
});

describe.each(parts)("the size of a page with $name", ({ name, limit, size }) => {
	/** In kB. */
	let measured: number;
	beforeAll(async () => {
		measured = (await size()) / 1000;
	}, 60_000);

	test(`is at most ${limit} kB`, () => {
		const advice = `It is ${measured} kB. Load what few programs need on first use, or raise its limit in test/package/sizes.ts`;
		expect(measured, advice).toBeLessThanOrEqual(limit);
	});

	test("is what the page on performance says, to 0.2 kB", () => {
		const row = table.split("\n").find((line) => line.startsWith(`| ${name} |`));
		const said = Number(/\| ([\d.]+) kB \|/.exec(row ?? "")?.[1]);
		expect(Math.abs(said - measured), `${page} wants: | ${name} | ${measured.toFixed(1)} kB |`).toBeLessThanOrEqual(
			0.2,
		);
	});
});
