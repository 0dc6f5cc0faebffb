import { expect, test } from "vitest";
import { newOutline, plant } from "../../support/outline.js";

test("the history notifies of each change before the operation resolves, until it is told to stop", async () => {
	const outline = newOutline();
	const seen: unknown[] = [];
	const stop = outline.watchHistory(({ undo, redo }) => seen.push(`${undo} ${redo}`));
	expect(outline.history).toBe(outline.history);
	await plant(outline, "a\nb");
	expect(seen).toEqual(["1 0", "2 0"]);
	await outline.undo();
	await outline.redo();
	await outline.clearHistory();
	expect(seen.slice(2)).toEqual(["1 1", "2 0", "0 0"]);
	stop();
	await plant(outline, "c");
	expect(seen).toHaveLength(5);
});
