import { stat } from "node:fs/promises";
import type { Outline } from "outlinekit";
import type { Command } from "../command.ts";
import type { OpenOutline } from "../place/open.ts";
import { nameOf } from "../place/place.ts";
import { outlineOptions } from "../shared-options.ts";

export const stats: Command = {
	name: "stats",
	summary: "Count the nodes, tasks, mirrors, tags and characters",
	arguments: [],
	options: outlineOptions,
	async run(call) {
		const { output } = call;
		const { outline, place } = await call.open();
		const counts = { place: nameOf(place), ...(await countsOf(outline)), bytes: await sizeOf(place) };
		const lines = Object.entries(counts).map(([name, value]) => `${name.padEnd(12)} ${value ?? "-"}`);
		await output.result(counts, lines.join("\n"));
	},
};

async function countsOf(outline: Outline) {
	const counts = { nodes: 0, tasks: 0, completed: 0, mirrors: 0, characters: 0 };
	let latest = 0;
	for await (const { name, note, layoutMode, completed, mirror, modifiedAt } of outline.export()) {
		counts.nodes += 1;
		latest = Math.max(latest, modifiedAt);
		if (mirror?.originId !== undefined) {
			counts.mirrors += 1;
			continue;
		}
		if (layoutMode === "todo") counts.tasks += 1;
		if (completed) counts.completed += 1;
		counts.characters += name.length + (note?.length ?? 0);
	}
	const [tags, targets] = [await outline.tags(), await outline.targets()];
	return {
		...counts,
		tags: tags.length,
		shortcuts: targets.filter(({ type }) => type === "shortcut").length,
		modified: latest === 0 ? null : new Date(latest * 1000).toISOString(),
	};
}

/** The size of a file; null for an outline elsewhere. */
async function sizeOf(place: OpenOutline["place"]): Promise<number | null> {
	if (place.kind !== "file" && place.kind !== "sqlite") return null;
	const found = await stat(place.path).catch(() => undefined);
	return found?.size ?? null;
}
