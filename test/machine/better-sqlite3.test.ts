import { expect, test } from "vitest";
import { betterSqlite3 } from "./better-sqlite3.js";

test("better-sqlite3 opens a database, or there is a reason why it can't", ({ skip }) => {
	if ("missing" in betterSqlite3) skip(betterSqlite3.missing);
	else expect(betterSqlite3.open(":memory:")).toMatchObject({ open: true, memory: true });
});
