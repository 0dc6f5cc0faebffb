import { comparable, withoutSlashes } from "../address.js";
import { isShortId } from "../id.js";

const shortIdLength = 12;
const marker = "/#/";
const wordCharacter = /[\p{L}\p{N}]/u;

/** Finds the addresses of nodes, `${appUrl}/#/<short id>`, in texts and links. */
export class AddressReader {
	readonly #base: string | undefined;

	/** @param appUrl - where the host shows the outline, without trailing slashes; undefined if there are no addresses */
	constructor(appUrl: string | undefined) {
		this.#base = appUrl === undefined ? undefined : comparable(appUrl);
	}

	/** The short ids, in lower case, that a text holds the addresses of. Linear in time. */
	inText(text: string): string[] {
		const found: string[] = [];
		if (this.#base === undefined) return found;
		for (let at = text.indexOf(marker); at !== -1; at = text.indexOf(marker, at + marker.length)) {
			const start = at + marker.length;
			const end = start + shortIdLength;
			const shortId = text.slice(start, end);
			if (!isShortId(shortId) || wordCharacter.test(text.charAt(end))) continue;
			const base = withoutSlashes(text, at);
			const from = base - this.#base.length;
			if (comparable(text.slice(from, base)) !== this.#base) continue;
			if (from === 0 || !wordCharacter.test(text.charAt(from - 1))) found.push(shortId.toLowerCase());
		}
		return found;
	}

	/** The short id, in lower case, that a link leads to: by an address, by `#/<short id>`, or by the short id alone. */
	inLink(href: string): string | undefined {
		const at = href.lastIndexOf("#/");
		const shortId = at === -1 ? href : href.slice(at + 2);
		if (!isShortId(shortId)) return undefined;
		const isRelative = at <= 0;
		const isOurs = href[at - 1] === "/" && comparable(href.slice(0, withoutSlashes(href, at))) === this.#base;
		return isRelative || isOurs ? shortId.toLowerCase() : undefined;
	}
}
