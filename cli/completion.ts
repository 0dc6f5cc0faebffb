import type { Command, OptionDescription } from "./command.ts";
import { commonOptions } from "./options.ts";

/** The shells that have a script. */
export const shells = ["bash", "zsh", "fish"] as const;

/** Returns the script that completes commands, their options, and the names of files. */
export function completionOf(shell: (typeof shells)[number], commands: readonly Command[]): string {
	return { bash, zsh, fish }[shell](commands);
}

const optionsOf = ({ options }: Command) => Object.entries<OptionDescription>({ ...options, ...commonOptions });
const wordsOf = (command: Command) => optionsOf(command).map(([name]) => `--${name}`);

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
		...commands.map((command) => `"${command.name}") choices="${wordsOf(command).join(" ")}" ;;`),
		...seconds.map(([first, words]) => `"${first}") choices="${words.join(" ")}" ;;`),
	].join("\n    ");
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
		for (const [name, { value, short, help }] of optionsOf(command)) {
			const parts = [short === undefined ? "" : ` -s ${short}`, value === undefined ? "" : " -r"].join("");
			lines.push(`complete -c outlinekit -n ${quoted(seen)} -l ${name}${parts} -d ${quoted(help)}`);
		}
	}
	return `${lines.join("\n")}\n`;
}
