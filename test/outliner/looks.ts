import type { CDPSession } from "playwright-core";
import { short } from "../setup/soak.js";
import type { Tab } from "./app.js";

interface Look {
	readonly name: string;
	readonly colorScheme?: "light" | "dark";
	readonly forcedColors?: "active" | "none";
	readonly width: number;
	readonly touch?: boolean;
}

/** The looks of the outliner. Dark and forced colours differ from the first only in their colours. */
const looks: readonly Look[] = [
	{ name: "dark", colorScheme: "dark", width: 1100 },
	{ name: "forced colours", forcedColors: "active", width: 1100 },
	{ name: "phone", width: 390, touch: true },
	{ name: "light", width: 1100 },
];

/** Shows a page in a look, from now on. */
export async function wear(tab: Tab, session: CDPSession, look: Look): Promise<void> {
	const { colorScheme = "light", forcedColors = "none", width, touch = false } = look;
	await tab.page.emulateMedia({ colorScheme, forcedColors });
	await tab.page.setViewportSize({ width, height: 800 });
	await session.send("Emulation.setTouchEmulationEnabled", { enabled: touch, maxTouchPoints: 1 });
}

/** The number of views that have been checked. */
let checked = 0;

/**
 * The problems of an accessibility checker with the current view in each look, or, in `npm test`, in the next look. The
 * page stays as it is.
 */
export async function violationsOfView(tab: Tab, view: string): Promise<string[]> {
	const session = await tab.page.context().newCDPSession(tab.page);
	const found: string[] = [];
	const look = looks[checked++ % looks.length]!;
	for (const each of short ? [look] : looks) {
		await wear(tab, session, each);
		found.push(...(await tab.violations()).map((violation) => `${view}, ${each.name}: ${violation}`));
	}
	await wear(tab, session, looks.at(-1)!);
	await session.detach();
	return found;
}
