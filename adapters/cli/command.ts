import type { Call } from "./call.ts";

/** An option of a command, such as `--file <path>`. */
export interface OptionDescription {
	/** One line of help. */
	readonly help: string;
	/**
	 * The name of the value in the help; of `node`, the completion offers keys. Absent from an option without a
	 * value.
	 */
	readonly value?: string;
	/** The only values allowed. */
	readonly choices?: readonly string[];
	/** A single letter that means the same. */
	readonly short?: string;
	/** The environment variable that sets it. The command line wins. */
	readonly variable?: string;
}

/** The options of a command by their names without hyphens. */
export type OptionTable = Readonly<Record<string, OptionDescription>>;

/** A command. The help, the completion and the parser derive from its description. */
export interface Command {
	/** One word, or two as in `keys add`. */
	readonly name: string;
	/** One line of help, which begins with a verb. */
	readonly summary: string;
	/** The words behind the name, such as `<text...>`. An argument in brackets may be absent. */
	readonly arguments: readonly string[];
	/** Words that the completion offers for the arguments, if these don't name nodes. */
	readonly offers?: (commands: readonly Command[]) => readonly string[];
	readonly options: OptionTable;
	/** Further lines of help. */
	readonly details?: string;
	run(call: Call): Promise<void>;
}
