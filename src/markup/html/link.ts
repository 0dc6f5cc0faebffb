import { invalidArgument } from "../../errors.js";
import type { LinkSchemes } from "../options.js";
import { trimCharacters } from "../text.js";

/** Schemes that run or show content of the text itself. They are never safe, even if a host allows them. */
export const dangerousSchemes: ReadonlySet<string> = new Set(["javascript", "vbscript", "data", "blob", "filesystem"]);

const control = /[\0-\x1f\x7f]/;
const scheme = /^([a-z][a-z0-9+.-]*):/i;

/**
 * Returns the link target that a name may contain, without the white space around it; undefined for a
 * forbidden target.
 *
 * A target with a scheme needs one of `linkSchemes`. Any other target must be relative (`/a`, `b`, `#c`,
 * `?d`), and relative for every reader. So it has no `//host`, and no backslash, because browsers read it as
 * a slash. It has no colon that could end a scheme, not even after a `&#` that a reader might decode.
 */
export function permittedHref(target: string, linkSchemes: LinkSchemes): string | undefined {
	const href = trimCharacters(target, "\t\n\f\r ");
	if (href === "" || control.test(href)) return undefined;
	const name = scheme.exec(href)?.[1];
	if (name !== undefined) return linkSchemes.has(name.toLowerCase()) ? href : undefined;
	if (href.startsWith("//") || href.includes("\\")) return undefined;
	const colon = href.indexOf(":");
	const hierarchy = href.search(/[/?]|(?<!&)#/);
	return colon === -1 || (hierarchy !== -1 && hierarchy < colon) ? href : undefined;
}

/** Checks the schemes that a host allows in links, and adds the usual ones. @throws `invalid_argument` */
export function allowedSchemes(given: unknown): ReadonlySet<string> {
	if (!Array.isArray(given)) throw invalidArgument("linkSchemes", given, 'an array of scheme names, such as ["tel"]');
	const schemes = new Set(["http", "https", "mailto"]);
	for (const scheme of given) {
		const name = typeof scheme === "string" ? scheme.toLowerCase() : "";
		if (!/^[a-z][a-z0-9+.-]*$/.test(name) || dangerousSchemes.has(name)) {
			throw invalidArgument("linkSchemes", scheme, 'scheme names such as "tel", and none that can carry a script');
		}
		schemes.add(name);
	}
	return schemes;
}
