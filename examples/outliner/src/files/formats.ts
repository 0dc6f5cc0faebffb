import type { ExchangeFormat } from "outlinekit";

/** A format of files as a person chooses it. */
export interface FileFormat {
	readonly format: ExchangeFormat;
	readonly label: string;
	/** The purpose of the format. */
	readonly purpose: string;
	/** The endings of file names, the usual one first. */
	readonly extensions: readonly string[];
	readonly mediaType: string;
}

/** The formats, in the order in which they are offered. */
export const fileFormats: readonly FileFormat[] = [
	{
		format: "json",
		label: "JSON",
		purpose: "A copy of everything, to keep or to move to another browser.",
		extensions: [".json", ".jsonl"],
		mediaType: "application/json",
	},
	{
		format: "opml",
		label: "OPML",
		purpose: "For other outliners.",
		extensions: [".opml", ".xml"],
		mediaType: "text/x-opml",
	},
	{
		format: "markdown",
		label: "Markdown",
		purpose: "For editors and note-taking programs.",
		extensions: [".md", ".markdown"],
		mediaType: "text/markdown",
	},
	{
		format: "text",
		label: "Plain text",
		purpose: "A line for each node, indented.",
		extensions: [".txt"],
		mediaType: "text/plain",
	},
];

/** The files that a file chooser offers. */
export const acceptedFiles = fileFormats.flatMap(({ extensions }) => extensions).join(",");

/** The format of a file, by its name, or else by its first character. */
export async function formatOf(file: File): Promise<ExchangeFormat> {
	const name = file.name.toLowerCase();
	const named = fileFormats.find(({ extensions }) => extensions.some((extension) => name.endsWith(extension)));
	if (named !== undefined) return named.format;
	const first = (await file.slice(0, 1024).text()).trimStart()[0];
	return first === "<" ? "opml" : first === "{" ? "json" : "markdown";
}
