import cluster from "node:cluster";
import { lockByName } from "../../../../adapters/file/lock/exclusive-name.js";

/*
 * Starts two cluster workers that take the lock of the given address, without its first character (a program
 * can't be started with a zero). Each prints `held` or `refused`. Neither ends on its own.
 */
const [name = ""] = process.argv.slice(2);

if (cluster.isPrimary) {
	cluster.fork();
	cluster.fork();
} else {
	const outcome = await lockByName(process.platform === "win32" ? `\\${name}` : `\0${name}`);
	process.stdout.write("release" in outcome ? "held\n" : "refused\n");
	setInterval(() => undefined, 1_000);
}
