import "./offer-list.css";
import { format } from "date-fns";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { placeCaret, pointAt, select } from "../text/caret.js";
import { completionsOf, isComplete, type Typed, typedDate, typedTag } from "../text/completion.js";
import { insertDate, type Moment } from "../text/date.js";
import { dateInWords } from "../text/date-label.js";
import { edit } from "../text/edit.js";
import { useWorkspace } from "./context.js";

interface FieldReference {
	readonly current: HTMLElement | null;
}

/** Something to put in the place of the typed text: a tag, or a date. */
type Choice = string | Moment;

interface Offer extends Typed {
	readonly label: string;
	readonly choices: readonly Choice[];
	/** The index of the choice that Enter takes; -1 for none. */
	readonly active: number;
	/** Whether the person has typed a sign for it, such as `#`, and not only words that may mean it. */
	readonly isAsked: boolean;
}

/**
 * Offers the tags of the outline while one is typed in a field, and dates for words that mean one.
 *
 * Dates need no sign, as in other outliners and task lists: `@` means a person here, and a plain word needs
 * no learning. But the same word often means no date. So Tab takes the date, and Enter makes a new line as
 * always. Enter takes the date only after the arrow down has led into the list.
 *
 * @param takesDates - whether the field can show dates
 */
export function useOffers(field: FieldReference, takesDates: boolean) {
	const { outline } = useWorkspace();
	const [offer, setOffer] = useState<Offer>();
	const id = useId();
	/** The tags from when the typing of this one began, so that its own beginnings aren't among them. */
	const known = useRef<{ readonly start: number; readonly tags: Promise<string[]> } | undefined>(undefined);
	const close = () => {
		known.current = undefined;
		setOffer(undefined);
	};

	const update = async () => {
		const typed = typedTag(field.current!);
		if (typed === undefined) {
			close();
			const words = takesDates ? typedDate(field.current!, format(new Date(), "yyyy-MM-dd")) : undefined;
			if (words === undefined) return;
			setOffer({ ...words, label: "Dates", choices: [words], active: -1, isAsked: false });
			return;
		}
		if (known.current?.start !== typed.start) {
			const tags = outline.tags().then((all) => all.map(({ tag }) => tag));
			known.current = { start: typed.start, tags };
		}
		const { current } = known;
		const tags = await current!.tags;
		const isLate = known.current !== current || typedTag(field.current!)?.text !== typed.text;
		if (isLate) return;
		const choices = completionsOf(typed.text, tags);
		// Enter after a complete tag makes a new line.
		const active = isComplete(typed.text, tags) ? -1 : 0;
		setOffer(choices.length === 0 ? undefined : { ...typed, label: "Tags", choices, active, isAsked: true });
	};

	const choose = (typed: Typed, choice: Choice) => {
		insert(field.current!, typed, choice);
		close();
	};

	const onKeyDown = (event: KeyboardEvent) => {
		if (offer === undefined || event.isComposing) return;
		const next = moved(offer, event.key);
		if (next !== undefined) setOffer({ ...offer, active: next });
		else if (event.key === "Escape") setOffer(undefined);
		else if ((event.key === "Enter" && offer.active >= 0) || (event.key === "Tab" && !event.shiftKey)) {
			choose(offer, offer.choices[Math.max(offer.active, 0)]!);
		} else {
			if (/^(?:Arrow|Home|End|Page|Enter|Tab)/.test(event.key)) close();
			return;
		}
		event.preventDefault();
	};

	const list = offer && (
		<OfferList id={id} field={field} offer={offer} onChoose={(choice) => choose(offer, choice)} onScroll={close} />
	);
	return { list, aria: offer && ariaOf(offer, id), update, close, onKeyDown };
}

/** The attributes of a field with a list of offers, for screen readers. */
function ariaOf({ active }: Offer, id: string) {
	return {
		"aria-autocomplete": "list" as const,
		"aria-controls": `${id}list`,
		...(active >= 0 && { "aria-activedescendant": `${id}${active}` }),
	};
}

/** Puts a choice in the place of the typed text. */
function insert(element: HTMLElement, { start, text }: Typed, choice: Choice): void {
	const end = start + text.length;
	const isBeforeBlank = /^\s/.test(element.textContent!.slice(end));
	select(element, { start, end });
	if (typeof choice === "string") {
		edit("insertText", isBeforeBlank ? choice : `${choice} `);
		if (isBeforeBlank) placeCaret(element, start + choice.length + 1);
	} else insertDate(element, choice);
}

/** The index of the choice that a key leads to; undefined if it leads to none. */
function moved({ choices: { length }, active, isAsked }: Offer, key: string): number | undefined {
	if (key !== "ArrowDown" && key !== "ArrowUp") return undefined;
	const next = key === "ArrowDown" ? active + 1 : Math.max(active, 0) - 1;
	// From a list without a sign, the arrows lead to other rows.
	return isAsked ? (next + length) % length : next >= 0 && next < length ? next : undefined;
}

interface OfferListProps {
	readonly id: string;
	readonly field: FieldReference;
	readonly offer: Offer;
	readonly onChoose: (choice: Choice) => void;
	readonly onScroll: () => void;
}

function OfferList({ id, field, offer, onChoose, onScroll }: OfferListProps) {
	const ref = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		const list = ref.current!;
		if (!list.matches(":popover-open")) list.showPopover();
		const range = document.createRange();
		range.setStart(...pointAt(field.current!, offer.start));
		range.setEnd(...pointAt(field.current!, offer.start + 1));
		const sign = range.getBoundingClientRect();
		const height = visualViewport?.height ?? innerHeight;
		const isBelow = sign.bottom + 4 + list.offsetHeight <= height;
		list.style.left = `${Math.max(8, Math.min(sign.left, innerWidth - list.offsetWidth - 8))}px`;
		list.style.top = `${isBelow ? sign.bottom + 4 : sign.top - 4 - list.offsetHeight}px`;
	});
	useEffect(() => {
		addEventListener("scroll", onScroll, { capture: true });
		return () => removeEventListener("scroll", onScroll, { capture: true });
	});
	return (
		<div
			ref={ref}
			class={offer.isAsked ? "offers" : "offers unasked"}
			popover="manual"
			role="listbox"
			id={`${id}list`}
			aria-label={offer.label}
		>
			{offer.choices.map((choice, index) => (
				// biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text, which says what is active
				// biome-ignore lint/a11y/useKeyWithClickEvents: the text has the keys
				<div
					key={textOf(choice)}
					id={`${id}${index}`}
					role="option"
					aria-selected={index === offer.active}
					onMouseDown={(event) => event.preventDefault()}
					onClick={() => onChoose(choice)}
				>
					{textOf(choice)}
					{!offer.isAsked && <kbd>Tab</kbd>}
				</div>
			))}
		</div>
	);
}

function textOf(choice: Choice): string {
	return typeof choice === "string" ? choice : dateInWords(choice.date, choice.time);
}
