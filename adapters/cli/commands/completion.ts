import type { Command } from "../command.ts";
import { completionOf, shells } from "../completion.ts";
import { usage } from "../failure.ts";

export const completion: Command = {
	name: "completion",
	summary: "Print a script that completes commands and options: bash, zsh or fish",
	arguments: ["<shell>"],
	offers: () => shells,
	options: {},
	details: `To use it in bash: add this line to ~/.bashrc: eval "$(outlinekit completion bash)"
In zsh: eval "$(outlinekit completion zsh)", after compinit. In fish: outlinekit completion fish | source`,
	async run({ words, output }, commands) {
		const shell = shells.find((each) => each === words[0]);
		if (shell === undefined) throw usage(`The shell is ${words[0]}. It must be one of ${shells.join(", ")}.`);
		await output.write(completionOf(shell, commands));
	},
};
