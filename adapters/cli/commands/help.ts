import type { Command } from "../command.ts";
import { commandHelp, programHelp } from "../help.ts";
import { unknownCommand } from "../parse.ts";
import { defaultFile } from "../place/place.ts";

export const help: Command = {
	name: "help",
	summary: "Explain the program, or a command",
	arguments: ["[command...]"],
	offers: (commands) => [...new Set(commands.map(({ name }) => name.split(" ")[0]!))],
	options: {},
	async run({ words, output, options }, commands) {
		const name = words.join(" ");
		const found = commands.filter((each) => each.name === name || each.name.startsWith(`${name} `));
		if (name !== "" && found.length === 0) throw unknownCommand(name, commands);
		await output.write(
			`${name === "" ? programHelp(commands, defaultFile(options.environment)) : found.map(commandHelp).join("\n\n")}\n`,
		);
	},
};
