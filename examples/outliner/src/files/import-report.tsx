import type { Lost } from "outlinekit";
import { nodes } from "../text/count.js";
import { importLosses } from "./losses.js";

/** The result of the import of a file. */
export interface Outcome {
	readonly fileName: string;
	/** The number of imported nodes. */
	readonly nodes: number;
	readonly lost: Lost;
	/** The number of imported links to pages and nodes that lead to no node of the outline. */
	readonly deadLinks: number;
	/** The reason why nothing was imported, if nothing was. */
	readonly failure?: { readonly text: string; readonly isError: boolean };
}

/** The results of an import. For several files, a sum comes first, and the details are shown on demand. */
export function ImportReport({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
	if (outcomes.length < 2) return outcomes.map((outcome) => <FileReport key={outcome.fileName} {...outcome} />);
	const imported = outcomes.filter(({ failure }) => failure === undefined);
	const failed = outcomes.filter(({ failure }) => failure !== undefined);
	const count = imported.reduce((sum, each) => sum + each.nodes, 0);
	const deadLinks = imported.reduce((sum, each) => sum + each.deadLinks, 0);
	const lost = sumOf(imported.map((each) => each.lost));
	const total = Object.values(lost).reduce((sum, each) => sum + each, 0);
	return (
		<>
			<p>
				<b>
					{nodes(count)} from {files(imported.length)}
				</b>{" "}
				imported.{deadEnds(deadLinks)}
				{failed.length > 0 && ` Nothing was imported from ${files(failed.length)}:`}
			</p>
			{failed.map((outcome, index) => (
				<FileReport key={index} {...outcome} />
			))}
			{total > 0 && (
				<details>
					<summary>{total === 1 ? "1 thing was" : `${total.toLocaleString("en")} things were`} left out</summary>
					<Losses lost={lost} />
				</details>
			)}
			{imported.length > 0 && (
				<details>
					<summary>Show each file</summary>
					{imported.map((outcome, index) => (
						<FileReport key={index} {...outcome} />
					))}
				</details>
			)}
		</>
	);
}

function FileReport({ fileName, nodes: count, lost, deadLinks, failure }: Outcome) {
	const hasLost = importLosses(lost).length > 0;
	return (
		<div>
			<p class={failure?.isError ? "error" : undefined}>
				<b>{fileName}</b>: {failure?.text ?? `${nodes(count)} imported.${deadEnds(deadLinks)}`}
				{hasLost && " This was left out:"}
			</p>
			{hasLost && <Losses lost={lost} />}
		</div>
	);
}

function Losses({ lost }: { readonly lost: Lost }) {
	return (
		<ul>
			{importLosses(lost).map((loss) => (
				<li key={loss}>{loss}</li>
			))}
		</ul>
	);
}

/** Adds up what several files have lost, without what isn't worth a word. */
function sumOf(all: readonly Lost[]): Lost {
	const sum: { [kind: string]: number } = {};
	for (const { priority: _, ...lost } of all) {
		for (const [kind, count] of Object.entries(lost)) sum[kind] = (sum[kind] ?? 0) + count;
	}
	return sum;
}

function files(count: number): string {
	return count === 1 ? "1 file" : `${count.toLocaleString("en")} files`;
}

/** A sentence about links that lead nowhere; empty if there are none. */
function deadEnds(count: number): string {
	if (count === 0) return "";
	return ` ${count === 1 ? "1 link leads" : `${count.toLocaleString("en")} links lead`} to nothing in this outline.`;
}
