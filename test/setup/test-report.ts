import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule, Vitest } from "vitest/node";

/** The result of a run, as `scripts/test.js` reads it. */
interface Report {
	passed: number;
	skipped: number;
	readonly failures: string[];
}

/**
 * Writes the numbers of passed and skipped tests and all failures to the run's `outputFile`. Failures of
 * hooks and of promises that no test awaits count too.
 */
export default class TestReport implements Reporter {
	#file = "";

	onInit({ config }: Vitest): void {
		this.#file = String(config.outputFile);
	}

	onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
		const report: Report = { passed: 0, skipped: 0, failures: [] };
		const fail = (where: string, errors: readonly SerializedError[] = []) =>
			report.failures.push(`${where}\n    ${messageOf(errors)}`);
		for (const module of modules) {
			const project = module.project.name ? ` (${module.project.name})` : "";
			const file = `${module.relativeModuleId}${project}`;
			for (const test of module.children.allTests()) {
				const { state, errors } = test.result();
				if (state === "failed") fail(`${file} > ${test.fullName}`, errors);
				else report[state === "passed" ? "passed" : "skipped"] += 1;
			}
			if (module.errors().length > 0) fail(file, module.errors());
			for (const suite of module.children.allSuites()) {
				if (suite.errors().length > 0) fail(`${file} > ${suite.fullName}`, suite.errors());
			}
		}
		for (const error of unhandledErrors) fail("outside the tests", [error]);
		writeFileSync(this.#file, JSON.stringify(report));
	}
}

/** Returns the first error's message and the place where the error was thrown. */
function messageOf(errors: readonly SerializedError[]): string {
	const { name = "Error", message = "", stack = "" } = errors[0] ?? {};
	const frames = stack.split("\n").filter((line) => /^\s+at /.test(line) && !line.includes("node_modules"));
	return [`${name}: ${message}`, ...frames.slice(0, 5)].join("\n").replaceAll("\n", "\n    ");
}
