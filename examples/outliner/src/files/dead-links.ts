import type { Outline } from "outlinekit";
import { contentsOf } from "../text/fragment.js";
import { placeIn } from "../workspace/place.js";
import { type PageLinks, withPageLinks } from "./page-links.js";

/** The address of a node in another outliner. */
const elsewhere = /^https:\/\/(?:[\w-]+\.)?(?:workflowy\.com\/#\/|dynalist\.io\/d\/)/i;
const noPages: PageLinks = { page: () => undefined, block: () => undefined };

/** Returns the number of links to pages and nodes that lead to nothing, in some nodes and below them. */
export async function deadLinksBelow(outline: Outline, rootIds: readonly string[]): Promise<number> {
	let count = 0;
	for (const root of rootIds) {
		for await (const { node } of outline.walk(root, { mirrors: "stop", budget: Number.POSITIVE_INFINITY })) {
			if (node.layoutMode === "code-block") continue;
			count += withPageLinks(node.name, noPages).missing;
			if (!node.name.includes("<a ")) continue;
			for (const link of contentsOf(node.name).querySelectorAll("a")) {
				if (await isDead(outline, link.getAttribute("href")!)) count += 1;
			}
		}
	}
	return count;
}

async function isDead(outline: Outline, href: string): Promise<boolean> {
	const shortId = placeIn(href);
	if (typeof shortId !== "string") return elsewhere.test(href);
	return (await outline.get(shortId).catch(() => undefined)) === undefined;
}
