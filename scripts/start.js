import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildOutliner, installOutliner, root } from "./install.js";

// Comes first, because npm may end while the other steps run.
stopWithNpm();
installOutliner();
await buildOutliner();

// By default, the outline is in the folder of the repository, apart from that of the installed program.
const { OUTLINEKIT_FILE, OUTLINEKIT_DATABASE } = process.env;
if (!OUTLINEKIT_FILE && !OUTLINEKIT_DATABASE) {
	mkdirSync(join(root, "outline-data"), { recursive: true, mode: 0o700 });
	process.env.OUTLINEKIT_FILE = join(root, "outline-data", "outline.jsonl");
}

// The server runs in this process, so that signals reach it. It uses the sources of the package, not a build.
const { register } = await import("tsx/esm/api");
register();
process.argv.splice(2, 0, "serve");
await import("../adapters/cli/main.ts");

/**
 * Stops the server if npm is killed. Otherwise the server would keep the port and the file, and the next one
 * couldn't start. npm starts a shell, which starts this process; if npm ends, the shell gets another parent. Only
 * Linux shows the parent of a parent. On other systems, the user has to end the server too.
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
