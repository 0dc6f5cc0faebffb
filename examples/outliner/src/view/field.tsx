import "./text.css";
import type { OutlineNode } from "outlinekit";
import type { RefObject, TargetedMouseEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { hasMod } from "../commands/keyboard.js";
import { following } from "../commands/link.js";
import { dropHolds, placeBehind, releaseCaret, withSelection } from "../text/caret.js";
import { hasEditedDate, showDatesInWords } from "../text/date-label.js";
import { forgetFormatting, formattedIn } from "../text/formatting.js";
import { fragmentOf, showFragment, showText } from "../text/fragment.js";
import { linkAround } from "../text/link.js";
import { linkTyped } from "../text/linking.js";
import { hasLostStyles, paint, unpaint } from "../text/painting.js";
import { type Piece, pieceAt } from "../text/pieces.js";
import { asksFor, asksForMenu } from "../text/request.js";
import { finishedMarkdown, typedLayout } from "../text/shortcuts.js";
import { replaceStyles } from "../text/toggle-format.js";
import type { TextField } from "../workspace/saves.js";
import { useEditor, useWorkspace } from "./context.js";
import { useOffers } from "./offer-list.js";
import { useDerived } from "./rendering.js";

/** The node, the row and the labels of a field. */
interface FieldProps {
	readonly node: OutlineNode;
	/** Of its row. */
	readonly rowKey: string;
	readonly field: TextField;
	/** The name of the field for screen readers. */
	readonly label: string;
	/** The ids of its element, of the element with its name in place of the label, and of one that says more. */
	readonly ids?: { readonly own: string; readonly label: string; readonly more: string | undefined };
	readonly placeholder?: string | undefined;
	/** The words of the query that has found the node, to highlight. */
	readonly found?: readonly string[];
}

type FieldMouseEvent = TargetedMouseEvent<HTMLElement>;

const noWords: readonly string[] = [];

/** The field for the name or the note of a node. Stores typed text at once. */
export function Field({ node, rowKey, field, label, ids, placeholder, found = noWords }: FieldProps) {
	const { focus, selection } = useWorkspace();
	const ref = useRef<HTMLDivElement>(null);
	const isCode = node.layoutMode === "code-block" && field === "name";
	const isPlain = field === "note" || node.layoutMode === "code-block";
	const text = useText(ref, { node, field, isPlain, found });
	const offers = useOffers(ref, !isPlain);
	const onInput = useInput(ref, { node, rowKey, isCode, isPlain, text, offers });
	const mouse = useMouse();
	return (
		<>
			{/* biome-ignore lint/a11y/useSemanticElements: the text has bold words and links in it, which no input can show */}
			<div
				ref={ref}
				id={ids?.own}
				class={field}
				role="textbox"
				tabIndex={0}
				aria-label={ids === undefined ? label : undefined}
				aria-labelledby={ids?.label}
				aria-describedby={ids?.more}
				aria-multiline={isPlain}
				contentEditable={isPlain ? "plaintext-only" : true}
				dir={isCode ? "ltr" : "auto"}
				spellcheck={node.layoutMode !== "code-block"}
				{...offers.aria}
				data-field={field}
				data-key={rowKey}
				data-placeholder={placeholder}
				onInput={onInput}
				onCompositionStart={() => text.compose(true)}
				onCompositionEnd={() => text.compose(false)}
				onFocus={() => {
					selection.set(null);
					const { current } = focus;
					if (current?.key !== rowKey || current.field !== field) focus.set({ key: rowKey, field });
				}}
				{...mouse}
				onKeyDown={offers.onKeyDown}
				onBlur={({ currentTarget }) => {
					dropHolds(currentTarget);
					offers.close();
					// The words of a date may have another day of the week now, or be a text.
					if (hasEditedDate(currentTarget)) text.showStored();
				}}
				onBeforeInput={(event: InputEvent) => {
					// The browser's own undo differs from the outline's.
					if (event.inputType.startsWith("history")) event.preventDefault();
				}}
			/>
			{offers.list}
		</>
	);
}

interface TextProps extends Pick<FieldProps, "node" | "field"> {
	/** Whether the text has no formatting. */
	readonly isPlain: boolean;
	readonly found: readonly string[];
}

/** The text of a field: shows the stored text, and keeps the typed one. */
function useText(ref: RefObject<HTMLDivElement | null>, { node, field, isPlain, found }: TextProps) {
	const { saves } = useEditor().workspace;
	const stored = (field === "name" ? node.name : node.note) ?? "";
	const textNow = () => saves.draft(node.id, field) ?? stored;
	const text = useDerived(saves.changes, textNow);
	/** The text in here, that showed last, or that the user has typed since. */
	const shown = useRef("");
	const isComposing = useRef(false);

	// The browser changes the element by itself, so this sets the text only if it differs.
	const update = () => {
		// Otherwise the browser would forget what it composes.
		if (isComposing.current) return;
		const element = ref.current!;
		const next = textNow();
		shown.current = next;
		if (read(element, field) === next && (isPlain || element.querySelector("br") === null || next === "")) return;
		withSelection(element, () => show(element, next, field, isPlain));
	};
	useLayoutEffect(update, [text, field, isPlain]);
	// Styles can't tell a text with a line break behind it from a line break alone.
	const showBlank = () => ref.current!.toggleAttribute("data-blank", ref.current!.textContent === "");
	useLayoutEffect(() => void showBlank());
	const highlight = () => paint(ref.current!, found);
	useLayoutEffect(highlight, [text, field, isPlain, found]);
	// A row that takes another place leaves its styles behind.
	useLayoutEffect(() => {
		if (hasLostStyles(ref.current!)) highlight();
	});
	useLayoutEffect(() => {
		const element = ref.current!;
		return () => unpaint(element);
	}, []);
	return {
		shown: () => shown.current,
		showStored: () => show(ref.current!, textNow(), field, isPlain),
		showBlank,
		highlight,
		keep(isStep = false) {
			const typed = read(ref.current!, field);
			saves.typed(node.id, field, typed, shown.current, isStep);
			shown.current = typed;
		},
		compose(begins: boolean) {
			isComposing.current = begins;
			if (!begins) update();
		},
	};
}

interface InputProps extends Pick<FieldProps, "node" | "rowKey"> {
	/** Whether this is the name of a block of code. */
	readonly isCode: boolean;
	readonly isPlain: boolean;
	readonly text: ReturnType<typeof useText>;
	readonly offers: ReturnType<typeof useOffers>;
}

/** Returns what to do with each input: keeps it, and shows what it means. */
function useInput(ref: RefObject<HTMLDivElement | null>, props: InputProps): (event: InputEvent) => void {
	const { node, rowKey, isCode, isPlain, text, offers } = props;
	const editor = useEditor();
	const { workspace } = editor;
	const setLayout = ({ layoutMode, completed }: NonNullable<ReturnType<typeof layoutIn>>) => {
		offers.close();
		const name = fragmentOf(ref.current!);
		const base = { name: text.shown() };
		void editor.do(async () => {
			await workspace.outline.update(node.id, { name, layoutMode, base });
			if (completed) await workspace.outline.complete(node.id);
		});
	};
	const openDialog = (element: HTMLElement, typed: string | null) => {
		if (typed === "(" && asksFor("((", element)) workspace.dialog.set({ type: "mirror", key: rowKey });
		else if (typed === "[" && asksFor("[[", element)) workspace.dialog.set({ type: "link" });
		else if (typed === "/" && asksForMenu(element)) workspace.dialog.set({ type: "menu" });
	};
	return ({ inputType, data }) => {
		const element = ref.current!;
		releaseCaret(element, 2);
		if (!isPlain) replaceStyles(element);
		forgetFormatting();
		text.showBlank();
		let isFormatted = false;
		if (!isPlain && inputType === "insertText" && data !== null) {
			const layout = data === " " ? layoutIn(element) : undefined;
			if (layout !== undefined) return setLayout(layout);
			// The characters as typed come first, so that an undo takes back the formatting alone.
			if (replaceMarkdown(element, text.keep)) isFormatted = true;
			if (/\s$/.test(data) && linkTyped(element, text.keep)) isFormatted = true;
		}
		text.highlight();
		text.keep(isFormatted);
		if (!isCode) offers.update().catch((error) => workspace.tell(error));
		if (!isPlain) openDialog(element, data);
	};
}

/** Returns what the mouse does in a field: a click on a link, a tag or an address follows it. */
function useMouse() {
	const editor = useEditor();
	/** Whether the mouse was pressed while the caret was elsewhere. */
	const isFresh = useRef(false);
	return {
		onMouseDown({ currentTarget }: FieldMouseEvent) {
			isFresh.current = document.activeElement !== currentTarget;
		},
		onMouseMove(event: FieldMouseEvent) {
			const piece = leading(event, isFresh.current || document.activeElement !== event.currentTarget);
			event.currentTarget.style.cursor = piece === undefined ? "" : "pointer";
		},
		onClick(event: FieldMouseEvent) {
			const link = linkAround(event.target) ?? leading(event, isFresh.current);
			// A user who selects a part of the link doesn't want to follow it.
			if (link === undefined || event.detail > 1 || getSelection()?.isCollapsed === false) return;
			event.preventDefault();
			void editor.run(following(link));
		},
	};
}

/** The tag or address at the mouse. In the text that one edits, a click on a tag needs Ctrl or the command key. */
function leading(event: FieldMouseEvent, isFresh: boolean): Piece | undefined {
	const piece = pieceAt(event.currentTarget, event.clientX, event.clientY);
	return piece?.type === "tag" && !isFresh && !hasMod(event) ? undefined : piece;
}

function read(element: HTMLElement, field: TextField): string {
	return field === "name" ? fragmentOf(element) : (element.textContent ?? "");
}

function show(element: HTMLElement, text: string, field: TextField, isPlain: boolean): void {
	if (field === "note") showText(element, text);
	else {
		showFragment(element, text);
		if (isPlain) element.append(document.createElement("br"));
	}
}

/** The text in which the caret is, as far as the caret. */
function textBeforeCaret(element: HTMLElement): { text: Text; offset: number } | undefined {
	const selection = getSelection();
	const node = selection?.anchorNode;
	if (!(node instanceof Text) || !selection!.isCollapsed || !element.contains(node)) return undefined;
	return { text: node, offset: selection!.anchorOffset };
}

/**
 * Shows Markdown that has just been ended as what it means. Returns whether there was some.
 *
 * @param keep - keeps the text as it was typed
 */
function replaceMarkdown(element: HTMLElement, keep: () => void): boolean {
	const before = textBeforeCaret(element);
	if (before === undefined || before.text.parentElement?.closest("code") !== null) return false;
	const { text, offset } = before;
	const finished = finishedMarkdown(text.data.slice(0, offset));
	if (finished === undefined) return false;
	keep();
	const template = document.createElement("template");
	template.innerHTML = finished.fragment;
	showDatesInWords(template.content);
	const range = document.createRange();
	range.setStart(text, finished.start);
	range.setEnd(text, offset);
	range.deleteContents();
	const last = template.content.lastChild!;
	range.insertNode(template.content);
	// Text typed next isn't part of it.
	placeBehind(last);
	formattedIn(element);
	return true;
}

/** Takes the prefix of a layout mode from the beginning of a name, if the caret is just behind one. */
function layoutIn(element: HTMLElement) {
	const before = textBeforeCaret(element);
	if (before === undefined || before.text !== element.firstChild) return undefined;
	const layout = typedLayout(before.text.data.slice(0, before.offset).replace("\u00a0", " "));
	if (layout !== undefined) before.text.deleteData(0, layout.length);
	return layout;
}
