import { fromMarkdown } from "mdast-util-from-markdown";
import { parseMarkdown } from "../../src/markup/markdown.ts";
import { normalizeText } from "../../src/markup/text.ts";
import { microsecondsEach } from "../measure.ts";
import { Workload } from "../workload.ts";

export interface MarkupResult {
	/**
	 * Microseconds of a name without markup, and of one with it: here, and in mdast-util-from-markdown alone.
	 */
	readonly plain: { readonly ours: number; readonly base: number };
	readonly marked: { readonly ours: number; readonly base: number };
}

/** The time to turn the Markdown of a name into HTML, compared with its syntax tree alone. */
export async function run(): Promise<MarkupResult> {
	const names = new Workload(20_000).creates(20_000, "top");
	const options = { timeZone: "UTC", linkSchemes: new Set(["http", "https", "mailto"]), layoutMode: undefined };
	const measure = async (texts: readonly string[]) => {
		const rounds = { counted: 9, uncounted: 3, calls: 80 };
		const inputs = texts.slice(0, 12 * rounds.calls);
		const ours = (text: string) => parseMarkdown(normalizeText(text), options);
		return {
			ours: await microsecondsEach(rounds, inputs, ours, true),
			base: await microsecondsEach(rounds, inputs, (text) => fromMarkdown(text), true),
		};
	};
	const isMarked = ({ name, markdown }: { name: string; markdown: string }) => name !== markdown;
	return {
		plain: await measure(names.filter((each) => !isMarked(each)).map(({ markdown }) => markdown)),
		marked: await measure(names.filter(isMarked).map(({ markdown }) => markdown)),
	};
}
