import { duplicateCommand } from "../clipboard/duplicate.js";
import type { Command } from "./command.js";
import { globalCommands } from "./global.js";
import { navigationCommands } from "./navigation.js";
import { selectionCommands } from "./selection.js";
import { structureCommands } from "./structure.js";
import { textCommands } from "./text.js";

/** Everything that a person can do by a key or in the palette. Of those with the same key, the first that can be done is. */
export const commands: readonly Command[] = [
	...textCommands,
	...structureCommands,
	...navigationCommands,
	...globalCommands,
	...selectionCommands,
	duplicateCommand,
];
