import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";

/** Makes an outline in memory, and says what became of some Markdown. */
export async function importMarkdown(name: string): Promise<string[]> {
	const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
	const first = await outline.create({ name });
	const { nodes } = await outline.list(first.id);
	await outline.close();
	return [first, ...nodes].map((node) => node.name);
}
