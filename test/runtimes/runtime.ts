import { afterAll, beforeAll, describe, test } from "vitest";
import { runtimeCommand } from "../setup/runtimes.js";
import { type Child, standaloneProgram, startProcess } from "../support/program.js";
import { type SuiteName, suites } from "./suites.js";

/** Registers some suites. Their tests run in a process of another runtime, one after the other. */
export function describeRuntime(name: "bun" | "deno", wanted: readonly SuiteName[]): void {
	const program = standaloneProgram("test/runtimes/program.ts");
	let child: Child;
	beforeAll(() => {
		child = startProcess([program.path], { command: runtimeCommand(name) });
	});
	afterAll(async () => {
		child.process.stdin.end();
		await child.ended;
	});

	async function run(suite: SuiteName, each: string): Promise<void> {
		child.tell(JSON.stringify([suite, each]));
		const outcome = await child.line();
		if (outcome === undefined) throw new Error(`The process has ended:\n${(await child.ended).errors}`);
		const { error } = JSON.parse(outcome) as { readonly error?: string };
		if (error !== undefined) throw new Error(error);
	}

	for (const suite of wanted) {
		describe(`in ${name}: ${suite}`, () => {
			// Registered here only for their names.
			suites[suite](Object.assign((each: string) => test(each, () => run(suite, each)), { skip: test.skip }));
		});
	}
}
