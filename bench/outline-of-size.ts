import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";

/** An outline to measure on, and some of its nodes. */
export interface MeasuredOutline {
	readonly outline: Outline;
	/** Ids spread over the whole tree, leaves and inner nodes. */
	readonly sample: readonly string[];
	/** A node with as many children as were asked for. */
	readonly wide: string;
}

/**
 * An outline of a size: a tree with a fan-out of eight, and one node with many children. Names have 40 characters, one in
 * twenty of them with markup; one node in a hundred is a todo, one in two hundred a mirror.
 */
export async function outlineOfSize(nodes: number, siblings: number): Promise<MeasuredOutline> {
	const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
	const ids: string[] = [];
	const name = (index: number) => {
		const text = `node ${index} of a tree of some size to measure`.slice(0, 40).padEnd(40, "x");
		return index % 20 === 0 ? `**${text.slice(0, 10)}**${text.slice(10)}` : text;
	};
	for (let index = 0; ids.length < nodes - siblings; index++) {
		const parent = index === 0 ? null : ids[Math.floor((index - 1) / 8)]!;
		const layoutMode = index % 100 === 0 ? "todo" : "bullets";
		ids.push((await outline.create({ parent, name: name(index), layoutMode, position: "bottom" })).id);
		// Spread, so that no node has more than one: a list is as long everywhere.
		if (index % 200 === 199) await outline.mirror(ids[index - 100]!, { parent: ids[index - 50]! });
	}
	const wide = (await outline.create({ name: "wide" })).id;
	for (let index = 0; index < siblings; index++)
		await outline.create({ parent: wide, name: name(index), position: "bottom" });
	const step = Math.max(1, Math.floor(ids.length / 4000));
	return { outline, wide, sample: ids.filter((_, index) => index % step === 0).slice(1) };
}
