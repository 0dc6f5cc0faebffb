import { fork } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import type { Growth, Listening } from "./server-process.ts";

/** A server in a process of its own. */
export interface Server {
	readonly port: number;
	/** The largest growth of the process in bytes since the last call. */
	growth(): Promise<number>;
	stop(): Promise<void>;
}

/** Starts a server of `server-process.ts`. */
export async function startServerProcess(kind: "outline" | "bare", input: object): Promise<Server> {
	const program = join(dirname(process.argv[1]!), "server-process.js");
	const child = fork(program, [kind], { execArgv: ["--expose-gc", "--max-old-space-size=16384"] });
	child.send(input);
	const [{ port }] = (await once(child, "message")) as [Listening];
	return {
		port,
		async growth() {
			child.send({});
			const [{ most }] = (await once(child, "message")) as [Growth];
			return most;
		},
		async stop() {
			const exit = once(child, "exit");
			child.kill();
			await exit;
		},
	};
}
