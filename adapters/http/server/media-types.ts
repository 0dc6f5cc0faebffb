import type { ExchangeFormat } from "../../../src/exchange/formats.js";

/** The formats of exports and imports: the media type, and the ending of the file's name. */
export const fileFormats = {
	markdown: { type: "text/markdown", ending: "md" },
	opml: { type: "text/x-opml", ending: "opml" },
	text: { type: "text/plain", ending: "txt" },
	json: { type: "application/jsonl", ending: "jsonl" },
} as const satisfies Readonly<Record<ExchangeFormat, { type: string; ending: string }>>;

/** The media types of imported files. Each is accepted for each format. */
export const fileTypes: readonly string[] = [
	...Object.values(fileFormats).map(({ type }) => type),
	"application/octet-stream",
];

/** The media type of pushes and images: a JSON value in each line. */
export const linesType = "application/x-ndjson";
