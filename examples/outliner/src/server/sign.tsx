import "./server.css";
import { useWorkspace } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import type { Connection } from "../workspace/connection.js";
import { clockTime } from "./time.js";

/** Tells whether the server has everything, and opens what there is to know about it. Nothing without a server. */
export function ServerSign() {
	const { connection } = useWorkspace();
	return connection && <Sign connection={connection} />;
}

function Sign({ connection }: { readonly connection: Connection }) {
	const { dialog } = useWorkspace();
	const { phase, pending, oldestPendingAt, conflicts } = useLive(connection.replica.status);
	const since = oldestPendingAt === null ? "" : ` since ${clockTime(oldestPendingAt)}`;
	const waiting = pending === 0 ? "" : `, ${pending} ${pending === 1 ? "waits" : "wait"}${since}`;
	const [kind, text] =
		phase === "refused"
			? ["refused", "Not accepted"]
			: phase === "offline"
				? ["offline", `Offline${waiting}`]
				: pending > 0
					? ["sending", "Saved here, sending…"]
					: ["sent", "Synced"];
	return (
		<button type="button" class={`sync ${kind}`} onClick={() => dialog.set({ type: "server" })}>
			<output aria-live="polite">{text}</output>
			{conflicts > 0 && (
				<span class="sync-conflicts">
					{conflicts} {conflicts === 1 ? "conflict" : "conflicts"}
				</span>
			)}
		</button>
	);
}
