import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "../command.ts";
import { exitCodes, Failure } from "../failure.ts";
import { writeNewFile } from "../new-file.ts";
import { counted } from "../output.ts";
import { outlineOptions } from "../shared-options.ts";

export const backup: Command = {
	name: "backup",
	summary: "Check the outline, and write all of it to a new, dated file",
	arguments: ["[folder]"],
	options: outlineOptions,
	details:
		"Other programs may write meanwhile: the file is the outline at one moment. To restore it, import the file into\nan empty outline: outlinekit import <file> --file <new file>",
	async run(call) {
		const { words, output, signal } = call;
		const folder = words[0] ?? ".";
		if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
			throw new Failure("not_found", `There is no folder ${folder}. Create it first.`, exitCodes.missing);
		}
		const { outline } = await call.open();
		const { total } = await outline.verify({ signal, onProgress: ({ done }) => output.progress(`checking: ${done}`) });
		const path = join(folder, `outline-${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}.jsonl`);
		let nodes = 0;
		const onProgress = (progress: { readonly nodes: number }) => {
			nodes = progress.nodes;
			output.progress(`${nodes} nodes`);
		};
		await writeNewFile(path, outline.exportAs("json", { signal, onProgress }));
		await output.result({ file: path, nodes, problems: total }, `${path}: ${counted(nodes, "node")}`);
		if (total === 0) return;
		// The export follows the tree, so it lacks nodes that have no valid place.
		throw new Failure(
			"problems",
			`The outline has ${counted(total, "problem")}, and the backup may lack nodes. Copy the file or the database itself, then run outlinekit repair.`,
		);
	},
};
