const schemeAndHost = /^[^:]+:\/\/[^/]*/;

/** Whether a text begins like an address: with a scheme and two slashes. */
export function isAddress(text: string): boolean {
	return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** Returns an address for comparisons: letter case matters in its path, but not in its scheme and host. */
export function comparable(address: string): string {
	return address.replace(schemeAndHost, (start) => start.toLowerCase());
}

/** Returns the end of the text before an offset, without trailing slashes. */
export function withoutSlashes(text: string, end: number): number {
	while (text[end - 1] === "/") end -= 1;
	return end;
}
