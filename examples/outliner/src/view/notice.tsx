import { useEffect } from "preact/hooks";
import { useWorkspace } from "./context.js";
import { useLive } from "./rendering.js";

/** What a person is told at the foot of the page. */
export function Notice() {
	const { message: cell } = useWorkspace();
	const message = useLive(cell);
	useEffect(() => {
		if (message === null || message.isError || message.action !== undefined) return;
		const timer = setTimeout(() => cell.set(null), 6000);
		return () => clearTimeout(timer);
	}, [message]);
	return (
		<div class="notices" role={message?.isError ? "alert" : "status"}>
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
