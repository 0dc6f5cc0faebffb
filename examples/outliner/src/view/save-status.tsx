import { useWorkspace } from "./context.js";
import { Icon } from "./icon.js";
import { icons } from "./icons.js";
import { useLasting } from "./lasting.js";
import { useLive } from "./rendering.js";

/** Whether everything is saved. A save of less than a second shows no sign, so that typing is calm. */
export function SaveStatus() {
	const { saves } = useWorkspace();
	const state = useLive(saves.state);
	const isSlow = useLasting(state === "saving", 1000);
	if (typeof state === "object") {
		return (
			<button type="button" class="save failed" onClick={() => saves.retry()}>
				<Icon path={icons.alert} />
				<span class="unless-phone">Not saved: try again</span>
			</button>
		);
	}
	return (
		// No style depends on the state, which changes twice with each key: a change of style would take a frame.
		<output class="save" aria-live="polite" data-state={state} data-slow={isSlow}>
			<span class={isSlow ? "unless-phone" : "in-wide-windows"}>{isSlow ? "Saving…" : "Saved"}</span>
		</output>
	);
}
