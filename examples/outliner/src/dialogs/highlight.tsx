import { foundIn } from "../text/words.js";

/** A text with highlighted beginnings of the searched words. */
export function Highlighted({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
	const found = foundIn(text, words);
	return (
		<>
			{found.map(({ start, end }, index) => [
				text.slice(found[index - 1]?.end ?? 0, start),
				<mark key={start}>{text.slice(start, end)}</mark>,
			])}
			{text.slice(found.at(-1)?.end ?? 0)}
		</>
	);
}
