import "./server.css";
import type { Replica, ReplicaStatus } from "outlinekit/sync";
import { useEffect, useRef } from "preact/hooks";
import { nodes } from "../text/count.js";
import { useWorkspace } from "../view/context.js";
import { Icon } from "../view/icon.js";
import { icons } from "../view/icons.js";
import { useLasting } from "../view/lasting.js";
import { useLive } from "../view/rendering.js";
import type { Connection } from "../workspace/connection.js";
import { useUnsentNodes } from "./unsent.js";

/** Tells whether the server has everything, and opens what there is to know about it. Nothing without a server. */
export function ServerSign() {
	const { connection } = useWorkspace();
	return connection && <Sign connection={connection} />;
}

function Sign({ connection: { replica } }: { readonly connection: Connection }) {
	const { dialog, outline } = useWorkspace();
	const { phase, pending, conflicts, lastSyncedAt, error } = useLive(replica.status);
	/** The phase before the exchange that runs: a sign that follows each attempt would flicker. */
	const settled = useRef(phase);
	if (phase !== "syncing") settled.current = phase;
	const isSlow = useLasting(pending > 0, 1000);
	// In the other phases the error tells of the server.
	const kind = settled.current === "idle" && error !== null ? "failed" : kindOf(settled.current, isSlow);
	useEffect(() => followNetwork(replica), [replica]);
	const asksAtOnce = kind === "refused" && lastSyncedAt === null;
	useEffect(() => {
		// The page of a device that has nothing of the server yet is empty, and doesn't tell why.
		if (asksAtOnce && dialog.current === null) dialog.set({ type: "server" });
	}, [asksAtOnce]);
	const unsent = useUnsentNodes(outline, pending);
	const changes = unsent === undefined ? "changes" : nodes(unsent);
	const words = {
		refused: "Not accepted",
		failed: "Can’t save",
		offline: pending === 0 ? "Offline" : `Offline, ${changes} to send`,
		sending: "Sending…",
		sent: "Synced",
	};
	return (
		<button
			type="button"
			class={`sync ${kind}`}
			data-pending={pending}
			title="What the server has"
			onClick={() => dialog.set({ type: "server" })}
		>
			<Icon path={kind === "refused" || kind === "failed" ? icons.alert : icons[kind]} />
			<output class="unless-phone" aria-live="polite">
				{words[kind]}
			</output>
			{kind === "offline" && pending > 0 && conflicts === 0 && (
				<span class="sync-count" aria-hidden="true">
					{unsent === undefined ? "•" : unsent > 99 ? "99+" : unsent}
				</span>
			)}
			{conflicts > 0 && (
				<span class="sync-conflicts">
					{conflicts}
					<span class="unless-phone"> {conflicts === 1 ? "conflict" : "conflicts"}</span>
				</span>
			)}
		</button>
	);
}

/** Syncs when the network has gone or come: an idle page sends nothing, and so would notice late. */
function followNetwork(replica: Replica): () => void {
	const ended = new AbortController();
	const attempt = () => {
		if (!ended.signal.aborted) replica.sync().catch(() => {});
	};
	const twice = () => {
		attempt();
		// The browser may let the first request through while it cuts the network off.
		setTimeout(attempt, 1000);
	};
	for (const type of ["offline", "online"]) addEventListener(type, twice, { signal: ended.signal });
	return () => ended.abort();
}

function kindOf(phase: ReplicaStatus["phase"], isSlow: boolean): "refused" | "offline" | "sending" | "sent" {
	if (phase === "refused" || phase === "offline") return phase;
	return isSlow ? "sending" : "sent";
}
