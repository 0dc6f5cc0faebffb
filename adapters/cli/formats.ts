import { extname } from "node:path";
import type { ExchangeFormat } from "outlinekit";
import { usage } from "./failure.ts";
import type { OptionDescription } from "./options.ts";

const extensions: Readonly<Record<string, ExchangeFormat>> = {
	".json": "json",
	".jsonl": "json",
	".opml": "opml",
	".md": "markdown",
	".markdown": "markdown",
	".txt": "text",
};

/** The option that names a format of files. */
export const formatOption: OptionDescription = {
	value: "format",
	choices: ["json", "opml", "markdown", "text"],
	help: "json keeps everything; opml, markdown, text; default: by the ending of the file",
};

/** Returns the format that the ending of a file names, if it does. */
export function formatOf(path: string): ExchangeFormat | undefined {
	return extensions[extname(path).toLowerCase()];
}

/** Returns the error of a file whose name has no known ending. */
export function unknownFormat(path: string): Error {
	if (path === "-") return usage("Standard input has no file name: add --format json, opml, markdown or text.");
	return usage(`The name of ${path} has no known ending: add --format json, opml, markdown or text.`);
}
