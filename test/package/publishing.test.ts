import { expect, test } from "vitest";
import { failure, tarball, tool } from "./project.js";

test("publint has nothing to say about the packed package", () => {
	expect(failure([tool("publint/src/cli.js"), tarball, "--strict"])).toBe("");
});

test("its types resolve as its modules do", () => {
	expect(failure([tool("@arethetypeswrong/cli/dist/index.js"), tarball, "--profile", "esm-only"])).toBe("");
});
