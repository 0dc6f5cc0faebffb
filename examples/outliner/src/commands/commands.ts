import type { Command } from "./command.js";
import { copyCommands } from "./copy-as.js";
import { dialogCommands } from "./dialogs.js";
import { duplicateCommand } from "./duplicate.js";
import { globalCommands } from "./global.js";
import { lineCommands } from "./lines.js";
import { linkCommands } from "./link.js";
import { mirrorCommands } from "./mirror.js";
import { navigationCommands } from "./navigation.js";
import { selectionCommands } from "./selection.js";
import { sendCommands } from "./send.js";
import { shortcutCommand } from "./shortcut.js";
import { structureCommands } from "./structure.js";
import { textCommands } from "./text.js";

/** Commands about the same thing. */
export interface CommandGroup {
	readonly name: string;
	readonly commands: readonly Command[];
}

/** Everything that a person can do by a key or in the palette, by what it is about. */
export const commandGroups: readonly CommandGroup[] = [
	{ name: "Text", commands: textCommands },
	{ name: "Links", commands: linkCommands },
	{
		name: "Nodes",
		commands: [
			...lineCommands,
			...structureCommands,
			duplicateCommand,
			...sendCommands,
			...copyCommands,
			shortcutCommand,
		],
	},
	{ name: "Mirrors", commands: mirrorCommands },
	{ name: "Moving around", commands: [...navigationCommands, ...selectionCommands] },
	{ name: "Finding", commands: dialogCommands },
	{ name: "Everything", commands: globalCommands },
];

/** All commands. If several have the same key, the first possible one runs. */
export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands);
