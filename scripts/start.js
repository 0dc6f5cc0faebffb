import { buildPackage, installDependencies } from "./install.js";

installDependencies();
buildPackage();

// The server runs in this process: a signal to it, or its end, needs nobody to pass it on.
const { register } = await import("tsx/esm/api");
register();
await import("../examples/http-server/main.ts");

// Whoever ends npm the hard way ends only npm. A server left behind would hold the port and the file against its successor.
const parent = process.ppid;
setInterval(() => {
	if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, 500).unref();
