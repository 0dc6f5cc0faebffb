import { mirrorAt } from "../commands/mirror.js";
import { useEditor } from "../view/context.js";
import { RequestDialog } from "./request.js";

/** Finds a node and puts a mirror of it at a row. */
export function MirrorDialog({ rowKey }: { readonly rowKey: string }) {
	const editor = useEditor();
	const { workspace } = editor;
	return (
		<RequestDialog
			label="Mirror a node here"
			placeholder="Mirror of…"
			request="(("
			effect="insert a mirror: one node in both places"
			onChoose={({ ref }) => void editor.run({ run: () => mirrorAt(workspace, rowKey, ref) })}
		/>
	);
}
