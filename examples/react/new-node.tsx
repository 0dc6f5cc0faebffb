import type { Outline } from "outlinekit";
import { type FormEvent, useState } from "react";

/**
 * A line for a new node. It is empty for the next one at once. If a node can't be created, its text comes
 * back before the newly typed text, with the reason.
 */
export function NewNode({ outline, parent, label }: { outline: Outline; parent: string | null; label: string }) {
	const [name, setName] = useState("");
	const [problem, setProblem] = useState<string | null>(null);
	const create = async (event: FormEvent) => {
		event.preventDefault();
		if (name.trim() === "") return;
		setName("");
		setProblem(null);
		try {
			await outline.create({ parent, name, position: "bottom" });
		} catch (error) {
			setName((typed) => (typed === "" ? name : `${name} ${typed}`));
			setProblem((error as Error).message);
		}
	};
	return (
		<form onSubmit={create}>
			<input
				aria-label={label}
				placeholder={label}
				value={name}
				onChange={(event) => setName(event.target.value)}
				autoComplete="off"
			/>
			<button type="submit">Add</button>
			{problem !== null && <p role="alert">{problem}</p>}
		</form>
	);
}
