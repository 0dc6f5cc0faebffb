/** The open panel over the outline. */
export type Dialog =
	| { readonly type: "search" | "palette" | "calendar" | "shortcuts" | "keys" | "server" | "trash" }
	/** The panel that names the query that shows, or the sidebar where there is no room beside the text. */
	| { readonly type: "save-search" | "sidebar" }
	/** The panel for exports and imports; it imports the given files at once. */
	| { readonly type: "files"; readonly files?: readonly File[]; readonly showsBackup?: boolean }
	/** The menu of the chosen rows, at a point of the window; of a slash that was typed, if it is one. */
	| { readonly type: "menu"; readonly x: number; readonly y: number; readonly isSlash: boolean }
	/** The panel that chooses a node, and moves the chosen rows below it, or puts mirrors of them there. */
	| { readonly type: "send"; readonly mirrors: boolean }
	/** The panel that chooses a node, and puts a mirror of it in the place of a row. */
	| { readonly type: "mirror"; readonly key: string }
	/** The panel that chooses a node, and puts a link to it at the caret. */
	| { readonly type: "link" }
	/** The month that writes a day at the caret, at a point of the window. */
	| { readonly type: "date"; readonly x: number; readonly y: number }
	/** The panel with the places that show a node, and the current one. */
	| { readonly type: "places"; readonly id: string };
