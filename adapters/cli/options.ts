import { usage } from "./failure.ts";

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

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

/** The option that every command has. */
export const commonOptions = { help: { short: "h", help: "show this help" } } satisfies OptionTable;

/** The values of the options of a command, from the command line or the environment. */
export class Options {
	readonly #table: OptionTable;
	readonly #given: Readonly<Record<string, unknown>>;
	/** The variables of the process. */
	readonly environment: Environment;

	constructor(table: OptionTable, given: Readonly<Record<string, unknown>>, environment: Environment) {
		this.#table = table;
		this.#given = given;
		this.environment = environment;
	}

	/** Whether the command line itself has an option. */
	isGiven(name: string): boolean {
		return this.#given[name] !== undefined;
	}

	/** Whether the environment has a variable that this command doesn't know. */
	ignores(variable: string): boolean {
		const known = Object.values(this.#table).some((option) => option.variable === variable);
		return !known && Boolean(this.environment[variable]);
	}

	/** Returns an option without a value; undefined if neither it nor its `--no-` form is set. */
	flag(name: string): boolean | undefined {
		const given = this.#given[name];
		if (given !== undefined) return given as boolean;
		const text = this.#variable(name);
		if (text === undefined) return undefined;
		// A misspelled value must not start a server that writes.
		if (text !== "0" && text !== "1") throw this.refusal(name, text, "0 or 1");
		return text === "1";
	}

	/** Returns the value of an option; undefined if it has none. An empty variable counts as absent. */
	text(name: string): string | undefined {
		const text = (this.#given[name] as string | undefined) ?? this.#variable(name);
		if (text === undefined) return undefined;
		const { choices } = this.#table[name] ?? {};
		if (choices !== undefined && !choices.includes(text))
			throw this.refusal(name, text, `one of ${choices.join(", ")}`);
		return text;
	}

	/** Returns an option that is an integer. */
	integer(name: string, least: number, most: number): number | undefined {
		const text = this.text(name);
		if (text === undefined) return undefined;
		if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
		throw this.refusal(name, text, `an integer from ${least} to ${most}`);
	}

	/** Returns the error of a wrong value. It names the option as the user has set it. */
	refusal(name: string, text: string, allowed: string): Error {
		return usage(`${this.sourceOf(name)} is ${JSON.stringify(text)}. It must be ${allowed}.`);
	}

	/** Returns an option as the user has set it: `--file`, or its variable. */
	sourceOf(name: string): string {
		const { variable } = this.#table[name]!;
		return this.isGiven(name) || variable === undefined ? `--${name}` : variable;
	}

	#variable(name: string): string | undefined {
		const { variable } = this.#table[name] ?? {};
		return (variable === undefined ? undefined : this.environment[variable]) || undefined;
	}
}
