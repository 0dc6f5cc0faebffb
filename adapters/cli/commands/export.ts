import { existsSync } from "node:fs";
import type { ExchangeFormat, OutlineExport } from "outlinekit";
import type { Command } from "../command.ts";
import { usage } from "../failure.ts";
import { formatOf, formatOption, unknownFormat } from "../formats.ts";
import { writeNewFile } from "../new-file.ts";
import { outlineOptions } from "../shared-options.ts";

const { json: _, ...options } = outlineOptions;

export const exportCommand: Command = {
	name: "export",
	summary: "Write the outline to a new file, or to the standard output",
	arguments: ["[file]"],
	options: {
		format: formatOption,
		root: { value: "node", help: "only this node and all below it; default: everything" },
		...options,
	},
	details:
		"Without a file, or with - as the file, it writes JSON to the standard output, unless --format says otherwise.",
	async run(call) {
		const { words, options, output, signal } = call;
		const path = words[0] === "-" ? undefined : words[0];
		const format = (options.text("format") ?? (path === undefined ? "json" : formatOf(path))) as
			| ExchangeFormat
			| undefined;
		if (format === undefined) throw unknownFormat(path!);
		if (path !== undefined && existsSync(path)) throw usage(`${path} already exists. Give another name.`);
		const { outline } = await call.open();
		const text = outline.exportAs(format, {
			root: options.text("root") ?? null,
			signal,
			onProgress: ({ nodes }) => output.progress(`${nodes} nodes`),
		});
		if (path === undefined) for await (const piece of text) await output.write(piece);
		else await writeNewFile(path, text);
		noteLosses(text, format, (line) => output.note(line));
	},
};

/** Says which things the format couldn't hold. */
function noteLosses({ lost }: OutlineExport, format: string, note: (line: string) => void): void {
	const kinds = Object.entries(lost).map(([kind, count]) => `${kind} ${count}`);
	if (kinds.length > 0) note(`Not everything fits into ${format}: ${kinds.join(", ")}.`);
}
