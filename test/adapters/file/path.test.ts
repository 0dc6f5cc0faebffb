import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { codeOf } from "../../../adapters/file/path.js";

test("an error of the system has its code in each realm, because Jest runs the package in one of its own", () => {
	const error = runInNewContext("Object.assign(new Error('no file'), { code: 'ENOENT' })");
	expect(error).not.toBeInstanceOf(Error);
	expect(codeOf(error)).toBe("ENOENT");
	expect([codeOf(new Error("none")), codeOf(undefined), codeOf(null)]).toEqual([undefined, undefined, undefined]);
});
