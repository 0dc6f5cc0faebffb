import { liveQuery } from "outlinekit/live";
import type { Replica, ReplicaConflict } from "outlinekit/sync";
import { useEffect, useState } from "preact/hooks";
import { useEditor, useWorkspace } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import { type ConflictText, conflictText } from "./conflict-text.js";
import { clockTime } from "./time.js";

interface Told extends ConflictText {
	readonly conflict: ReplicaConflict;
}

/** What gave way when two devices changed the same. A click puts it back, or closes the matter. */
export function ConflictList({ replica }: { readonly replica: Replica }) {
	const { outline } = useWorkspace();
	const editor = useEditor();
	const { conflicts } = useLive(replica.status);
	const [told, setTold] = useState<readonly Told[]>([]);
	useEffect(() => {
		const query = liveQuery(outline, async () =>
			Promise.all(
				(await replica.conflicts()).map(async (conflict) => ({ conflict, ...(await conflictText(outline, conflict)) })),
			),
		);
		const stop = query.subscribe(() => setTold(query.current ?? []));
		void query.ready.then(() => setTold(query.current ?? []));
		return () => {
			stop();
			query.close();
		};
	}, [conflicts]);
	const choose = (id: string, choice: "shown" | "other") => void editor.do(() => replica.resolve(id, choice));
	return (
		<section>
			<h3>Changed in two places at once</h3>
			<ul class="conflicts">
				{told.map(({ conflict: { id, at }, about, shown, other }) => (
					<li key={id}>
						<p>
							{about} <small>{clockTime(at)}</small>
						</p>
						<div class="conflict-choices">
							<button type="button" onClick={() => choose(id, "shown")}>
								<small>{shown.label}</small>
								{shown.text !== undefined && <span dir="auto">{shown.text}</span>}
							</button>
							<button type="button" onClick={() => choose(id, "other")}>
								<small>{other.label}</small>
								{other.text !== undefined && <span dir="auto">{other.text}</span>}
							</button>
						</div>
					</li>
				))}
			</ul>
		</section>
	);
}
