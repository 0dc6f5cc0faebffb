// @vitest-environment node
import { useHistory, useNode, useQuery, useRows } from "outlinekit/svelte";
import { get } from "svelte/store";
import { expect, test } from "vitest";
import { WatchedOutline } from "./outline.js";

test("on a server, stores have a value at once and read nothing", async () => {
	const outline = new WatchedOutline();
	await outline.plant(["a"]);
	const values = [
		useRows(outline),
		useNode(outline, "today"),
		useQuery(outline, () => outline.names()),
		useHistory(outline),
	].map((store) => get<unknown>(store));
	expect(values).toEqual([undefined, undefined, undefined, { canUndo: true, canRedo: false }]);
	expect([outline.made, outline.open, outline.historyListeners]).toEqual([0, 0, 0]);
});
