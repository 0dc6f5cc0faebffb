import { loadContender } from "../contenders/index.ts";
import { topOfJsonLines } from "../contenders/json-lines.ts";

export interface OpenInput {
	/** `json-lines` is the bare file. */
	readonly contender: string;
	/** The result of the scene `fill`. */
	readonly directory: string;
}

export interface OpenResult {
	/** Milliseconds, without the start of Node and the loading of programs. */
	readonly milliseconds: number;
	/** The names at the top. */
	readonly top: readonly string[];
}

/** The time from an empty memory to the children of the root. The system has the files in its cache. */
export async function run({ contender: name, directory }: OpenInput): Promise<OpenResult> {
	if (name === "json-lines") {
		const started = performance.now();
		const top = await topOfJsonLines(directory);
		return { milliseconds: performance.now() - started, top };
	}
	const open = await loadContender(name);
	const started = performance.now();
	const contender = await open(directory);
	const nodes = await contender.list(null);
	const milliseconds = performance.now() - started;
	await contender.close();
	return { milliseconds, top: nodes.map((node) => node.name) };
}
