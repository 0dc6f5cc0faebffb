import type { Command } from "../command.ts";
import { usage } from "../failure.ts";
import { commandHelp, programHelp } from "../help.ts";

export const help: Command = {
	name: "help",
	summary: "Explain the program, or a command",
	arguments: ["[command...]"],
	options: {},
	async run({ words, output }) {
		const { commands } = await import("../commands.ts");
		const name = words.join(" ");
		const found = commands.filter((each) => each.name === name || each.name.startsWith(`${name} `));
		if (name !== "" && found.length === 0) throw usage(`There is no command ${JSON.stringify(name)}.`);
		await output.write(`${name === "" ? programHelp(commands) : found.map(commandHelp).join("\n\n")}\n`);
	},
};
