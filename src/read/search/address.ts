import { isShortId } from "../../id.js";
import type { Steps } from "../../pace.js";
import { comparable, withoutSlashes } from "../../reference/address.js";

const shortIdLength = 12;
const marker = "/#/";
const wordCharacter = /[\p{L}\p{N}]/u;

/** Finds node addresses, `${appUrl}/#/<short id>`, in texts and links. */
export class AddressReader {
	readonly #base: string | undefined;

	/**
	 * @param appUrl - the URL at which the host shows the outline, without trailing slashes; undefined if
	 * there are no addresses
	 */
	constructor(appUrl: string | undefined) {
		this.#base = appUrl === undefined ? undefined : comparable(appUrl);
	}

	/**
	 * Calls `visit` for the short id, in lower case, of each node address in a text. Returns the remaining
	 * steps: none for a text without addresses. Linear in time.
	 */
	eachInText(text: string, visit: (shortId: string) => void): Iterable<undefined> {
		const first = text.indexOf(marker);
		return this.#base === undefined || first === -1 ? [] : this.#eachFrom(first, text, this.#base, visit);
	}

	*#eachFrom(first: number, text: string, address: string, visit: (shortId: string) => void): Steps<void> {
		let count = 0;
		for (let at = first; at !== -1; at = text.indexOf(marker, at + marker.length)) {
			if (++count % 256 === 0) yield;
			const start = at + marker.length;
			const end = start + shortIdLength;
			const shortId = text.slice(start, end);
			if (!isShortId(shortId) || wordCharacter.test(text.charAt(end))) continue;
			const base = withoutSlashes(text, at);
			const from = base - address.length;
			if (comparable(text.slice(from, base)) !== address) continue;
			if (from === 0 || !wordCharacter.test(text.charAt(from - 1))) visit(shortId.toLowerCase());
		}
	}

	/**
	 * Returns the short id, in lower case, of the node a link leads to. The link may be a node address,
	 * `#/<short id>`, or the short id alone.
	 */
	inLink(href: string): string | undefined {
		const at = href.lastIndexOf("#/");
		const shortId = at === -1 ? href : href.slice(at + 2);
		if (!isShortId(shortId)) return undefined;
		const isRelative = at <= 0;
		const isOurs = href[at - 1] === "/" && comparable(href.slice(0, withoutSlashes(href, at))) === this.#base;
		return isRelative || isOurs ? shortId.toLowerCase() : undefined;
	}
}
