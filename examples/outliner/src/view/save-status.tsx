import { useWorkspace } from "./context.js";
import { useLive } from "./rendering.js";

/** Whether everything is saved. */
export function SaveStatus() {
	const { saves } = useWorkspace();
	const state = useLive(saves.state);
	if (typeof state === "object") {
		return (
			<button type="button" class="save failed" onClick={() => saves.retry()}>
				Not saved: try again
			</button>
		);
	}
	return (
		<output class={`save ${state}`} aria-live="polite">
			<span class="save-name">{state === "saved" ? "Saved" : "Saving…"}</span>
		</output>
	);
}
