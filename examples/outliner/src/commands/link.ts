import { putOnClipboard } from "../clipboard/putting.js";
import { select, spanIn } from "../text/caret.js";
import { codeOf } from "../text/error-code.js";
import { activeField } from "../text/field.js";
import { type Link, linkAtCaret } from "../text/link.js";
import { isClosed } from "../text/linking.js";
import { type Piece, pieceAtCaret } from "../text/pieces.js";
import { addressOf, pageAddress, placeIn } from "../workspace/place.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { goTo } from "./go.js";
import { nodeAtHand } from "./mirror.js";
import { canFormat } from "./text.js";

/** The command that follows a link: to a day, a node or a tag of this outline, or to another page. */
export function following(link: Link | Piece): Command {
	if ("range" in link) {
		const { type, target } = link;
		// The blank says that the tag is complete.
		if (type === "tag") return { run: (workspace) => workspace.filterBy(`${target} `) };
		return followingAddress(target);
	}
	if (link instanceof HTMLTimeElement) {
		const day = link.dateTime.slice(0, "YYYY-MM-DD".length);
		return { run: (workspace) => goTo(workspace, day) };
	}
	return followingAddress(link.href);
}

function followingAddress(href: string): Command {
	const place = placeIn(href);
	if (place === undefined) return { settles: false, run: () => openOutside(href) };
	return { run: (workspace) => goInside(workspace, place) };
}

async function goInside(workspace: Workspace, shortId: string | null): Promise<void> {
	if (shortId === null) return workspace.zoom(null);
	try {
		const { id } = await workspace.outline.get(shortId);
		await workspace.zoom(id, { key: titleKey, field: "name", caret: "end" });
	} catch (error) {
		if (codeOf(error) !== "not_found") throw error;
		workspace.message.set({ text: "The node of this link doesn't exist any more.", isError: false });
	}
}

/** Opens an address in a new tab, without access to this one. */
function openOutside(href: string): void {
	if (!URL.canParse(href) || !/^(?:https?|mailto):$/.test(new URL(href).protocol)) return;
	const anchor = document.createElement("a");
	Object.assign(anchor, { href, target: "_blank", rel: "noopener noreferrer" });
	anchor.click();
}

async function copyLink(workspace: Workspace): Promise<void> {
	const { id } = nodeAtHand(workspace)!;
	await putOnClipboard({ "text/plain": `${pageAddress()}/${addressOf(id)}` });
	workspace.message.set({ text: "The link is copied.", isError: false });
}

/** The link that the caret is at. */
function currentLink(): Link | undefined {
	const field = activeField();
	return field === null ? undefined : linkAtCaret(field);
}

/** The link, tag or address that the caret is at. */
function currentTarget(): Link | Piece | undefined {
	const field = activeField();
	return currentLink() ?? (field === null ? undefined : pieceAtCaret(field));
}

/** Leaves the text of the link at the caret. */
function removeLink(): void {
	const field = activeField()!;
	const span = spanIn(field)!;
	const link = currentLink()!;
	link.replaceWith(...link.childNodes);
	field.normalize();
	select(field, span);
	field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

export const linkCommands: readonly Command[] = [
	{
		label: "Follow the link, date or tag at the caret",
		keys: ["Mod+Shift+Enter"],
		when: () => currentTarget() !== undefined,
		settles: false,
		run: (workspace) => follow(workspace, currentTarget()!),
	},
	{
		label: "Link to a node…",
		typed: "[[",
		when: (workspace) => canFormat(workspace) && !isClosed(),
		settles: false,
		run: ({ dialog }) => dialog.set({ type: "link" }),
	},
	{
		label: "Remove the link at the caret",
		when: () => currentLink() instanceof HTMLAnchorElement,
		settles: false,
		run: removeLink,
	},
	{
		label: "Copy link to this node",
		keys: ["Alt+Shift+L"],
		when: (workspace) => nodeAtHand(workspace) !== null,
		settles: false,
		run: copyLink,
	},
];

/** Follows a link. If it leads to another place of the outline, first stores the typed text. */
async function follow(workspace: Workspace, link: Link | Piece): Promise<void> {
	const { run, settles = true } = following(link);
	if (settles) await workspace.saves.settled();
	await run(workspace);
}
