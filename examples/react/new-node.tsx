import type { Outline } from "outlinekit";
import { useActionState } from "react";

/** A line to write a new node in. What can't be created stays there, with the reason. */
export function NewNode({ outline, parent, label }: { outline: Outline; parent: string | null; label: string }) {
	const [{ name, problem }, create] = useActionState(
		async (_: unknown, form: FormData) => {
			const name = String(form.get("name"));
			try {
				if (name.trim() !== "") await outline.create({ parent, name, position: "bottom" });
				return { name: "", problem: null };
			} catch (error) {
				return { name, problem: (error as Error).message };
			}
		},
		{ name: "", problem: null },
	);
	return (
		<form action={create}>
			<input name="name" aria-label={label} placeholder={label} defaultValue={name} autoComplete="off" />
			<button type="submit">Add</button>
			{problem !== null && <p role="alert">{problem}</p>}
		</form>
	);
}
