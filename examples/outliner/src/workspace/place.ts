/** The address of this page, without a place in it. */
export function pageAddress(): string {
	return withoutPlace(location.href);
}

/** The address of a node within the page, or of the top level; of the hits of a query there. */
export function addressOf(id: string | null, query: string | null = null): string {
	const place = id === null ? "#/" : `#/${id.slice(-12)}`;
	return query === null ? place : `${place}?q=${encodeURIComponent(query)}`;
}

/** The query in an address; null if there is none. */
export function queryIn(hash: string): string | null {
	return new URLSearchParams(/\?.*$/.exec(hash)?.[0]).get("q");
}

/** The short id in an address; null for the top level. */
export function shortIdIn(hash: string): string | null {
	return /^#\/([0-9a-f]{12})(?:\?|$)/i.exec(hash)?.[1] ?? null;
}

/**
 * The short id in the address of a node of this page; null for the top level, undefined for other addresses.
 */
export function placeIn(href: string): string | null | undefined {
	if (!URL.canParse(href, location.href)) return undefined;
	const { href: address, hash } = new URL(href, location.href);
	if (withoutPlace(address) !== pageAddress()) return undefined;
	return shortIdIn(hash) ?? (hash === addressOf(null) || hash === "" ? null : undefined);
}

function withoutPlace(address: string): string {
	return address.replace(/[#?].*$/, "").replace(/\/$/, "");
}
