import type { Destination } from "./reading.js";

/** The question for the destination of a copy of an outline. */
export interface Question {
	readonly fileName: string;
	/** Undefined if the user cancels. */
	readonly answer: (destination: Destination | undefined) => void;
}

/** Asks whether a backup replaces what is here, or comes below a node of its own. */
export function RestoreQuestion({ fileName, answer }: Question) {
	return (
		<fieldset class="restore">
			<legend>“{fileName}” is a copy of an outline, and this outline isn’t empty. Where should it go?</legend>
			<button type="button" class="main" onClick={() => answer("below")}>
				Add it below a new node
				<small>Nodes that are in both will be here twice.</small>
			</button>
			<button type="button" class="main" onClick={() => answer("everything")}>
				Replace everything here
				<small>First, the page downloads a backup of it. Undo brings it back too.</small>
			</button>
			<button type="button" class="main" onClick={() => answer(undefined)}>
				Cancel
			</button>
		</fieldset>
	);
}
