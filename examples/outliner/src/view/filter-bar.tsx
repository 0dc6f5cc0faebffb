import "./filter-bar.css";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Filter } from "../filter/filter.js";
import { useEditor, useWorkspace } from "./context.js";
import { useLive } from "./rendering.js";

/** The line in which one writes a query while the outline shows its hits only. */
export function FilterBar() {
	const { workspace } = useEditor();
	const filter = useLive(workspace.filter);
	return filter && <Bar filter={filter} />;
}

interface BarProps {
	readonly filter: Filter;
}

function Bar({ filter }: BarProps) {
	const { workspace } = useEditor();
	const { rows, focus } = workspace;
	const leaveRows = () => workspace.leaveRows();
	const input = useRef<HTMLInputElement>(null);
	useLayoutEffect(() => {
		leaveRows();
		// A saved search is there to be read: a keyboard would come up over its hits.
		if (filter.query === "" || matchMedia("(pointer: fine)").matches) input.current!.focus();
	}, []);
	const end = () => {
		void workspace.filterBy(null).then(
			() => workspace.resume(),
			(error) => workspace.tell(error),
		);
	};
	const leave = (event: KeyboardEvent) => {
		if (event.isComposing || event.key !== "Escape") return;
		event.preventDefault();
		event.stopPropagation();
		end();
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.isComposing) return;
		const first = rows.current.rows.find(({ node }) => filter.hits.has(node.id));
		if ((event.key !== "Enter" && event.key !== "ArrowDown") || first === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		focus.set({ key: first.key, field: "name", caret: "end" });
	};
	return (
		<search class="filter" onKeyDown={leave}>
			<input
				ref={input}
				type="search"
				aria-label="Filter"
				placeholder="Words, #tag, is:todo, created:7d…"
				value={filter.query}
				autocomplete="off"
				autocapitalize="off"
				spellcheck={false}
				onInput={({ currentTarget }) => {
					currentTarget.dataset.typed = "";
					void workspace.filterBy(currentTarget.value).catch((error) => workspace.tell(error));
				}}
				onFocus={leaveRows}
				onBlur={({ currentTarget }) => delete currentTarget.dataset.typed}
				onKeyDown={onKeyDown}
			/>
			<output aria-live="polite">{filter.status}</output>
			<SaveButton filter={filter} />
			<button type="button" class="quiet" onClick={end}>
				Show all
			</button>
		</search>
	);
}

function SaveButton({ filter }: BarProps) {
	const { dialog } = useWorkspace();
	return (
		<button
			type="button"
			class="quiet"
			disabled={filter.query.trim() === ""}
			title="Save this search in the sidebar"
			onClick={() => dialog.set({ type: "save-search" })}
		>
			Save
		</button>
	);
}
