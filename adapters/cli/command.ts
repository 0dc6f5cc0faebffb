import type { Call } from "./call.ts";
import type { OptionTable } from "./options.ts";

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
	/** @param commands - all commands, which `help` and `completion` read */
	run(call: Call, commands: readonly Command[]): Promise<void>;
}
