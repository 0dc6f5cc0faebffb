import { createInterface } from "node:readline";
import { type SuiteName, suites } from "./suites.js";

/*
 * Runs tests in another runtime for its parent process. Each line of its input is `[suite, test]` in JSON.
 * Each line of its output has the result of one, in order: `{ "error": … }`, without an error if it passed.
 */
const tests = new Map<string, Map<string, () => Promise<void>>>();

function testsOf(suite: SuiteName): Map<string, () => Promise<void>> {
	let found = tests.get(suite);
	if (found === undefined) {
		const registered = new Map<string, () => Promise<void>>();
		suites[suite]((name, run) => registered.set(name, run));
		found = registered;
		tests.set(suite, found);
	}
	return found;
}

for await (const line of createInterface({ input: process.stdin })) {
	const [suite, test] = JSON.parse(line) as [SuiteName, string];
	const outcome: { error?: string } = {};
	try {
		await testsOf(suite).get(test)!();
	} catch (error) {
		outcome.error = error instanceof Error ? `${error.message}\n${error.stack}` : String(error);
	}
	process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
process.exit();
