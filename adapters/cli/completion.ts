import type { Command } from "./command.ts";
import { commonOptions, type OptionDescription } from "./options.ts";
import { nodeKeys } from "./shared-options.ts";

/** The shells that have a script. */
export const shells = ["bash", "zsh", "fish"] as const;

/** Returns the script that completes commands, their options, values of these, and the names of files. */
export function completionOf(shell: (typeof shells)[number], commands: readonly Command[]): string {
	return { bash, zsh, fish }[shell](commands);
}

const optionsOf = ({ options }: Command) => Object.entries<OptionDescription>({ ...options, ...commonOptions });

/** Returns the values of an option that the completion offers. */
function valuesOf({ choices, value }: OptionDescription): readonly string[] {
	return choices ?? (value === "node" ? nodeKeys : []);
}

/** Returns the words that the completion offers as arguments of a command. */
function argumentsOf({ arguments: names, offers }: Command, commands: readonly Command[]): readonly string[] {
	return offers?.(commands) ?? (names.some((name) => /^.node/.test(name)) ? nodeKeys : []);
}

/** Returns the first words of commands, each once, and the second words behind each. */
function wordTree(commands: readonly Command[]): Map<string, string[]> {
	const words = new Map<string, string[]>();
	for (const { name } of commands) {
		const [first = "", second] = name.split(" ");
		words.set(first, [...(words.get(first) ?? []), ...(second === undefined ? [] : [second])]);
	}
	return words;
}

/** Returns a `case` of bash and zsh that sets `choices` for the command. */
function cases(commands: readonly Command[]): string {
	const tree = wordTree(commands);
	const seconds = [...tree].filter(([, words]) => words.length > 0);
	return [
		`"") choices="${[...tree.keys()].join(" ")}" ;;`,
		...commands.map((command) => {
			const words = [...argumentsOf(command, commands), ...optionsOf(command).map(([name]) => `--${name}`)];
			return `"${command.name}") choices="${words.join(" ")}" ;;`;
		}),
		...seconds.map(([first, words]) => `"${first}") choices="${words.join(" ")}" ;;`),
	].join("\n    ");
}

/** Returns a `case` of bash and zsh that sets `choices` for the value of an option. */
function valueCases(commands: readonly Command[]): string {
	const options = new Map<string, string[]>();
	for (const [name, description] of commands.flatMap(optionsOf)) {
		if (description.value === undefined) continue;
		const values = valuesOf(description).join(" ");
		const names = options.get(values) ?? [];
		if (!names.includes(`--${name}`)) options.set(values, [...names, `--${name}`]);
	}
	return Array.from(options, ([values, names]) => `${names.join("|")}) choices="${values}" ;;`).join("\n    ");
}

/** Returns a pattern of the first words that need a second one. */
function parents(commands: readonly Command[]): string {
	return [...wordTree(commands)].flatMap(([first, words]) => (words.length > 0 ? [first] : [])).join("|");
}

function bash(commands: readonly Command[]): string {
	return `_outlinekit() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" choices=""
  if ((COMP_CWORD > 1)); then command="\${COMP_WORDS[1]}"; fi
  case "$command" in ${parents(commands)}) if ((COMP_CWORD > 2)); then command="$command \${COMP_WORDS[2]}"; fi ;; esac
  case "$command" in
    ${cases(commands)}
  esac
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in
    ${valueCases(commands)}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _outlinekit outlinekit
`;
}

function zsh(commands: readonly Command[]): string {
	return `#compdef outlinekit
_outlinekit() {
  local command="" choices=""
  if ((CURRENT > 2)); then command="\${words[2]}"; fi
  case "$command" in ${parents(commands)}) if ((CURRENT > 3)); then command="$command \${words[3]}"; fi ;; esac
  case "$command" in
    ${cases(commands)}
  esac
  case "\${words[CURRENT - 1]}" in
    ${valueCases(commands)}
  esac
  compadd -- \${=choices}
  _files
}
compdef _outlinekit outlinekit
`;
}

function fish(commands: readonly Command[]): string {
	const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
	const tree = wordTree(commands);
	const summary = (name: string) => commands.find((each) => each.name === name)?.summary ?? `Manage ${name}`;
	const lines = [...tree].flatMap(([first, words]) => [
		`complete -c outlinekit -n __fish_use_subcommand -f -a ${first} -d ${quoted(summary(first))}`,
		...words.map(
			(second) =>
				`complete -c outlinekit -n '__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${words.join(" ")}' -f -a ${second} -d ${quoted(summary(`${first} ${second}`))}`,
		),
	]);
	for (const command of commands) {
		const seen = command.name
			.split(" ")
			.map((word) => `__fish_seen_subcommand_from ${word}`)
			.join("; and ");
		const words = argumentsOf(command, commands);
		if (words.length > 0) lines.push(`complete -c outlinekit -n ${quoted(seen)} -a ${quoted(words.join(" "))}`);
		for (const [name, description] of optionsOf(command)) {
			const { value, short, help } = description;
			const values = valuesOf(description);
			const parts = [short === undefined ? "" : ` -s ${short}`, value === undefined ? "" : " -r"].join("");
			const offered = values.length === 0 ? "" : ` -f -a ${quoted(values.join(" "))}`;
			lines.push(`complete -c outlinekit -n ${quoted(seen)} -l ${name}${parts}${offered} -d ${quoted(help)}`);
		}
	}
	return `${lines.join("\n")}\n`;
}
