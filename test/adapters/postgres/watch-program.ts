import { Outline } from "outlinekit";
import { createPostgresStorage } from "outlinekit/postgres";
import pg from "pg";

/*
 * Watches an outline and writes to it once: `<address> <outline> <notify>`. Then it should end although it
 * closes nothing.
 */
const [address = "", name = "", notify = ""] = process.argv.slice(2);
// The pool itself would keep the process alive as long as a connection is idle.
const pool = new pg.Pool({ connectionString: address, allowExitOnIdle: true });
const outline = new Outline({ storage: createPostgresStorage(pool, { outline: name, notify: notify === "true" }) });
outline.subscribe(({ revision }) => console.log(`told of ${revision}`));
await outline.create({ name: "a" });
console.log("written");
