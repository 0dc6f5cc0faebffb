import { Outline, type TreeInput } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { median, microseconds } from "../measure.ts";

/**
 * Milliseconds of a search and of a scan through all texts, which only finds parts of words, without ranks
 * and accents.
 */
export interface SearchResult {
	readonly figures: Readonly<Record<string, { readonly ours: number; readonly base: number }>>;
	/** Milliseconds of the first search, which makes the index. */
	readonly first: number;
	/** Milliseconds of a search just after a change. */
	readonly afterChange: number;
}

const nodes = 100_000;
const rounds = 11;

let state = 20_261_121;
function random(): number {
	state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
	return state / 2 ** 32;
}

const letters = "etaoinshrdlu";
const words = Array.from({ length: 20_000 }, (_, rank) => {
	let word = "";
	for (let left = rank + 1; left > 0; left = Math.floor(left / letters.length)) word += letters[left % letters.length];
	return `${word}${letters[rank % 7]}`;
});

/** The few first words are in most texts, the many last ones in hardly any, like the words of a language. */
function word(): string {
	return words[Math.floor(words.length ** random()) - 1]!;
}

function text(length: number): string {
	return Array.from({ length }, word).join(" ");
}

function tree(): TreeInput {
	const node = (): TreeInput => ({
		name: `${text(8)}${random() < 0.05 ? " #work" : ""}`,
		note: random() < 0.1 ? text(20) : null,
		layoutMode: random() < 0.1 ? "todo" : "bullets",
	});
	const children = Array.from({ length: 100 }, () => ({ ...node(), children: Array.from({ length: 99 }, node) }));
	return { ...node(), children };
}

/** The times of searches in an outline of 100,000 nodes. */
export async function run(): Promise<SearchResult> {
	const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
	for (let made = 0; made < nodes; made += 10_001) await outline.createTree(tree());
	const texts: string[] = [];
	for await (const { name, note } of outline.export()) texts.push(`${name}\n${note ?? ""}`);
	const milliseconds = async (work: () => unknown) => (await microseconds(work)) / 1000;

	const [common, middling, rare] = [words[2]!, words[300]!, words[15_000]!];
	const queries = {
		"a rare word": rare,
		"a word of middling frequency": middling,
		"a common word": common,
		"the beginning of a word": middling.slice(0, 2),
		"two words and not a third": `${middling} ${common} -${rare}`,
		"a phrase": `"${words[0]} ${words[1]}"`,
		"a tag": "#work",
		"open tasks with a word": `is:todo -is:completed ${middling}`,
	};
	const first = await milliseconds(() => outline.search(rare));
	const figures: Record<string, { ours: number; base: number }> = {};
	for (const [name, query] of Object.entries(queries)) {
		const ours: number[] = [];
		const base: number[] = [];
		for (let round = 0; round < rounds; round++) {
			ours.push(await milliseconds(() => outline.search(query)));
			base.push(await milliseconds(() => texts.filter((each) => each.toLowerCase().includes(query.toLowerCase()))));
		}
		figures[name] = { ours: median(ours.slice(1)), base: median(base.slice(1)) };
	}
	const [node] = (await outline.list()).nodes;
	const fresh: number[] = [];
	for (let round = 0; round < rounds; round++) {
		await outline.update(node!.id, { name: `changed ${round}` });
		fresh.push(await milliseconds(() => outline.search(rare)));
	}
	await outline.close();
	return { figures, first, afterChange: median(fresh) };
}
