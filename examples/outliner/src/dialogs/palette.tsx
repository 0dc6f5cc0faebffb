import { useState } from "preact/hooks";
import type { Command } from "../commands/command.js";
import { commandGroups } from "../commands/commands.js";
import { hasRows } from "../commands/keyboard.js";
import { useEditor } from "../view/context.js";
import type { Workspace } from "../workspace/workspace.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { Highlighted } from "./highlight.js";
import { Keys } from "./key-list.js";
import { type Choice, Picker } from "./picker.js";

interface CommandChoice extends Choice {
	readonly command: Command;
}

/** Every command that is possible now, with the chosen rows. */
export function PaletteDialog() {
	const editor = useEditor();
	const { workspace } = editor;
	const [query, setQuery] = useState("");
	// Until the dialog shows, the caret is in the place where the commands work.
	const [possible] = useState(() => choicesNow(workspace));
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	const choices = words.length === 0 ? possible : ranked(possible, words);
	return (
		<DialogFrame label="Commands">
			<Picker
				label="Commands"
				placeholder="What is to be done?"
				query={query}
				onQuery={setQuery}
				choices={choices}
				status={choices.length === 0 ? `There is no command for “${query.trim()}” here.` : `${choices.length} commands`}
				onChoose={({ command }) => {
					closeDialog(workspace);
					void editor.run(command);
				}}
				foot={
					<button type="button" class="quiet" onClick={() => workspace.dialog.set({ type: "keys" })}>
						All keys
					</button>
				}
			>
				{({ command }) => (
					<>
						<span class="choice-texts">
							<span class="choice-name">
								<Highlighted text={command.label!} words={words} />
							</span>
						</span>
						<Keys chords={command.keys?.slice(0, 1) ?? []} />
					</>
				)}
			</Picker>
		</DialogFrame>
	);
}

function choicesNow(workspace: Workspace): CommandChoice[] {
	return commandGroups.flatMap(({ name, commands }) =>
		commands.flatMap((command): CommandChoice[] => {
			const { label, when = hasRows } = command;
			return label !== undefined && when(workspace) ? [{ key: label, group: name, command }] : [];
		}),
	);
}

/** The commands whose labels have all words; first the ones in which words begin with them. */
function ranked(choices: readonly CommandChoice[], words: readonly string[]): CommandChoice[] {
	const rank = (label: string) => {
		const text = ` ${label.toLowerCase()}`;
		if (!words.every((word) => text.includes(word))) return 0;
		if (!words.every((word) => text.includes(` ${word}`))) return 1;
		return text.startsWith(` ${words[0]}`) ? 3 : 2;
	};
	return choices
		.map((choice) => ({ choice, fits: rank(choice.key) }))
		.filter(({ fits }) => fits > 0)
		.sort((left, right) => right.fits - left.fits)
		.map(({ choice }) => ({ ...choice, group: undefined }));
}
