import type { Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { openFilter } from "./filter.js";
import { goTo } from "./go.js";
import { toggleSidebar } from "./sidebar.js";
import { travel } from "./travel.js";

const always = () => true;
/** Not while a query is being typed, which the browser undoes. */
const isBesideQuery = () => document.activeElement?.matches(".filter [data-typed]") !== true;

export const globalCommands: readonly Command[] = [
	{
		label: "Filter: show only what matches",
		// The browser's own search finds only rows on the screen.
		keys: ["Mod+F"],
		when: always,
		run: openFilter,
	},
	{ label: "Undo", keys: ["Mod+Z"], when: isBesideQuery, run: (w) => travel(w, "undo") },
	{ label: "Redo", keys: ["Mod+Shift+Z", "Mod+Y"], when: isBesideQuery, run: (w) => travel(w, "redo") },
	{ label: "Today", keys: ["Alt+Shift+T"], when: always, run: (w) => goTo(w, "today") },
	{ label: "Tomorrow", when: always, run: (w) => goTo(w, "tomorrow") },
	{ label: "Next week", when: always, run: (w) => goTo(w, "next_week") },
	{ label: "Inbox", keys: ["Alt+Shift+I"], when: always, run: (w) => goTo(w, "inbox") },
	{
		label: "Sidebar: shortcuts and saved searches",
		keys: ["Alt+Shift+B"],
		when: always,
		settles: false,
		run: (w) => toggleSidebar(w, true),
	},
	{
		label: "Hide or show completed nodes",
		keys: ["Mod+O"],
		when: always,
		settles: false,
		run: (w) => w.hideCompleted(!w.preferences.choices.current.hidesCompleted),
	},
	{ label: "Theme: light, dark or system", when: always, settles: false, run: nextTheme },
	{
		label: "Import",
		when: always,
		settles: false,
		run: ({ dialog }) => dialog.set({ type: "files", section: "import" }),
	},
	{
		label: "Export",
		keys: ["Mod+S"],
		when: always,
		settles: false,
		run: ({ dialog }) => dialog.set({ type: "files", section: "export" }),
	},
	{
		label: "Backup",
		when: always,
		settles: false,
		run: ({ dialog }) => dialog.set({ type: "files", section: "backup" }),
		isDue: ({ backupIsDue }) => backupIsDue.current,
	},
	{ label: "Print", keys: ["Mod+P"], when: always, run: () => print() },
];

function nextTheme({ preferences }: Workspace): void {
	const next = { system: "light", light: "dark", dark: "system" } as const;
	preferences.choose({ theme: next[preferences.choices.current.theme] });
}
