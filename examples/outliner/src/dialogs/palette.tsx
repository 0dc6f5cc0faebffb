import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Command } from "../commands/command.js";
import { type CommandGroup, commandGroups } from "../commands/commands.js";
import { hasRows } from "../commands/keyboard.js";
import { useEditor } from "../view/context.js";
import type { Workspace } from "../workspace/workspace.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { Highlighted } from "./highlight.js";
import { KeysOf } from "./key-list.js";
import { type Choice, Picker } from "./picker.js";

interface CommandChoice extends Choice {
	readonly command: Command;
}

/** Every command that is possible now, with the chosen rows. */
export function PaletteDialog() {
	const { workspace } = useEditor();
	return (
		<DialogFrame label="Commands">
			<CommandPicker
				groups={commandGroups}
				foot={
					<button type="button" class="quiet" onClick={() => workspace.dialog.set({ type: "keys" })}>
						All keys
					</button>
				}
			/>
		</DialogFrame>
	);
}

interface CommandPickerProps {
	readonly groups: readonly CommandGroup[];
	/** Called with each query and the number of its commands; if it returns true, the dialog has been closed. */
	readonly onQuery?: (query: string, found: number) => boolean;
	/** Closes the dialog, before the chosen command runs. */
	readonly onChosen?: () => void;
	readonly foot?: ComponentChildren;
}

/** Finds one of the commands that are possible now, and runs it. */
export function CommandPicker({ groups, onQuery, onChosen, foot }: CommandPickerProps) {
	const editor = useEditor();
	const { workspace } = editor;
	const close = onChosen ?? (() => closeDialog(workspace));
	const [query, setQuery] = useState("");
	// Until the dialog shows, the caret is in the place where the commands work.
	const [possible] = useState(() => choicesNow(workspace, groups));
	const words = wordsOf(query);
	const choices = ranked(possible, words);
	return (
		<Picker
			label="Commands"
			placeholder="Type a command"
			query={query}
			onQuery={(next) => {
				if (!onQuery?.(next, ranked(possible, wordsOf(next)).length)) setQuery(next);
			}}
			choices={choices}
			status={choices.length === 0 ? `No command matches “${query.trim()}”.` : `${choices.length} commands`}
			onChoose={({ command }) => {
				close();
				void editor.run(command);
			}}
			foot={foot}
		>
			{({ command }) => (
				<>
					<span class="choice-texts">
						<span class="choice-name">
							<Highlighted text={command.label!} words={words} />
						</span>
					</span>
					{command.isDue?.(workspace) && (
						<span class="due">
							<span class="unseen">This is due.</span>
						</span>
					)}
					<KeysOf command={command} most={1} />
				</>
			)}
		</Picker>
	);
}

function choicesNow(workspace: Workspace, groups: readonly CommandGroup[]): CommandChoice[] {
	return groups.flatMap(({ name, commands }) =>
		commands.flatMap((command): CommandChoice[] => {
			const { label, when = hasRows } = command;
			return label !== undefined && when(workspace) ? [{ key: label, group: name, command }] : [];
		}),
	);
}

function wordsOf(query: string): string[] {
	return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * The commands whose labels have all words, with or without hyphens; first the ones in which words begin with them,
 * last the ones whose words begin with the letters, such as `h1` for “Heading 1”. All commands for no words.
 */
function ranked(choices: readonly CommandChoice[], wanted: readonly string[]): readonly CommandChoice[] {
	if (wanted.length === 0) return choices;
	const words = wanted.map((word) => word.replaceAll("-", ""));
	const rank = (label: string) => {
		const text = ` ${label.toLowerCase().replaceAll("-", "")}`;
		const initials = Array.from(text.matchAll(/ (\S)/g), ([, initial]) => initial).join("");
		if (!words.every((word) => text.includes(word))) return initials.startsWith(words.join("")) ? 1 : 0;
		if (!words.every((word) => text.includes(` ${word}`))) return 2;
		return text.startsWith(` ${words[0]}`) ? 4 : 3;
	};
	return choices
		.map((choice) => ({ choice, fits: rank(choice.key) }))
		.filter(({ fits }) => fits > 0)
		.sort((left, right) => right.fits - left.fits)
		.map(({ choice }) => ({ ...choice, group: undefined }));
}
