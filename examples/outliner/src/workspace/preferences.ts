import { Cell } from "./cell.js";

export type Theme = "system" | "light" | "dark";

/** What a person has chosen on this device. */
export interface Choices {
	readonly theme: Theme;
	readonly hidesCompleted: boolean;
	/** The ids of the nodes whose children show. */
	readonly expanded: readonly string[];
	/** Whether somebody was asked to have the outline kept for good. */
	readonly askedToPersist: boolean;
}

const key = "outline-preferences";
const defaults: Choices = { theme: "system", hidesCompleted: false, expanded: [], askedToPersist: false };

/** What this device remembers besides the outline itself. Losing it loses nothing that was written. */
export class Preferences {
	readonly choices = new Cell<Choices>(stored());

	/** Chooses anew. */
	choose(change: Partial<Choices>): void {
		this.choices.set({ ...this.choices.current, ...change });
		try {
			localStorage.setItem(key, JSON.stringify(this.choices.current));
		} catch {
			// Without room for it, or in a window that keeps nothing, it holds as long as the page is open.
		}
	}
}

function stored(): Choices {
	try {
		return { ...defaults, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Choices>) };
	} catch {
		return defaults;
	}
}
