import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the tour prints what its comments say", async () => {
	const log = vi.spyOn(console, "log").mockImplementation(() => {});
	await import("../../examples/tour/tour.js");
	const printed = log.mock.calls.map((values) =>
		values
			.map((value) => (Array.isArray(value) ? `[ ${value.map((each) => `'${each}'`).join(", ")} ]` : String(value)))
			.join(" "),
	);
	log.mockRestore();
	const promised = Array.from(
		read("examples/tour/tour.ts").matchAll(/; \/\/ (.*)$|\)\); \/\/ (.*)$/gm),
		([, text, other]) => text ?? other,
	);
	expect(promised.length).toBe(7);
	expect(printed.slice(0, 7)).toEqual(promised);
});

test("the README shows the tour to the letter", () => {
	expect(read("README.md")).toContain(`\`\`\`ts\n${read("examples/tour/tour.ts")}\`\`\``);
});
