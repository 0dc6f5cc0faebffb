/** The address of a node within the page, or of the top level. */
export function addressOf(id: string | null): string {
	return id === null ? "#/" : `#/${id.slice(-12)}`;
}

/** The short id in an address; null for the top level. */
export function shortIdIn(hash: string): string | null {
	return /^#\/([0-9a-f]{12})$/i.exec(hash)?.[1] ?? null;
}
