import type { ServerAddress } from "../workspace/connection.js";
import { pageAddress } from "../workspace/place.js";

const storageKey = "outline-server";

/** A link to a server: the address of its page, with the key in the fragment, which browsers send nowhere. */
const linkForm = /^(.*?)#key=([\x21-\x7e]+)$/;

/** Reads a link to a server; a key alone means the server of this page. Returns undefined for any other text. */
export function serverIn(text: string): ServerAddress | undefined {
	const [, page, key] = linkForm.exec(text.trim()) ?? linkForm.exec(`#key=${text.trim()}`) ?? [];
	if (key === undefined || !URL.canParse(page!, pageAddress())) return undefined;
	const base = new URL(page!, pageAddress()).href.replace(/[?#].*$/, "").replace(/\/?$/, "/");
	return { url: `${base}api/v1`, apiKey: decoded(key) };
}

/**
 * Returns the server of this device; `null` without one. A link in the address of the page is kept on the device,
 * and removed from the address, so that the key is in no bookmark and on no screenshot.
 */
export function serverOfDevice(): ServerAddress | null {
	const linked = location.hash.startsWith("#key=") ? serverIn(location.href) : undefined;
	if (linked !== undefined) {
		keepServer(linked);
		history.replaceState(null, "", location.pathname + location.search);
		return linked;
	}
	const stored = localStorage.getItem(storageKey);
	return stored === null ? null : (JSON.parse(stored) as ServerAddress);
}

/** Keeps a server on this device, or forgets it. The next page that opens uses it. */
export function keepServer(server: ServerAddress | null): void {
	if (server === null) localStorage.removeItem(storageKey);
	else localStorage.setItem(storageKey, JSON.stringify(server));
}

/** Calls a function when another tab connects this device to a server, or when a link to one is opened here. */
export function onServerChange(changed: () => void): void {
	addEventListener("storage", ({ key, oldValue, newValue }) => {
		if (key === storageKey && oldValue !== newValue) changed();
	});
	addEventListener("hashchange", () => {
		if (location.hash.startsWith("#key=")) changed();
	});
}

function decoded(key: string): string {
	try {
		return decodeURIComponent(key);
	} catch {
		return key;
	}
}
