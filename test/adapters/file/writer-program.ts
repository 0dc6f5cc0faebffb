import { setTimeout as pause } from "node:timers/promises";
import { createFileStorage } from "../../../adapters/file.js";
import { OutlineError } from "../../../src/errors.js";
import { Outline } from "../../../src/outline.js";

/*
 * Writes nodes into an outline in a file, without end, some at once:
 * `<path> <first number> <how many at once>`. The name of each node is its number. Prints `<number>` when a
 * node is acknowledged, and `refused <code>` when one is refused. It then retries that node and all after it.
 */
const [path = "", first = "", most = ""] = process.argv.slice(2);
const outline = new Outline({ storage: createFileStorage(path, { compactAfter: 2_000 }) });
const say = (line: string) => process.stdout.write(`${line}\n`);

for (let number = Number(first); ; ) {
	const burst = 1 + Math.floor(Math.random() * Number(most));
	const outcomes = await Promise.allSettled(
		Array.from({ length: burst }, async (_, offset) => {
			const name = String(number + offset);
			await outline.create({ name, note: name.repeat(1 + Math.floor(Math.random() * 300)), position: "bottom" });
			say(name);
		}),
	);
	const failed = outcomes.find((outcome) => outcome.status === "rejected");
	if (failed === undefined) number += burst;
	else {
		say(failed.reason instanceof OutlineError ? `refused ${failed.reason.code}` : `failed ${String(failed.reason)}`);
		number += outcomes.findIndex((outcome) => outcome.status === "rejected");
		await pause(10);
	}
}
