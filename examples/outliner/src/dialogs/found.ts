import type { Outline, OutlineNode, SearchHitOf, Target } from "outlinekit";
import { ancestorsOf } from "../filter/ancestors.js";
import { asTyped, whyNothing } from "../filter/query.js";
import { codeOf } from "../text/error-code.js";
import { shownText } from "../text/fragment.js";
import type { Choice } from "./picker.js";

/** A node, or a target, for the user to choose. */
export interface Found extends Choice {
	/** The reference: an id, or the key of a target. */
	readonly ref: string;
	readonly name: string;
	/** The names of the nodes above it, the topmost first. */
	readonly path: readonly string[];
	/** Left out where there is none yet. */
	readonly node?: OutlineNode;
	/** The key of a shortcut. */
	readonly shortcut?: string;
}

/** The results of a search, or the reason why there are none. */
export interface Findings {
	readonly found: readonly Found[];
	/** In words. */
	readonly status: string;
}

/** The most nodes to show. */
const most = 50;

/** The targets as people call them; the calendar itself has a view of its own. */
const systemTargets: { readonly [key: string]: string } = {
	today: "Today",
	tomorrow: "Tomorrow",
	next_week: "Next week",
	inbox: "Inbox",
};

/** The results of a query. Targets come first; without a query there are only targets. */
export async function find(outline: Outline, query: string, has: (target: Target) => boolean): Promise<Findings> {
	const targets = (await targetsOf(outline, has)).filter((found) => answers(found, query));
	if (query.trim() === "") return { found: targets, status: statusOf(targets.length, "") };
	try {
		const hits = await outline.search(asTyped(query), { limit: most, ancestors: true });
		const nodes = hits.map(foundHit);
		const count = targets.length + nodes.length;
		const status = nodes.length < most ? statusOf(count, query) : `The ${most} best matches`;
		return { found: [...targets, ...nodes], status };
	} catch (error) {
		if (codeOf(error) !== "invalid_argument") throw error;
		return { found: targets, status: (error as Error).message };
	}
}

/** A node with its path. */
export async function foundNode(outline: Outline, node: OutlineNode, group = "Nodes"): Promise<Found> {
	return placed(node, await ancestorsOf(outline, node.id), group);
}

/** A hit with its path. */
export function foundHit({ node, ancestors }: SearchHitOf<{ ancestors: true }>): Found {
	return placed(node, ancestors, "Nodes");
}

function placed(node: OutlineNode, ancestors: readonly { readonly name: string }[], group: string): Found {
	const path = ancestors.map(({ name }) => shownText(name) || "Untitled");
	return { key: node.id, group, ref: node.id, name: shownText(node.name) || "Untitled", path, node };
}

/** The targets that one may go to, with the shortcuts that people have set. */
async function targetsOf(outline: Outline, has: (target: Target) => boolean): Promise<Found[]> {
	const targets = (await outline.targets()).filter(has);
	const keys = [
		...Object.keys(systemTargets),
		...targets.flatMap(({ type, key }) => (type === "shortcut" ? [key] : [])),
	];
	return Promise.all(
		keys.flatMap((key) => {
			const target = targets.find((each) => each.key === key);
			return target === undefined ? [] : [foundTarget(outline, target)];
		}),
	);
}

async function foundTarget(outline: Outline, { key, type, name }: Target): Promise<Found> {
	const group = type === "shortcut" ? "Shortcuts" : "Go to";
	if (type === "system") {
		const path = name === null || key === "inbox" ? [] : [shownText(name)];
		return { key: `${type} ${key}`, group, ref: key, name: systemTargets[key]!, path };
	}
	const found = await foundNode(outline, await outline.get(key), group);
	return { ...found, key: `${type} ${key}`, ref: key, shortcut: key };
}

/** Whether a target matches a query. */
function answers({ name, shortcut = "" }: Found, query: string): boolean {
	const wanted = query.trim().toLowerCase();
	return wanted === "" || [name, shortcut].some((text) => text.toLowerCase().startsWith(wanted));
}

function statusOf(count: number, query: string): string {
	if (count > 0) return `${count} found`;
	return query.trim() === "" ? "Nothing found." : whyNothing(query);
}
