import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the tour is the program of the README, which runs in the tests of its pages", () => {
	expect(read("README.md")).toContain(`\`\`\`ts\n${read("examples/tour/tour.ts")}\`\`\``);
});
