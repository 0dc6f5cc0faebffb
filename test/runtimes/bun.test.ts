import { describeRuntime } from "./runtime.js";

describeRuntime("bun", [
	"bun:sqlite, a file for each outline",
	"bun:sqlite, one connection to memory",
	"libsql, a file for each outline",
	"memory",
	"http",
]);
