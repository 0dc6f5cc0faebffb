import { activeField } from "../text/field.js";
import { insertLink } from "../text/linking.js";
import { useEditor } from "../view/context.js";
import { originIdOf } from "../workspace/node.js";
import { addressOf } from "../workspace/place.js";
import type { Found } from "./found.js";
import { RequestDialog } from "./request.js";

/** The key of the choice that creates a node. */
const newKey = "new node";

/** Finds a node, or creates one in the inbox, and puts a link to it at the caret. */
export function LinkDialog() {
	const editor = useEditor();
	const { outline, focusedNode } = editor.workspace;
	const link = (id: string, name: string) => {
		const field = activeField();
		// Each device has the page at another address, so the link has only the place within it.
		if (field !== null) insertLink(field, addressOf(id), name);
	};
	const create = async (name: string) => {
		const { id } = await outline.create({ parent: "inbox", name, format: "text" });
		link(id, name);
	};
	return (
		<RequestDialog
			label="Link to a node"
			placeholder="Link to…"
			request="[["
			effect="insert a link"
			without={focusedNode === null ? undefined : originIdOf(focusedNode)}
			creates={newNode}
			onChoose={({ key, ref, node, name }) => {
				if (key === newKey) void editor.do(() => create(ref));
				else if (node !== undefined) link(originIdOf(node), name);
			}}
		/>
	);
}

/** The choice that creates a node with a name. */
function newNode(name: string): Found {
	return { key: newKey, group: "New", ref: name, name: `New node “${name}” in the Inbox`, path: [] };
}
