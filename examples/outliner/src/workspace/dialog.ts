/** A part of the panel for files. */
export type FilesSection = "import" | "export" | "backup";

/** The open panel over the outline. */
export type Dialog =
	| { readonly type: "search" | "palette" | "calendar" | "shortcuts" | "keys" | "server" | "trash" }
	/** The panel that names the query that shows, or the sidebar where there is no room beside the text. */
	| { readonly type: "save-search" | "sidebar" }
	/** The panel for imports, exports and backups, open at one of these; it imports the given files at once. */
	| { readonly type: "files"; readonly section: FilesSection; readonly files?: readonly File[] }
	/** The menu of the chosen rows, at a point of the window, or without one at the slash that was typed. */
	| { readonly type: "menu"; readonly at?: { readonly x: number; readonly y: number } }
	/** The panel that chooses a node, and moves the chosen rows below it, or puts mirrors of them there. */
	| { readonly type: "send"; readonly mirrors: boolean }
	/** The panel that chooses a node, and puts a mirror of it in the place of a row. */
	| { readonly type: "mirror"; readonly key: string }
	/** The panel that chooses a node, and puts a link to it at the caret. */
	| { readonly type: "link" }
	/** The month that writes a day at the caret. */
	| { readonly type: "date" }
	/** The panel with the places that show a node, and the current one. */
	| { readonly type: "places"; readonly id: string };
