import { writeFileSync } from "node:fs";

/**
 * Vitest's reporter for `npm test`: writes how many tests passed and were skipped, and what failed, to its `outputFile`.
 * Beside tests, hooks of files and suites can fail, and promises that nobody awaits.
 */
export default class TestReport {
	onInit(vitest) {
		this.file = vitest.config.outputFile;
	}

	onTestRunEnd(modules, unhandledErrors) {
		const report = { passed: 0, skipped: 0, failures: [] };
		const fail = (where, errors) => report.failures.push(`${where}\n    ${messageOf(errors)}`);
		for (const module of modules) {
			const project = module.project.name ? ` (${module.project.name})` : "";
			const file = `${module.relativeModuleId}${project}`;
			for (const test of module.children.allTests()) {
				const { state, errors } = test.result();
				if (state === "failed") fail(`${file} > ${test.fullName}`, errors);
				else report[state === "passed" ? "passed" : "skipped"] += 1;
			}
			for (const group of [module, ...module.children.allSuites()]) {
				const name = group === module ? file : `${file} > ${group.fullName}`;
				if (group.errors().length > 0) fail(name, group.errors());
			}
		}
		for (const error of unhandledErrors) fail("beside the tests", [error]);
		writeFileSync(this.file, JSON.stringify(report));
	}
}

/** The first error's message, and where it was thrown. */
function messageOf(errors) {
	const [{ name = "Error", message = "", stack = "" } = {}] = errors ?? [];
	const frames = stack.split("\n").filter((line) => /^\s+at /.test(line) && !line.includes("node_modules"));
	return [`${name}: ${message}`, ...frames.slice(0, 5)].join("\n").replaceAll("\n", "\n    ");
}
