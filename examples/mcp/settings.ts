/** The server's settings from the command line and the environment. */
export interface ServerSettings {
	/** The outline's file. */
	readonly file: string;
	/** The IANA zone of `today` and of times. */
	readonly timeZone: string;
	/** The node that is served with what is below it; undefined for the whole outline. */
	readonly root: string | undefined;
	/** Whether there are no tools that write. */
	readonly readOnly: boolean;
}

/** Reads the settings. Throws with the variable's name if one is missing or isn't allowed. */
export function settingsFrom([path]: readonly string[], environment: NodeJS.ProcessEnv): ServerSettings {
	const { OUTLINE_FILE, OUTLINE_TIME_ZONE, OUTLINE_ROOT, OUTLINE_READ_ONLY } = environment;
	const file = path || OUTLINE_FILE;
	if (!file)
		throw new Error("There is no file. Give the path of the outline's file in OUTLINE_FILE or as an argument.");
	return {
		file,
		timeZone: OUTLINE_TIME_ZONE || Intl.DateTimeFormat().resolvedOptions().timeZone,
		root: OUTLINE_ROOT || undefined,
		readOnly: flag("OUTLINE_READ_ONLY", OUTLINE_READ_ONLY || "0"),
	};
}

/** Refuses any other value: a misspelled one must not start a server that writes. */
function flag(name: string, text: string): boolean {
	if (text === "1") return true;
	if (text === "0") return false;
	throw new Error(`${name} is ${JSON.stringify(text)}. It must be 1 or 0.`);
}
