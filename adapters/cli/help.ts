import type { Command } from "./command.ts";
import { commonOptions, type OptionTable } from "./options.ts";

/** Returns the help of the whole program. @param file - the path of the default outline */
export function programHelp(commands: readonly Command[], file: string): string {
	const rows = commands.map((command) => [[command.name, ...command.arguments].join(" "), command.summary] as const);
	return `outlinekit: an outline in a file, a database or on a server

Usage: outlinekit <command> [options]

${table(rows)}

The outline is in ${file}
unless --file, --database or --server names another one, or a variable such as OUTLINEKIT_FILE does.
A node is named by its id or short id, a shortcut, inbox, today, tomorrow, next_week, or a date such as 2026-12-01.
Results are text on a terminal, and JSON Lines on a pipe. Errors, notes and progress go to the standard error.

Exit codes: 0 done; 1 a fault; 2 the command, an option or an input isn't valid; 3 there is no such node, file or key;
130 stopped by Ctrl+C.

More about a command: outlinekit help <command>`;
}

/** Returns the help of a command. */
export function commandHelp({ name, summary, arguments: names, options, details }: Command): string {
	return `${summary}

Usage: ${["outlinekit", name, ...names, "[options]"].join(" ")}${details === undefined ? "" : `\n\n${details}`}

${optionHelp({ ...options, ...commonOptions })}`;
}

function optionHelp(options: OptionTable): string {
	const rows = Object.entries(options).map(([name, { value, short, help, choices, variable }]) => {
		const left = `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` <${value}>`}`;
		const allowed = choices === undefined || help.includes(choices[0]!) ? "" : ` (${choices.join(", ")})`;
		return [left, `${help}${allowed}${variable === undefined ? "" : ` [${variable}]`}`] as const;
	});
	return table(rows);
}

function table(rows: readonly (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
