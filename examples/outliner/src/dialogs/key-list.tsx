import type { Command } from "../commands/command.js";
import { commandGroups } from "../commands/commands.js";
import { chordText } from "../commands/keyboard.js";
import { DialogFrame } from "./frame.js";

/** Keys and typed texts with a meaning that aren't commands of the palette. */
const writing: readonly (readonly [does: string, keys: string])[] = [
	["New node, or split this one", "Enter"],
	["Join with the previous node", "Backspace"],
	["Select nodes", `${chordText("Shift+ArrowUp")} ${chordText("Shift+ArrowDown")}`],
	["Menu", "/"],
	["Bold, italic, struck through, code", "**b** *i* ~~s~~ `c`"],
	["Link", "[text](address)"],
	["Date", "[2026-11-21]"],
];

/** All commands that have keys, and what can be written. */
export function KeysDialog() {
	return (
		<DialogFrame label="Keys" titled>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the keys */}
			<section class="key-list" aria-label="All keys" tabIndex={0} autofocus>
				<div class="key-columns">
					{commandGroups.map(({ name, commands }) => {
						const shown = commands.filter(
							({ label, keys = [], typed }) => label !== undefined && (keys.length > 0 || typed !== undefined),
						);
						return (
							shown.length > 0 && (
								<section key={name}>
									<h3>{name}</h3>
									<dl>
										{shown.map((command) => (
											<div key={command.label}>
												<dt>{command.label}</dt>
												<dd>
													<KeysOf command={command} />
												</dd>
											</div>
										))}
									</dl>
								</section>
							)
						);
					})}
					<section>
						<h3>While you write</h3>
						<dl>
							{writing.map(([does, keys]) => (
								<div key={does}>
									<dt>{does}</dt>
									<dd>
										{keys.split(" ").map((key) => (
											<kbd key={key}>{key}</kbd>
										))}
									</dd>
								</div>
							))}
						</dl>
					</section>
				</div>
			</section>
		</DialogFrame>
	);
}

/** The keys of a command as they are on this machine, or else the text that does the same. */
export function KeysOf({ command, most }: { readonly command: Command; readonly most?: number }) {
	const { keys = [], typed } = command;
	return (
		<span class="chords">
			{keys.slice(0, most).map((chord) => (
				<kbd key={chord}>{chordText(chord)}</kbd>
			))}
			{keys.length === 0 && typed !== undefined && <kbd class="typed">{typed}</kbd>}
		</span>
	);
}
