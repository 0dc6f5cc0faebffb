import { activeField } from "../text/field.js";
import { insertLink } from "../text/linking.js";
import { originIdOf } from "../workspace/node.js";
import { addressOf } from "../workspace/place.js";
import { RequestDialog } from "./request.js";

/** Finds a node and puts a link to it at the caret. */
export function LinkDialog() {
	return (
		<RequestDialog
			label="Link to a node"
			placeholder="Link to…"
			request="[["
			effect="insert a link"
			onChoose={({ node, name }) => {
				const field = activeField();
				// Each device has the page at another address, so the link has only the place within it.
				if (field !== null && node !== undefined) insertLink(field, addressOf(originIdOf(node)), name);
			}}
		/>
	);
}
