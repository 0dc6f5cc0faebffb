import { type BatchOperation, Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";

const words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];

/** Fills the outline that the outliner opens: some nodes at the top level, and the others below them. */
export async function fill(siblings: number, nodes: number): Promise<void> {
	const outline = new Outline({ storage: createIndexedDbStorage("outliner") });
	const below = Math.round(nodes / siblings) - 1;
	let made = 0;
	const node = () => {
		const number = made++;
		const name = `${words[number % 8]} ${words[(number >> 3) % 8]} number ${number} of many`;
		return { name: number % 20 === 0 ? `${name} with **bold**` : name };
	};
	const trees = Array.from({ length: siblings }, (): BatchOperation => {
		const children = Array.from({ length: below }, node);
		return { type: "createTree", parent: null, position: "bottom", ...node(), children };
	});
	for (let start = 0; start < trees.length; start += 5000) await outline.batch(trees.slice(start, start + 5000));
	await outline.close();
}
