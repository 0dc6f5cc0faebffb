import { fork } from "node:child_process";
import { dirname, join } from "node:path";

/** The number of measurements of each scene, each in a process of its own. */
export const runs = 5;

/** Measures a scene of the folder `scenes` in a process of its own, which prints its errors. */
export function fresh<Result>(scene: string, input: object): Promise<Result> {
	const program = join(dirname(process.argv[1]!), "scene-process.js");
	const child = fork(program, [scene], { execArgv: ["--expose-gc", "--max-old-space-size=16384"] });
	return new Promise((resolve, reject) => {
		let result: Result | undefined;
		child.once("message", (message) => {
			result = message as Result;
		});
		child.once("error", reject);
		child.once("exit", (status) => {
			if (result !== undefined) resolve(result);
			else reject(new Error(`The scene ${scene} ended with ${status}: ${JSON.stringify(input)}`));
		});
		child.send(input);
	});
}
