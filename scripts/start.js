import { readFileSync } from "node:fs";
import { buildOutliner, installOutliner } from "./install.js";

// Before all that takes time: npm may be gone when it is done.
stopWithNpm();
installOutliner();
await buildOutliner();

// The server runs in this process, so that signals reach it. It uses the sources of the package, not a build.
const { register } = await import("tsx/esm/api");
register();
await import("../examples/http-server/main.ts");

/**
 * Stops the server when npm is gone. Whoever kills npm the hard way kills npm alone, and a server left behind would hold the
 * port and the file against its successor. npm starts a shell which starts this process; without npm, the shell gets another
 * parent. Only Linux tells who the parent of a parent is: elsewhere whoever kills npm has to end the server too.
 */
function stopWithNpm() {
	if (process.env.npm_lifecycle_event !== "start" || process.platform !== "linux") return;
	const npm = parentOf(process.ppid);
	setInterval(() => {
		if (parentOf(process.ppid) !== npm) process.kill(process.pid, "SIGTERM");
	}, 300).unref();
}

function parentOf(pid) {
	try {
		return /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1];
	} catch {
		return undefined;
	}
}
