import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";

interface LineFormProps {
	readonly label: string;
	readonly placeholder: string;
	/** The text in the line at first. Default: none. */
	readonly initial?: string;
	/** The label of the button. */
	readonly action: string;
	/** The text below the line, for the trimmed text in it. */
	readonly hint?: (text: string) => ComponentChildren;
	/** Takes the trimmed text. Its error shows below the line. */
	readonly onSubmit: (text: string) => Promise<void>;
}

/** A form of one line. */
export function LineForm({ label, placeholder, initial = "", action, hint, onSubmit }: LineFormProps) {
	const id = useId();
	const [text, setText] = useState(initial);
	const [problem, setProblem] = useState<string>();
	const submit = (event: Event) => {
		event.preventDefault();
		onSubmit(text.trim()).then(
			() => setText(""),
			(error: Error) => setProblem(error.message),
		);
	};
	return (
		<form onSubmit={submit}>
			<label for={id}>{label}</label>
			<div class="field-line">
				<input
					id={id}
					type="text"
					autofocus
					onFocus={({ currentTarget }) => currentTarget.select()}
					value={text}
					placeholder={placeholder}
					autocomplete="off"
					autocapitalize="off"
					spellcheck={false}
					aria-invalid={problem !== undefined}
					aria-describedby={`${id}hint`}
					onInput={({ currentTarget }) => {
						setText(currentTarget.value);
						setProblem(undefined);
					}}
				/>
				<button type="submit" class="primary" disabled={text.trim() === ""}>
					{action}
				</button>
			</div>
			<p
				id={`${id}hint`}
				class={problem === undefined ? "hint" : "problem"}
				role={problem === undefined ? undefined : "alert"}
			>
				{problem ?? hint?.(text.trim())}
			</p>
		</form>
	);
}
