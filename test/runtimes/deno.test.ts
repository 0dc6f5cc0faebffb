import { describeRuntime } from "./runtime.js";

describeRuntime("deno", [
	"node:sqlite, a file for each outline",
	"node:sqlite, one connection to memory",
	"memory",
	"http",
]);
