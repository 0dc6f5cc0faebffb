import { commandGroups } from "../commands/commands.js";
import { chordText } from "../commands/keyboard.js";
import { DialogFrame } from "./frame.js";

/** Typed texts with a meaning that aren't commands. */
const writing: readonly (readonly [does: string, keys: string])[] = [
	["A new node, or the rest of this one below", "Enter"],
	["Join with the node before", "Backspace"],
	["Mirror a node here", "(("],
	["Menu", "/"],
	["Heading", "# ## ###"],
	["To-do", "[]"],
	["Quote", ">"],
	["Code block", "```"],
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
							({ label, keys }) => label !== undefined && keys !== undefined && keys.length > 0,
						);
						return (
							shown.length > 0 && (
								<section key={name}>
									<h3>{name}</h3>
									<dl>
										{shown.map(({ label, keys }) => (
											<div key={label}>
												<dt>{label}</dt>
												<dd>
													<Keys chords={keys!} />
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

/** Chords as they are on this machine. */
export function Keys({ chords }: { readonly chords: readonly string[] }) {
	return (
		<span class="chords">
			{chords.map((chord) => (
				<kbd key={chord}>{chordText(chord)}</kbd>
			))}
		</span>
	);
}
