import type { OutlineOptions } from "outlinekit";

/** What the environment says about the server. */
export interface ServerSettings {
	readonly port: number;
	/** The directory of the outline's file and the API key. */
	readonly directory: string;
	/** Undefined: one is drawn and kept in the directory. */
	readonly apiKey: string | undefined;
	readonly outline: Omit<OutlineOptions, "storage">;
}

/** Reads the settings from the environment. Throws with the variable's name if one isn't allowed. */
export function settingsFromEnvironment(environment: NodeJS.ProcessEnv): ServerSettings {
	const { PORT, OUTLINE_DATA, OUTLINE_API_KEY, OUTLINE_TIME_ZONE, OUTLINE_WEEK_START, OUTLINE_APP_URL } = environment;
	const outline: Omit<OutlineOptions, "storage"> = {};
	if (OUTLINE_TIME_ZONE) outline.timeZone = OUTLINE_TIME_ZONE;
	if (OUTLINE_WEEK_START) outline.weekStartsOn = integer("OUTLINE_WEEK_START", OUTLINE_WEEK_START, 6) as 0;
	if (OUTLINE_APP_URL) outline.appUrl = OUTLINE_APP_URL;
	return {
		port: integer("PORT", PORT || "3000", 65_535),
		directory: OUTLINE_DATA || "outline-data",
		apiKey: OUTLINE_API_KEY,
		outline,
	};
}

function integer(name: string, text: string, most: number): number {
	if (/^\d{1,5}$/.test(text) && Number(text) <= most) return Number(text);
	throw new Error(`${name} is ${JSON.stringify(text)}. It must be an integer from 0 to ${most}.`);
}
