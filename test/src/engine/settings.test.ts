import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { Outline } from "../../../src/outline.js";

describe("options", () => {
	test.each([
		{ weekStartsOn: 7 },
		{ weekStartsOn: -1 },
		{ weekStartsOn: 1.5 },
		{ weekStartsOn: "1" },
		{ timeZone: "Europe/Nowhere" },
		{ appUrl: "outline.example" },
		{ appUrl: "see https://x.example" },
		{ appUrl: ["https://x.example"] },
		{ appUrl: "https://x.example/#/" },
		{ appUrl: "file:///" },
		{ appUrl: 5 },
		{ now: 5 },
		{ generateId: "x" },
		{ linkSchemes: "tel" },
		{ linkSchemes: ["javascript"] },
		{ linkSchemes: ["JavaScript"] },
		{ linkSchemes: ["data"] },
		{ linkSchemes: ["tel:"] },
		{ linkSchemes: ["1tel"] },
		{ linkSchemes: ["my tel"] },
		{ linkSchemes: [""] },
		{ linkSchemes: [5] },
		{ limits: { name: 0 } },
		{ limits: { note: 1.5 } },
		{ limits: null },
		{ limits: 5 },
		{ storage: undefined },
		{ storage: {} },
		{ storage: { read: () => {}, commit: () => {} } },
	])("%j is refused by its name", (options) => {
		expect(() => new Outline({ storage: createMemoryStorage(), ...options } as never)).toThrow(
			expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining(Object.keys(options)[0]!) }),
		);
	});

	test.each([
		{ weekStartsOn: 0 },
		{ weekStartsOn: 6 },
		{ appUrl: "https://x.example/" },
		{ linkSchemes: ["tel", "web+app"] },
		{ limits: { name: 1, note: 1 } },
	] as const)("%j is fine", (options) => {
		expect(() => new Outline({ storage: createMemoryStorage(), ...options })).not.toThrow();
	});

	test("a storage in place of the options is told where it belongs", () => {
		expect(() => new Outline(createMemoryStorage() as never)).toThrow(
			"in the options, such as { storage: createMemoryStorage() }",
		);
	});

	test("the constructor does no I/O, not even on a storage that can't be opened", () => {
		const refuse = () => {
			throw new Error("touched");
		};
		const storage = { read: refuse, commit: refuse, scan: refuse, close: refuse, watch: refuse, peek: refuse };
		expect(() => new Outline({ storage })).not.toThrow();
	});

	test("links may have the schemes that the host allows", async () => {
		const outline = new Outline({ storage: createMemoryStorage(), linkSchemes: ["TEL"] });
		expect((await outline.create({ name: "[call](tel:112)" })).name).toBe('<a href="tel:112">call</a>');
		const plain = new Outline({ storage: createMemoryStorage() });
		expect((await plain.create({ name: "[call](tel:112)" })).name).toBe("[call](tel:112)");
	});
});
