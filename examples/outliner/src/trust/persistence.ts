import type { Workspace } from "../workspace/workspace.js";
import { tellWhenQuiet } from "./quiet.js";

/** So many nodes are something that one wants to keep. */
const enough = 20;

/**
 * Asks the user, once, whether the browser should keep the outline for ever. Asks the browser only if they
 * agree; it may ask them too. Does so only when the outline has nodes.
 */
export async function offerPersistence(workspace: Workspace): Promise<void> {
	const { outline, storage, preferences, message, connection } = workspace;
	if (connection !== null || preferences.choices.current.askedToPersist || (await storage.persisted())) return;
	const answered = () => preferences.choose({ askedToPersist: true });
	const persist = async () => {
		answered();
		if (await storage.persist()) {
			message.set({ text: "The browser keeps your outline until you delete it.", isError: false });
			return;
		}
		message.set({
			text: "The browser doesn’t promise that yet. Export a copy from time to time.",
			isError: false,
			action: { label: "Export", run: () => workspace.dialog.set({ type: "files", section: "export" }) },
		});
	};
	const ask = () =>
		tellWhenQuiet(
			message,
			{
				text: "Your outline is in this browser only, which may delete it when the disk is full. Keep it for good?",
				isError: false,
				action: { label: "Keep it", run: () => void persist().catch((error) => workspace.tell(error)) },
			},
			answered,
		);

	let nodes = 0;
	const unsubscribe = outline.subscribe(({ source, changes }) => {
		if (source !== "local") return;
		for (const { before, after } of changes) nodes += Number(after !== undefined) - Number(before !== undefined);
		if (nodes >= enough) start();
	});
	const start = () => {
		unsubscribe();
		ask();
	};
	for await (const _ of outline.export()) {
		nodes += 1;
		if (nodes < enough) continue;
		start();
		break;
	}
}
