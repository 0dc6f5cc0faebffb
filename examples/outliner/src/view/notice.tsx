import "./notice.css";
import { useEffect } from "preact/hooks";
import { backToRows, isNowhere } from "../commands/navigation.js";
import { useWorkspace } from "./context.js";
import { flush, useLive } from "./rendering.js";

/** The message at the foot of the page. */
export function Notice() {
	const workspace = useWorkspace();
	const { message: cell } = workspace;
	const message = useLive(cell);
	useEffect(() => {
		if (message === null || message.isError || message.action !== undefined) return;
		const timer = setTimeout(() => cell.set(null), 6000);
		return () => clearTimeout(timer);
	}, [message]);
	const onClick = (event: MouseEvent) => {
		flush();
		// A user of keys goes back to the field, because the button may be gone.
		if (event.detail === 0 && isNowhere(workspace)) backToRows(workspace);
	};
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the buttons in it have the keys
		// biome-ignore lint/a11y/noStaticElementInteractions: it only follows up on its buttons
		<div
			class="notices"
			role={message?.isError ? "alert" : "status"}
			// The field keeps the focus.
			onMouseDown={(event) => event.preventDefault()}
			onClick={onClick}
		>
			{message !== null && (
				<div class={message.isError ? "notice error" : "notice"}>
					<span>{message.text}</span>
					{message.action && (
						<button type="button" onClick={message.action.run}>
							{message.action.label}
						</button>
					)}
					<button type="button" aria-label="Close" onClick={() => cell.set(null)}>
						×
					</button>
				</div>
			)}
		</div>
	);
}
