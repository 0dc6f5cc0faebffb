import { useRef, useState } from "preact/hooks";
import { DialogFrame } from "../dialogs/frame.js";
import { LineForm } from "../dialogs/line-form.js";
import { useEditor, useWorkspace } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import type { Connection } from "../workspace/connection.js";
import { serverIn } from "./address.js";
import { ConflictList } from "./conflict-list.js";
import { changeServer } from "./connection.js";
import { clockTime } from "./time.js";

/** The server of this device: how far both are the same, the conflicts, and the way to connect or to leave. */
export function ServerDialog() {
	const { connection } = useWorkspace();
	return (
		<DialogFrame label={connection === null ? "Connect with a server" : "Server"} titled>
			<div class="server">
				{connection === null ? (
					<>
						<p>
							This outline is in this browser only. With a server of your own, all your devices have it, and each works
							offline too. What you have written here is added to it.
						</p>
						<LinkForm label="The link or the key that the server shows when it starts" action="Connect" />
					</>
				) : (
					<Connected connection={connection} />
				)}
			</div>
		</DialogFrame>
	);
}

function Connected({ connection }: { readonly connection: Connection }) {
	const workspace = useWorkspace();
	const editor = useEditor();
	const { server, replica } = connection;
	const { phase, pending, oldestPendingAt, lastSyncedAt, error, conflicts } = useLive(replica.status);
	const [leaves, setLeaves] = useState(false);
	// The form stays during the next attempt, with what the user has typed into it.
	const asksForKey = useRef(false);
	if (phase === "refused") asksForKey.current = true;
	else if (phase === "idle") asksForKey.current = false;
	const { host } = new URL(server.url);
	return (
		<>
			<p class="server-state" role="status">
				{pending > 0
					? `Your changes since ${clockTime(oldestPendingAt!)} are saved here, and not yet at ${host}.`
					: lastSyncedAt === null
						? `This device hasn’t synced with ${host} yet.`
						: `Everything is saved here and at ${host}.`}{" "}
				{lastSyncedAt !== null && `Last change sent or received: ${clockTime(lastSyncedAt)}.`}
			</p>
			{error !== null && (
				<p class="problem" role="alert">
					{reasonOf(error.code, error.message)}
				</p>
			)}
			{asksForKey.current && <LinkForm label="The new link or key of the server" action="Use it" />}
			{conflicts > 0 && <ConflictList replica={replica} />}
			<div class="server-actions">
				<button type="button" class="primary" onClick={() => void replica.sync().catch(() => {})}>
					Sync now
				</button>
				{leaves ? (
					<button type="button" class="quiet" onClick={() => void editor.do(() => changeServer(workspace, null))}>
						Yes, keep the outline in this browser only
						{pending > 0 && ", with the unsent changes"}
					</button>
				) : (
					<button type="button" class="quiet" onClick={() => setLeaves(true)}>
						Disconnect…
					</button>
				)}
			</div>
		</>
	);
}

/** Takes the link to a server, and connects this device with it. */
function LinkForm({ label, action }: { readonly label: string; readonly action: string }) {
	const workspace = useWorkspace();
	const submit = async (text: string) => {
		const server = serverIn(text);
		if (server === undefined) throw new Error("This is neither a link such as https://notes.example/#key=… nor a key.");
		await changeServer(workspace, server);
	};
	return <LineForm label={label} placeholder="http://…/#key=…" action={action} onSubmit={submit} />;
}

/** The effect of an error for the user, and what to do. */
function reasonOf(code: string, message: string): string {
	switch (code) {
		case "storage_unavailable":
			return "The server can’t be reached now. Everything is saved here, and goes out when it can be reached again.";
		case "unauthorized":
			return "The server doesn’t accept the key of this device. Nothing is lost. Open its new link, or enter it here.";
		case "wrong_outline":
			return "The server has another outline than this device had before. Nothing was changed on either side. Disconnect first if you want to put them together.";
		default:
			return message;
	}
}
