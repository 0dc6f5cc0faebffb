import { useState } from "preact/hooks";
import { goToNode } from "../commands/go.js";
import { placesOf } from "../commands/mirror.js";
import { wordsOf } from "../text/words.js";
import { useEditor } from "../view/context.js";
import { useQuery } from "../view/query.js";
import { foundNode } from "./found.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { FoundView } from "./node-picker.js";
import { Picker } from "./picker.js";

/** The places that show a node, to go to one of them. */
export function PlacesDialog({ id }: { readonly id: string }) {
	const editor = useEditor();
	const { workspace } = editor;
	const [query, setQuery] = useState("");
	const places = useQuery(
		async (outline) => {
			const [origin, ...mirrors] = await placesOf(outline, id);
			return Promise.all([
				foundNode(outline, origin!, "Origin"),
				...mirrors.map((mirror) => foundNode(outline, mirror, "Mirrors")),
			]);
		},
		[id],
	);
	const words = wordsOf(query);
	const shown = (places ?? []).filter(({ name, path }) => {
		const texts = [name, ...path].map((text) => text.toLowerCase());
		return words.every((word) => texts.some((text) => text.includes(word)));
	});
	return (
		<DialogFrame label="Places of this node">
			<Picker
				label="Places of this node"
				placeholder="Find a place"
				query={query}
				onQuery={setQuery}
				choices={shown}
				pending={places === undefined}
				status={shown.length === 0 ? "No place matches." : `${shown.length} places`}
				onChoose={({ ref }) => {
					closeDialog(workspace);
					void editor.run({ run: () => goToNode(workspace, ref) });
				}}
			>
				{(found) => <FoundView found={found} words={words} />}
			</Picker>
		</DialogFrame>
	);
}
