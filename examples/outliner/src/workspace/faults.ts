import type { Outline } from "outlinekit";
import { codeOf } from "../text/error-code.js";
import type { Cell } from "./cell.js";
import type { Dialog } from "./dialog.js";
import type { Message } from "./message.js";

/** The parts of the workspace that the actions in messages use. */
interface Remedies {
	readonly outline: Outline;
	readonly dialog: Cell<Dialog | null>;
	readonly message: Cell<Message | null>;
	tell(error: unknown): void;
}

/** The message if the storage can't be reached. */
export const withoutAccess = "The browser can’t read the outline any more. It may have deleted the data of this page.";

/** The message for the user about an error: its effect for them, and the possible next steps. */
export function faultMessage(error: unknown, remedies: Remedies): Message {
	const { dialog, message, outline } = remedies;
	const text = error instanceof Error ? error.message : String(error);
	switch (codeOf(error)) {
		case "quota_exceeded":
			return {
				text: "Nothing was changed: there is no room left for the outline in this browser.",
				isError: true,
				action: { label: "Export now", run: () => dialog.set({ type: "files", section: "export" }) },
			};
		case "storage_unavailable":
			return {
				text: `Nothing was changed. ${withoutAccess}`,
				isError: true,
				action: { label: "Reload", run: () => location.reload() },
			};
		case "conflict":
			return { text: "Nothing was changed: other tabs kept changing the outline. Try again.", isError: true };
		case "edit_conflict":
			return {
				text: "Nothing was changed: another tab or device has changed the same text. Try again.",
				isError: true,
			};
		case "not_found":
			return { text: "Another tab or device has deleted a node that this needs. Try again.", isError: true };
		case "would_create_cycle":
			return {
				text: "Nothing was changed: a node can’t go below itself, nor a mirror directly below its origin.",
				isError: true,
			};
		case "undo_blocked":
			return {
				text: "Nothing was undone: another device or program has changed the same since.",
				isError: true,
				action: {
					label: "Forget the steps so far",
					run: () => {
						message.set(null);
						void outline.clearHistory().catch((failed) => remedies.tell(failed));
					},
				},
			};
		default:
			return { text, isError: true };
	}
}
