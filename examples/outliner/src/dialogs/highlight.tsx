import { foundIn, type Stretch } from "../text/words.js";

/** A text with some stretches of it marked. */
export function Marked({ text, stretches }: { readonly text: string; readonly stretches: readonly Stretch[] }) {
	return (
		<>
			{stretches.map(({ start, end }, index) => [
				text.slice(stretches[index - 1]?.end ?? 0, start),
				<mark key={start}>{text.slice(start, end)}</mark>,
			])}
			{text.slice(stretches.at(-1)?.end ?? 0)}
		</>
	);
}

/** A text with highlighted beginnings of the searched words. */
export function Highlighted({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
	return <Marked text={text} stretches={foundIn(text, words)} />;
}
