import cluster from "node:cluster";
import { lockByName } from "../../../../adapters/file/lock/exclusive-name.js";

/*
 * Has two workers of a cluster take the lock of the address that it is started with, without its first character (a program
 * can't be started with a zero). Each says `held` or `refused`. None ends by itself.
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
