import { parseArgs } from "node:util";
import type { Command } from "./command.ts";
import { usage } from "./failure.ts";
import { nearest } from "./nearest.ts";
import { commonOptions, type Environment, Options, type OptionTable } from "./options.ts";
import { serverOptions } from "./shared-options.ts";

/** A parsed command line. */
export interface Parsed {
	readonly command: Command;
	readonly words: readonly string[];
	readonly options: Options;
}

/** Marks a text like `- [ ] milk`, which isn't an option. The character is for private use. */
const textMark = "\u{f0000}";

/** Parses the words behind the program's name. @throws the error of a wrong command line */
export function parse(words: readonly string[], commands: readonly Command[], environment: Environment): Parsed {
	const [command, rest] = commandOf(words, commands);
	const table: OptionTable = { ...command.options, ...commonOptions };
	const args = rest.map((word) => (/^-+\s/.test(word) ? textMark + word : word));
	const { values, positionals } = parsed(command, args, table);
	const found = positionals.map(unmarked);
	const given = Object.entries(values).map(([name, value]) => [
		name,
		typeof value === "string" ? unmarked(value) : value,
	]);
	const options = new Options(table, Object.fromEntries(given), environment);
	if (!options.flag("help")) assertCount(command, found.length);
	return { command, words: found, options };
}

const unmarked = (word: string) => (word.startsWith(textMark) ? word.slice(textMark.length) : word);

function commandOf(words: readonly string[], commands: readonly Command[]): [Command, readonly string[]] {
	for (const count of [2, 1]) {
		const name = words.slice(0, count).join(" ");
		const command = commands.find((each) => each.name === name);
		if (command !== undefined) return [command, words.slice(count)];
	}
	const [word = ""] = words;
	const below = commands.filter(({ name }) => name.startsWith(`${word} `)).map(({ name }) => name);
	if (below.length > 0) throw usage(`Give one of these commands: ${below.join(", ")}.`);
	throw unknownCommand(word, commands);
}

/** Returns the error of a word that is no command, with the one that the user may have meant. */
export function unknownCommand(word: string, commands: readonly Command[]): Error {
	const names = commands.flatMap(({ name }) => [name, name.split(" ")[0]!]);
	const near = nearest(word, names);
	const hint = near === undefined ? "The command comes first: see outlinekit help." : `Did you mean ${near}?`;
	return usage(`There is no command ${JSON.stringify(word)}. ${hint}`);
}

function parsed(command: Command, args: readonly string[], table: OptionTable) {
	const options = Object.fromEntries(
		Object.entries(table).map(([name, { value, short }]) => [
			name,
			{ type: value === undefined ? ("boolean" as const) : ("string" as const), ...(short !== undefined && { short }) },
		]),
	);
	try {
		return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
	} catch (error) {
		// The message of Node begins with a sentence about the option.
		const [reason] = (error as Error).message.split(/\. To specify|\n/);
		const sentence = reason!.replace(/\.?$/, ".");
		const [, ambiguous] = /^Option '(--[^']+)' argument is ambiguous\.$/.exec(sentence) ?? [];
		if (ambiguous !== undefined)
			throw usage(`${ambiguous} needs a value. If the value begins with -, write ${ambiguous}=<value>.`);
		const [, dash = "", letters = ""] = /^Unknown option '(-+)(.*)'\.$/.exec(sentence) ?? [];
		if (letters in serverOptions && "file" in table)
			throw usage(`outlinekit ${command.name} works only on a file or a database. Give --file or --database.`);
		const near = dash === "--" ? nearest(letters, Object.keys(table)) : undefined;
		if (near !== undefined) throw usage(`${sentence} Did you mean --${near}?`);
		// A text may begin with a dash, as in a search that leaves out a word.
		const takesText = letters !== "" && command.arguments.some((each) => each.includes("..."));
		const hint = takesText ? ` Write -- before a text that begins with -: outlinekit ${command.name} -- …` : "";
		throw usage(`${sentence}${hint} See outlinekit help ${command.name}.`);
	}
}

function assertCount({ name, arguments: names }: Command, count: number): void {
	const needed = names.filter((each) => each.startsWith("<")).length;
	const most = names.some((each) => each.includes("...")) ? Number.POSITIVE_INFINITY : names.length;
	if (count < needed) throw usage(`${names[count]} is missing. See outlinekit help ${name}.`);
	if (count > most)
		throw usage(`outlinekit ${name} takes ${most === 0 ? "no words" : `at most ${most} word(s)`} behind it.`);
}
