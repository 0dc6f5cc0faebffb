import { readFileSync } from "node:fs";
import { buildPackage, installDependencies } from "./install.js";

installDependencies();
buildPackage();

// The server runs in this process: a signal to it, or its end, needs nobody to pass it on.
const { register } = await import("tsx/esm/api");
register();
await import("../examples/http-server/main.ts");

stopWithNpm();

/**
 * Stops the server when npm is gone. Whoever kills npm the hard way kills npm alone, and a server left behind would hold the
 * port and the file against its successor. npm starts a shell which starts this process, so npm is the shell's parent.
 */
function stopWithNpm() {
	if (process.env.npm_lifecycle_event !== "start") return;
	let npm;
	try {
		const [, fields] = readFileSync(`/proc/${process.ppid}/stat`, "latin1").split(/\) (?=[^)]*$)/);
		npm = Number(fields.split(" ")[1]);
	} catch {
		// Only Linux tells who the parent of a parent is. Elsewhere whoever kills npm has to end the server too.
		return;
	}
	setInterval(() => {
		try {
			process.kill(npm, 0);
		} catch {
			process.kill(process.pid, "SIGTERM");
		}
	}, 300).unref();
}
