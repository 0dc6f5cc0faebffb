import type { OutlineOptions } from "outlinekit";

/** The server's settings from the environment. */
export interface ServerSettings {
	/** The address of this machine to listen at: 127.0.0.1 for this machine alone, 0.0.0.0 for its network. */
	readonly host?: string;
	readonly port: number;
	/** The files of a TLS certificate and its key, in PEM. Undefined: without TLS. */
	readonly tls?: { readonly certificate: string; readonly key: string };
	/** The directory of the outline's file and the API key. */
	readonly directory: string;
	/** Undefined: one is drawn and kept in the directory. */
	readonly apiKey: string | undefined;
	/** The number of exports of the whole outline in a minute. Default: one. */
	readonly exportsPerMinute?: number;
	readonly outline: Omit<OutlineOptions, "storage">;
}

/** Reads the settings from the environment. Throws with the variable's name if one isn't allowed. */
export function settingsFromEnvironment(environment: NodeJS.ProcessEnv): ServerSettings {
	const { PORT, OUTLINE_DATA, OUTLINE_API_KEY, OUTLINE_TIME_ZONE, OUTLINE_WEEK_START, OUTLINE_APP_URL } = environment;
	const { OUTLINE_HOST, OUTLINE_TLS_CERTIFICATE, OUTLINE_TLS_KEY } = environment;
	if (!OUTLINE_TLS_CERTIFICATE !== !OUTLINE_TLS_KEY) {
		throw new Error("TLS needs two files: give both OUTLINE_TLS_CERTIFICATE and OUTLINE_TLS_KEY.");
	}
	const { OUTLINE_EXPORTS_PER_MINUTE, OUTLINE_INBOX_NAME, OUTLINE_CALENDAR_NAME } = environment;
	const outline: Omit<OutlineOptions, "storage"> = {};
	if (OUTLINE_TIME_ZONE) outline.timeZone = OUTLINE_TIME_ZONE;
	if (OUTLINE_WEEK_START) outline.weekStartsOn = integer("OUTLINE_WEEK_START", OUTLINE_WEEK_START, 6) as 0;
	if (OUTLINE_APP_URL) outline.appUrl = OUTLINE_APP_URL;
	const names = {
		...(OUTLINE_INBOX_NAME && { inbox: name("OUTLINE_INBOX_NAME", OUTLINE_INBOX_NAME) }),
		...(OUTLINE_CALENDAR_NAME && { calendar: name("OUTLINE_CALENDAR_NAME", OUTLINE_CALENDAR_NAME) }),
	};
	if (Object.keys(names).length > 0) outline.names = names;
	return {
		...(OUTLINE_HOST && { host: OUTLINE_HOST }),
		...(OUTLINE_TLS_CERTIFICATE &&
			OUTLINE_TLS_KEY && { tls: { certificate: OUTLINE_TLS_CERTIFICATE, key: OUTLINE_TLS_KEY } }),
		port: integer("PORT", PORT || "3000", 65_535),
		directory: OUTLINE_DATA || "outline-data",
		apiKey: OUTLINE_API_KEY,
		...(OUTLINE_EXPORTS_PER_MINUTE && { exportsPerMinute: exports(OUTLINE_EXPORTS_PER_MINUTE) }),
		outline,
	};
}

/** A name of a node. Checked here, as the outline would refuse it under the name of its option. */
function name(variable: string, text: string): string {
	if (text.trim() !== "" && text.length <= 200) return text;
	throw new Error(`${variable} is ${JSON.stringify(text)}. It must be a text of 1 to 200 characters.`);
}

function exports(text: string): number {
	if (text === "unlimited") return Number.POSITIVE_INFINITY;
	if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
	throw new Error(
		`OUTLINE_EXPORTS_PER_MINUTE is ${JSON.stringify(text)}. It must be a whole number from 1, or unlimited.`,
	);
}

function integer(name: string, text: string, most: number): number {
	if (/^\d{1,5}$/.test(text) && Number(text) <= most) return Number(text);
	throw new Error(`${name} is ${JSON.stringify(text)}. It must be an integer from 0 to ${most}.`);
}
