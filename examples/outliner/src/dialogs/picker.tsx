import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Editor } from "../commands/editor.js";
import { useEditor } from "../view/context.js";
import { CloseButton } from "./frame.js";

/** One of the choices. */
export interface Choice {
	readonly key: string;
	/** The heading above the choice, shared with its neighbours. */
	readonly group?: string | undefined;
}

interface PickerProps<T extends Choice> {
	readonly label: string;
	readonly placeholder: string;
	readonly query: string;
	readonly onQuery: (query: string) => void;
	readonly choices: readonly T[];
	/** Whether the choices are still for another query. */
	readonly pending?: boolean;
	/** The result in words. Shows if there are no choices. */
	readonly status: string;
	/** Renders a choice. */
	readonly children: (choice: T) => ComponentChildren;
	/** `otherwise`: with Shift or Ctrl held. */
	readonly onChoose: (choice: T, otherwise: boolean) => void;
	readonly foot?: ComponentChildren;
}

/** The number of choices that PageUp and PageDown move by. */
const page = 8;

/** A line to write in above a list to choose from. The keys of the list work while one writes. */
export function Picker<T extends Choice>(props: PickerProps<T>) {
	const { label, placeholder, query, onQuery, choices, pending = false, status, children, onChoose, foot } = props;
	const [activeKey, setActiveKey] = useState<string>();
	const id = useId();
	const editor = useEditor();
	const found = choices.findIndex(({ key }) => key === activeKey);
	const active = Math.max(0, found);
	const early = useEarlyEnter(pending, (otherwise) => choices[0] && onChoose(choices[0], otherwise));
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.isComposing) return;
		const otherwise = isOtherwise(event);
		if (event.key === "Enter") {
			event.preventDefault();
			if (pending) early.wait(otherwise);
			else if (choices[active] !== undefined) onChoose(choices[active], otherwise);
			return;
		}
		const next = otherwise ? undefined : moved(event.key, active, choices.length);
		if (next === undefined) return;
		event.preventDefault();
		setActiveKey(choices[next]?.key);
	};
	return (
		<div class="picker" onKeyDownCapture={(event) => hold(editor, event)}>
			<div class="picker-line">
				<input
					type="text"
					role="combobox"
					aria-label={label}
					aria-expanded={choices.length > 0}
					aria-controls={`${id}list`}
					aria-activedescendant={choices.length > 0 ? `${id}${active}` : undefined}
					aria-autocomplete="list"
					autocomplete="off"
					spellcheck={false}
					enterkeyhint="go"
					placeholder={placeholder}
					value={query}
					onInput={({ currentTarget }) => {
						setActiveKey(undefined);
						early.stop();
						onQuery(currentTarget.value);
					}}
					onKeyDown={onKeyDown}
				/>
				<CloseButton />
			</div>
			<List {...{ id, label, choices, active, onChoose }} onPoint={({ key }) => setActiveKey(key)}>
				{children}
			</List>
			<p class={choices.length === 0 ? "picker-status" : "unseen"} role="status">
				{pending ? "" : status}
			</p>
			{foot && <footer class="picker-foot">{foot}</footer>}
		</div>
	);
}

interface ListProps<T extends Choice> extends Pick<PickerProps<T>, "label" | "choices" | "children" | "onChoose"> {
	/** The beginning of the ids of its elements. */
	readonly id: string;
	/** The place of the choice that Enter would take. */
	readonly active: number;
	/** The mouse is on a choice. */
	readonly onPoint: (choice: T) => void;
}

function List<T extends Choice>({ id, label, choices, active, children, onChoose, onPoint }: ListProps<T>) {
	const list = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		const option = list.current!.querySelector('[aria-selected="true"]');
		// With the first one its heading comes into sight.
		if (active === 0) list.current!.scrollTop = 0;
		else option?.scrollIntoView({ block: "nearest" });
	}, [active, choices]);
	return (
		<div ref={list} class="picker-list" role="listbox" id={`${id}list`} aria-label={label}>
			{grouped(choices).map(({ name, members, first }) => (
				// biome-ignore lint/a11y/useSemanticElements: it groups the options of a list box, which no fieldset may hold
				<div key={name ?? ""} role="group" aria-label={name ?? label}>
					{name !== undefined && (
						<div class="picker-heading" role="presentation">
							{name}
						</div>
					)}
					{members.map((choice, place) => (
						// biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the line above, which tells the active choice
						// biome-ignore lint/a11y/useKeyWithClickEvents: the line above has the keys
						<div
							key={choice.key}
							id={`${id}${first + place}`}
							class="choice"
							role="option"
							aria-selected={first + place === active}
							onMouseDown={(event) => event.preventDefault()}
							onMouseMove={() => onPoint(choice)}
							onClick={(event) => onChoose(choice, isOtherwise(event))}
						>
							{children(choice)}
						</div>
					))}
				</div>
			))}
		</div>
	);
}

/**
 * Keeps an Enter that comes before the choices that it is about. The keys behind it wait too.
 *
 * @param choose - takes the first choice
 */
function useEarlyEnter(pending: boolean, choose: (otherwise: boolean) => void) {
	const editor = useEditor();
	const waiting = useRef<{ readonly otherwise: boolean; readonly done: () => void } | undefined>(undefined);
	const stop = () => {
		waiting.current?.done();
		waiting.current = undefined;
	};
	const wait = (otherwise: boolean) => {
		const answered = new Promise<void>((done) => {
			waiting.current = { otherwise, done };
		});
		void editor.run({ settles: false, run: () => answered });
	};
	useEffect(() => {
		if (pending || waiting.current === undefined) return;
		const { otherwise, done } = waiting.current;
		waiting.current = undefined;
		// This may run during a rendering, and a dialog that closes would stay until its end.
		queueMicrotask(() => {
			choose(otherwise);
			done();
		});
	});
	useEffect(() => stop, []);
	return { wait, stop };
}

/** Keeps a key while a command runs. */
function hold(editor: Editor, event: KeyboardEvent): void {
	// Escape is the way out, however long something takes, and of what was typed here meanwhile. But behind an Escape that
	// has been held itself, the held keys are for the rows.
	if (event.key === "Escape" && event.isTrusted) editor.forgetKeys();
	else if (editor.holds(event)) event.stopPropagation();
}

/** Whether a key or a click means the other thing that one can do with a choice. */
function isOtherwise({ shiftKey, ctrlKey, metaKey }: KeyboardEvent | MouseEvent): boolean {
	return shiftKey || ctrlKey || metaKey;
}

/** The index in a list that a key leads to; undefined for any other key. */
function moved(key: string, from: number, count: number): number | undefined {
	switch (key) {
		case "ArrowDown":
			return from + 1 < count ? from + 1 : 0;
		case "ArrowUp":
			return from > 0 ? from - 1 : count - 1;
		case "PageDown":
			return Math.min(from + page, count - 1);
		case "PageUp":
			return Math.max(from - page, 0);
		case "Home":
			return 0;
		case "End":
			return count - 1;
		default:
			return undefined;
	}
}

interface Group<T> {
	readonly name: string | undefined;
	readonly members: T[];
	/** The place of its first member among all choices. */
	readonly first: number;
}

/** Neighbours of the same group, together. */
function grouped<T extends Choice>(choices: readonly T[]): Group<T>[] {
	const groups: Group<T>[] = [];
	for (const [place, choice] of choices.entries()) {
		const last = groups.at(-1);
		if (last !== undefined && last.name === choice.group) last.members.push(choice);
		else groups.push({ name: choice.group, members: [choice], first: place });
	}
	return groups;
}
