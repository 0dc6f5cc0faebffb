import "./tag-list.css";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { placeCaret, pointAt, select } from "../text/caret.js";
import { completionsOf, isComplete, type TypedTag, typedTag } from "../text/completion.js";
import { useWorkspace } from "./context.js";

interface FieldReference {
	readonly current: HTMLElement | null;
}

interface Offer extends TypedTag {
	readonly tags: readonly string[];
	/** The index of the tag that Enter takes; -1 for none. */
	readonly active: number;
}

/** Offers the tags of the outline while one is typed in a field. */
export function useTagList(field: FieldReference) {
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
		if (typed === undefined) return close();
		if (known.current?.start !== typed.start) {
			const tags = outline.tags().then((all) => all.map(({ tag }) => tag));
			known.current = { start: typed.start, tags };
		}
		const { current } = known;
		const tags = await current!.tags;
		const isLate = known.current !== current || typedTag(field.current!)?.text !== typed.text;
		if (isLate) return;
		const completions = completionsOf(typed.text, tags);
		// Enter after a complete tag makes a new line.
		const active = isComplete(typed.text, tags) ? -1 : 0;
		setOffer(completions.length === 0 ? undefined : { ...typed, tags: completions, active });
	};

	const choose = ({ start, text }: Offer, tag: string) => {
		const element = field.current!;
		const end = start + text.length;
		const isBeforeBlank = /^\s/.test(element.textContent!.slice(end));
		select(element, { start, end });
		document.execCommand("insertText", false, isBeforeBlank ? tag : `${tag} `);
		if (isBeforeBlank) placeCaret(element, start + tag.length + 1);
		close();
	};

	const onKeyDown = (event: KeyboardEvent) => {
		if (offer === undefined || event.isComposing) return;
		const { tags, active } = offer;
		const count = tags.length;
		if (event.key === "ArrowDown") setOffer({ ...offer, active: (active + 1) % count });
		else if (event.key === "ArrowUp") setOffer({ ...offer, active: (Math.max(active, 0) + count - 1) % count });
		else if (event.key === "Escape") setOffer(undefined);
		else if ((event.key === "Enter" && active >= 0) || (event.key === "Tab" && !event.shiftKey)) {
			choose(offer, tags[Math.max(active, 0)]!);
		} else {
			if (/^(?:Arrow|Home|End|Page|Enter|Tab)/.test(event.key)) close();
			return;
		}
		event.preventDefault();
	};

	const aria = offer && {
		"aria-autocomplete": "list" as const,
		"aria-controls": `${id}list`,
		...(offer.active >= 0 && { "aria-activedescendant": `${id}${offer.active}` }),
	};
	const list = offer && (
		<TagList id={id} field={field} offer={offer} onChoose={(tag) => choose(offer, tag)} onScroll={close} />
	);
	return { list, aria, update, close, onKeyDown };
}

interface TagListProps {
	readonly id: string;
	readonly field: FieldReference;
	readonly offer: Offer;
	readonly onChoose: (tag: string) => void;
	readonly onScroll: () => void;
}

function TagList({ id, field, offer, onChoose, onScroll }: TagListProps) {
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
		<div ref={ref} class="tag-list" popover="manual" role="listbox" id={`${id}list`} aria-label="Tags">
			{offer.tags.map((tag, index) => (
				// biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text, which says what is active
				// biome-ignore lint/a11y/useKeyWithClickEvents: the text has the keys
				<div
					key={tag}
					id={`${id}${index}`}
					role="option"
					aria-selected={index === offer.active}
					onMouseDown={(event) => event.preventDefault()}
					onClick={() => onChoose(tag)}
				>
					{tag}
				</div>
			))}
		</div>
	);
}
