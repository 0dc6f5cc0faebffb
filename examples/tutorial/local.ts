import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";

export const outline = new Outline({
	storage: createIndexedDbStorage("notes"),
	history: {
		groupWithin: 1000, // one undo takes back the letters typed within a second
		keep: true, // undo also works after a reload
	},
});
