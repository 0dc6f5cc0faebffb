import { Outline, type TreeInput } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";

/**
 * What a search costs in an outline of 100,000 nodes, beside a look through the names and notes of all of them, which finds
 * parts of words alone and neither ranks nor folds accents. The texts are drawn from 20,000 words as frequent as the words of
 * a language are.
 */

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

/** The few first words are in most texts, the many last ones in hardly any. */
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

const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
for (let made = 0; made < nodes; made += 10_001) await outline.createTree(tree());

const texts: string[] = [];
for await (const { name, note } of outline.export()) texts.push(`${name}\n${note ?? ""}`);

async function time(work: () => unknown): Promise<number> {
	const started = performance.now();
	await work();
	return performance.now() - started;
}

function median(values: readonly number[]): number {
	return values.toSorted((left, right) => left - right)[values.length >> 1]!;
}

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

console.log(
	`${texts.length} nodes; the first search, which makes the index: ${Math.round(await time(() => outline.search(rare)))} ms\n`,
);
console.log("| search for | ms | ratio to a look through all texts |\n|---|---|---|");
for (const [name, query] of Object.entries(queries)) {
	const searching: number[] = [];
	const ratios: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const search = await time(() => outline.search(query));
		const plain = await time(() => texts.filter((each) => each.toLowerCase().includes(query.toLowerCase())));
		if (round === 0) continue;
		searching.push(search);
		ratios.push(search / plain);
	}
	console.log(`| ${name} | ${median(searching).toFixed(2)} | ${median(ratios).toFixed(2)}x |`);
}
const [first] = (await outline.list()).nodes;
const fresh: number[] = [];
for (let round = 0; round < rounds; round++) {
	await outline.update(first!.id, { name: `changed ${round}` });
	fresh.push(await time(() => outline.search(rare)));
}
console.log(`| a rare word, just after a change | ${median(fresh).toFixed(2)} | |`);
await outline.close();
