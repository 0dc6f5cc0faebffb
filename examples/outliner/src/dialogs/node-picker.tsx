import type { Target } from "outlinekit";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { wordsOf } from "../text/words.js";
import { useQuery } from "../view/query.js";
import { originIdOf } from "../workspace/node.js";
import { type Findings, type Found, find } from "./found.js";
import { Highlighted } from "./highlight.js";
import { Picker } from "./picker.js";

interface NodePickerProps {
	readonly label: string;
	readonly placeholder: string;
	/** Which targets there are to choose besides nodes. */
	readonly targets: (target: Target) => boolean;
	/** The id of an origin that is no choice, and neither are its mirrors. */
	readonly without?: string | undefined;
	/** Returns the last choice: to create the node, if no node has the name that was typed. */
	readonly creates?: ((name: string) => Found) | undefined;
	/** Called with each query. */
	readonly onQuery?: (query: string) => void;
	readonly onChoose: (found: Found, otherwise: boolean) => void;
	readonly foot: ComponentChildren;
}

const nothing: Findings = { found: [], status: "" };

/** Looks through the whole outline for a node. */
export function NodePicker(props: NodePickerProps) {
	const { label, placeholder, targets, without, creates, onQuery, onChoose, foot } = props;
	const [query, setQuery] = useState("");
	const answer = useQuery((outline) => find(outline, query, targets), [query]);
	// The old results stay until there are new ones.
	const last = useRef(nothing);
	if (answer !== undefined) last.current = answer;
	const { status } = last.current;
	const found = last.current.found.filter(({ node }) => node === undefined || originIdOf(node) !== without);
	const words = wordsOf(query);
	const wanted = query.trim();
	const isNew = wanted !== "" && !found.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
	return (
		<Picker
			label={label}
			placeholder={placeholder}
			query={query}
			onQuery={(next) => {
				onQuery?.(next);
				setQuery(next);
			}}
			choices={isNew && creates !== undefined ? [...found, creates(wanted)] : found}
			pending={answer === undefined}
			status={status}
			onChoose={onChoose}
			foot={foot}
		>
			{(each) => <FoundView found={each} words={words} />}
		</Picker>
	);
}

/** A node with its path, and highlighted matches. */
export function FoundView({ found, words }: { readonly found: Found; readonly words: readonly string[] }) {
	const { name, path, node, shortcut } = found;
	const note = node?.note?.split("\n").find((line) => words.some((word) => line.toLowerCase().includes(word)));
	return (
		<>
			<span class={signOf(found)} aria-hidden="true" />
			<span class={node?.completed ? "choice-texts completed" : "choice-texts"}>
				<span class="choice-name">
					<Highlighted text={name} words={words} />
				</span>
				{note !== undefined && (
					<span class="choice-note">
						<Highlighted text={note} words={words} />
					</span>
				)}
				{path.length > 0 && <span class="choice-path">{path.join(" › ")}</span>}
			</span>
			{shortcut !== undefined && <kbd class="shortcut">{shortcut}</kbd>}
		</>
	);
}

function signOf({ node, shortcut }: Found): string {
	if (shortcut !== undefined) return "sign star";
	if (node === undefined) return "sign arrow";
	if (node.mirror?.originId !== undefined) return "sign mirror";
	return node.layoutMode === "todo" ? "sign todo" : "sign";
}
