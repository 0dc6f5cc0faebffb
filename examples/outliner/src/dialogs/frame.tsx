import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { dialogCommands } from "../commands/dialogs.js";
import { chordOf } from "../commands/keyboard.js";
import { select, spanIn } from "../text/caret.js";
import { activeField } from "../text/field.js";
import { caretHold } from "../text/fragment.js";
import { useEditor } from "../view/context.js";
import { Icon } from "../view/icon.js";
import { icons } from "../view/icons.js";
import { flush } from "../view/rendering.js";
import type { Focus } from "../workspace/focus.js";
import type { Workspace } from "../workspace/workspace.js";
import { type Anchor, caretAnchor, type Point, placeAt } from "./anchor.js";

interface DialogFrameProps {
	/** The dialog's name, for screen readers. */
	readonly label: string;
	/** Whether the label shows, with a button that closes. */
	readonly titled?: boolean;
	/** Where it opens: at a point of the window, or at the caret. Left out: in the middle. */
	readonly at?: Point | "caret";
	/** The row that gets the caret afterwards. If it is absent or doesn't show, the caret returns. */
	readonly next?: { readonly current: Focus | null };
	/** Called after it has closed and the caret is back. */
	readonly onClosed?: () => void;
	readonly children: ComponentChildren;
}

/** The frame of every dialog. Escape and a click beside it close it, and the caret returns to its place. */
export function DialogFrame({ label, titled = false, at, next, onClosed, children }: DialogFrameProps) {
	const editor = useEditor();
	const { workspace } = editor;
	const ref = useRef<HTMLDialogElement>(null);
	// The dialog takes the focus, and with it the caret.
	const [anchor] = useState(() => (at === "caret" ? caretAnchor() : at && { x: at.x, top: at.y, bottom: at.y }));
	useLayoutEffect(() => {
		const restore = open(workspace, ref.current!, anchor);
		return () => {
			restore(next?.current);
			onClosed?.();
		};
	}, []);
	const close = () => closeDialog(workspace);
	const onKeyDown = (event: KeyboardEvent) => {
		// The page below gets no keys.
		event.stopPropagation();
		if (event.key === "Escape" && !event.isComposing) {
			event.preventDefault();
			return close();
		}
		const chord = chordOf(event);
		const command = dialogCommands.find(({ keys }) => keys?.includes(chord));
		if (command === undefined) return;
		event.preventDefault();
		close();
		void editor.run(command);
	};
	return (
		<dialog
			ref={ref}
			class={["dialog", titled && "titled", anchor && "menu", typeof at === "object" && "at-point"]
				.filter(Boolean)
				.join(" ")}
			aria-label={label}
			onKeyDown={onKeyDown}
			onMouseDown={(event) => {
				if (event.target !== event.currentTarget) return;
				// The focus goes back, and not to what is below the pointer.
				event.preventDefault();
				close();
			}}
			onCancel={(event) => {
				event.preventDefault();
				close();
			}}
		>
			<div class="dialog-body">
				{titled && (
					<header class="dialog-head">
						<h2 tabIndex={-1}>{label}</h2>
						<CloseButton />
					</header>
				)}
				{children}
			</div>
		</dialog>
	);
}

/** Opens a dialog. Returns a function that closes it, and puts the caret into a row, or back if the row doesn't show. */
function open(workspace: Workspace, dialog: HTMLDialogElement, anchor: Anchor | undefined) {
	const returns = whereabouts(workspace);
	dialog.showModal();
	if (anchor !== undefined) placeAt(dialog, anchor);
	// A ring around the button that closes would say that the keys have gone there.
	if (document.activeElement?.matches(".dialog-close")) dialog.querySelector("h2")?.focus();
	return (next: Focus | null | undefined) => {
		dialog.close();
		if (next && workspace.row(next.key) !== undefined) workspace.focus.set(next);
		else returns();
	};
}

/** Closes the dialog. */
export function CloseButton() {
	const { workspace } = useEditor();
	return (
		<button
			type="button"
			class="dialog-close"
			aria-label="Close"
			title="Close (Esc)"
			onClick={() => closeDialog(workspace)}
		>
			<Icon path={icons.close} />
		</button>
	);
}

/** Closes what is open over the outline. When it returns, the caret is where it was before. */
export function closeDialog({ dialog }: Workspace): void {
	dialog.set(null);
	flush();
}

/**
 * Remembers the place of the caret. Returns a function that restores it once the browser has returned the
 * focus.
 */
function whereabouts(workspace: Workspace): () => void {
	const field = activeField();
	const held = field === null ? undefined : spanIn(field);
	// A field that loses the focus drops these characters.
	const shown = (offset: number) => field!.textContent!.slice(0, offset).replaceAll(caretHold, "").length;
	const span = held && { start: shown(held.start), end: shown(held.end) };
	return () => {
		if (field === null || span === undefined) return;
		if (document.activeElement === field) return select(field, span);
		// A new element may show the row by now.
		const { current } = workspace.focus;
		if (!field.isConnected && current !== null) workspace.focus.set({ ...current, caret: span.start });
	};
}
