const schemeAndHost = /^[^:]+:\/\/[^/]*/;

/** Whether a text begins as an address does: with a scheme and two slashes. */
export function isAddress(text: string): boolean {
	return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** An address as it is compared: letter case matters in its path, but not in its scheme and host. */
export function comparable(address: string): string {
	return address.replace(schemeAndHost, (start) => start.toLowerCase());
}

/** Where the text before an offset ends if its trailing slashes are left out. */
export function withoutSlashes(text: string, end: number): number {
	while (text[end - 1] === "/") end -= 1;
	return end;
}
