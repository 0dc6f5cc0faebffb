import "./trash.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { DialogFrame } from "../dialogs/frame.js";
import { clockTime } from "../server/time.js";
import { nodes } from "../text/count.js";
import { useEditor } from "../view/context.js";
import type { Focus } from "../workspace/focus.js";
import type { Workspace } from "../workspace/workspace.js";
import { entriesInTrash } from "./listing.js";
import { putBack } from "./putting-back.js";
import { type TrashEntry, TrashStore } from "./store.js";

/** The most entries that show at first. */
const shownAtFirst = 100;

/** The deleted nodes of the last thirty days, the newest first, and the way to put them back. */
export function TrashDialog() {
	const editor = useEditor();
	const { workspace } = editor;
	const [trash] = useState(() => new TrashStore());
	const [entries, setEntries] = useState<readonly TrashEntry[]>();
	const [said, say] = useState("");
	const body = useRef<HTMLDivElement>(null);
	/** Where the caret goes when this is closed, if not back. */
	const next = useRef<Focus | null>(null);
	const load = async () => {
		setEntries(await entriesInTrash(workspace.outline, trash));
		// The button that was pressed may be gone.
		if (document.activeElement === document.body) body.current?.focus();
	};
	useEffect(() => void load().catch((error) => workspace.tell(error)), []);

	const run = (work: () => Promise<string>) =>
		editor.do(async () => {
			say(await work());
			await load();
		});
	const restore = (entry: TrashEntry) =>
		run(async () => {
			const { outcome, key } = await takeOut(workspace, trash, entry);
			if (key !== undefined) next.current = { key, field: "name", caret: "end" };
			return outcome;
		});
	const remove = (entry: TrashEntry) =>
		run(async () => {
			await trash.remove([entry.id]);
			return `“${entry.name}” is deleted for ever.`;
		});
	const empty = () =>
		run(async () => {
			await trash.empty();
			return "The trash is empty.";
		});
	return (
		<DialogFrame label="Trash" titled next={next}>
			<div ref={body} class="trash" tabIndex={-1}>
				<p class="hint">
					What is deleted, here or on another device, stays in this browser for thirty days. Then it is deleted for
					ever, and earlier if it takes too much room.
				</p>
				<p role="status" class="trash-said">
					{said}
				</p>
				{entries !== undefined && (
					<Entries
						entries={entries}
						onRestore={(entry) => void restore(entry)}
						onRemove={(entry) => void remove(entry)}
						onEmpty={() => void empty()}
					/>
				)}
			</div>
		</DialogFrame>
	);
}

/** Puts an entry back. Returns the outcome in words, and the key of its first row. */
async function takeOut(
	workspace: Workspace,
	trash: TrashStore,
	entry: TrashEntry,
): Promise<{ readonly outcome: string; readonly key?: string | undefined }> {
	// An undo in another tab may have brought it back since the list was made.
	await entriesInTrash(workspace.outline, trash);
	const file = await trash.file(entry.id);
	if (file === undefined) return { outcome: `“${entry.name}” isn’t in the trash any more.` };
	const { rootIds, isElsewhere } = await putBack(workspace, () => file, entry);
	await trash.remove([entry.id]);
	const where = isElsewhere ? " at the end of the top level, because its place is gone" : "";
	return { outcome: `“${entry.name}” is back${where}.`, key: rootIds[0] };
}

interface EntriesProps {
	readonly entries: readonly TrashEntry[];
	readonly onRestore: (entry: TrashEntry) => void;
	readonly onRemove: (entry: TrashEntry) => void;
	readonly onEmpty: () => void;
}

function Entries({ entries, onRestore, onRemove, onEmpty }: EntriesProps) {
	const [shown, setShown] = useState(shownAtFirst);
	if (entries.length === 0) return <p>There is nothing in the trash.</p>;
	return (
		<>
			<ul>
				{entries.slice(0, shown).map((entry) => (
					<li key={entry.id}>
						<Entry entry={entry} onRestore={() => onRestore(entry)} onRemove={() => onRemove(entry)} />
					</li>
				))}
			</ul>
			{entries.length > shown && (
				<button type="button" class="trash-button" onClick={() => setShown(shown + shownAtFirst)}>
					Show more
				</button>
			)}
			<Asking label="Empty the trash…" question="Delete all of it for ever?" answer="Yes, empty it" onYes={onEmpty} />
		</>
	);
}

interface EntryProps {
	readonly entry: TrashEntry;
	readonly onRestore: () => void;
	readonly onRemove: () => void;
}

function Entry({ entry, onRestore, onRemove }: EntryProps) {
	const { name, rootIds, path, deletedAt } = entry;
	return (
		<>
			<div class="trash-texts">
				<span class="trash-name" dir="auto">
					{name}
				</span>
				{rootIds.length > 1 && <span> and {(rootIds.length - 1).toLocaleString("en")} more beside it</span>}
				<small>
					{nodes(entry.nodes)}, deleted {clockTime(deletedAt / 1000)},{" "}
					{path.length === 0 ? (
						"at the top level"
					) : (
						<>
							from <span dir="auto">{path.join(" › ")}</span>
						</>
					)}
				</small>
			</div>
			<div class="trash-actions">
				<button type="button" class="trash-button" aria-label={`Put back “${name}”`} onClick={onRestore}>
					Put back
				</button>
				<Asking
					label="Delete for ever…"
					about={name}
					question="You can’t restore it then."
					answer="Yes, delete it for ever"
					onYes={onRemove}
				/>
			</div>
		</>
	);
}

interface AskingProps {
	readonly label: string;
	/** The name of the thing that the button is about, for screen readers. */
	readonly about?: string;
	readonly question: string;
	readonly answer: string;
	readonly onYes: () => void;
}

/** A button that asks before it does something that can't be undone. */
function Asking({ label, about, question, answer, onYes }: AskingProps) {
	const [asks, setAsks] = useState(false);
	const no = useRef<HTMLButtonElement>(null);
	useEffect(() => {
		if (asks) no.current!.focus();
	}, [asks]);
	if (!asks) {
		return (
			<button
				type="button"
				class="trash-button"
				aria-label={about && `${label} “${about}”`}
				onClick={() => setAsks(true)}
			>
				{label}
			</button>
		);
	}
	return (
		<span class="trash-question">
			<span>{question}</span>
			<button
				type="button"
				class="trash-button danger"
				onClick={() => {
					setAsks(false);
					onYes();
				}}
			>
				{answer}
			</button>
			<button ref={no} type="button" class="trash-button" onClick={() => setAsks(false)}>
				No, keep it
			</button>
		</span>
	);
}
