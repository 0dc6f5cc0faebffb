import { liveQuery } from "outlinekit/live";
import type { Replica, ReplicaConflict } from "outlinekit/sync";
import { useEffect, useRef, useState } from "preact/hooks";
import { goToNode } from "../commands/go.js";
import { closeDialog } from "../dialogs/frame.js";
import { Marked } from "../dialogs/highlight.js";
import { useEditor, useWorkspace } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import { addressOf } from "../workspace/place.js";
import { type Choice, type ConflictText, conflictText } from "./conflict-text.js";
import { wordsBeyond } from "./difference.js";
import { clockTime } from "./time.js";

interface Told extends ConflictText {
	readonly conflict: ReplicaConflict;
}

/** Follows the conflicts of a replica, with their texts. */
function useTold(replica: Replica): readonly Told[] {
	const { outline } = useWorkspace();
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
	return told;
}

/** The changes that gave way when two devices changed the same. The user keeps one of both, or both. */
export function ConflictList({ replica }: { readonly replica: Replica }) {
	const editor = useEditor();
	const told = useTold(replica);
	const section = useRef<HTMLElement>(null);
	useEffect(() => {
		// The button that was pressed is gone.
		if (document.activeElement === document.body) section.current!.focus();
	}, [told]);
	const closeAll = () =>
		void editor.do(async () => {
			for (const { conflict } of told) await replica.resolve(conflict.id, "shown");
		});
	return (
		<section ref={section} class="conflicts" tabIndex={-1} aria-labelledby="conflicts-title">
			<header>
				<h3 id="conflicts-title">Changed in two places at once</h3>
				{told.length > 1 && (
					<button type="button" class="quiet" title="Keep what shows now in all of them" onClick={closeAll}>
						Close all
					</button>
				)}
			</header>
			<ul>
				{told.map((each) => (
					<Conflict key={each.conflict.id} replica={replica} told={each} />
				))}
			</ul>
		</section>
	);
}

interface ConflictProps {
	readonly replica: Replica;
	readonly told: Told;
}

/** A conflict, and the ways out of it. */
function Conflict({ replica, told: { conflict, about, node, shown, other, canKeepBoth, left } }: ConflictProps) {
	const editor = useEditor();
	const { workspace } = editor;
	const { id, nodeId, field } = conflict;
	const choose = (choice: "shown" | "other") => void editor.do(() => replica.resolve(id, choice));
	const keepBoth = () =>
		void editor.do(async () => {
			const place =
				node === undefined ? ({ parent: null, position: "bottom" } as const) : { position: { after: nodeId } };
			const format = field === "name" ? "html" : "text";
			await workspace.outline.create({ name: String(conflict.other), format, ...place });
			await replica.resolve(id, "shown");
		});
	const go = (event: Event) => {
		event.preventDefault();
		closeDialog(workspace);
		void editor.run({ run: () => goToNode(workspace, node!.id) });
	};
	return (
		<li>
			<p>
				{about} <small>{clockTime(conflict.at)}</small>
				{node !== undefined && (
					<a href={addressOf(node.id)} onClick={go}>
						Show <span class="unseen">{node.name}</span>
					</a>
				)}
			</p>
			<div class="conflict-choices">
				<WayOut choice={shown} beside={other} onClick={() => choose("shown")} />
				{other && <WayOut choice={other} beside={shown} onClick={() => choose("other")} />}
			</div>
			{canKeepBoth && (
				<button type="button" class="quiet" onClick={keepBoth}>
					{left === undefined
						? "Keep both: the other text in a node below"
						: `Keep the other text in a node at the top level: “${left}”`}
				</button>
			)}
		</li>
	);
}

interface WayOutProps {
	readonly choice: Choice;
	/** The other choice, whose text it is compared with. */
	readonly beside: Choice | undefined;
	readonly onClick: () => void;
}

/** A choice of a conflict. In its text, the words that the other one doesn't have are marked. */
function WayOut({ choice: { label, text }, beside, onClick }: WayOutProps) {
	return (
		<button type="button" onClick={onClick}>
			<small>{label}</small>
			{text !== undefined && (
				<span dir="auto">
					<Marked text={text} stretches={beside?.text === undefined ? [] : wordsBeyond(text, beside.text)} />
				</span>
			)}
		</button>
	);
}
