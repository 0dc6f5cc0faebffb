import { expect, test } from "vitest";

test("this Node has node:sqlite", () => {
	expect(process.versions.node).toMatch(/^24\./);
	expect(process.getBuiltinModule("node:sqlite")).toHaveProperty("DatabaseSync");
});
