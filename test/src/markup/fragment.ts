/** A canonical fragment, read without the code under test. */
export interface Fragment {
	/** The visible text, unescaped. */
	readonly text: string;
	readonly hrefs: readonly string[];
	readonly datetimes: readonly string[];
	/** The differences from the rules of canonical fragments; empty if there are none. */
	readonly faults: readonly string[];
}

const part =
	/(?<text>[^<>&]+)|&(?<escape>amp|lt|gt);|<\/(?<close>[a-z]+)>|<(?<open>[a-z]+)(?: (?<key>[a-z]+)="(?<value>[^"<>]*)")?>/y;
const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
const attributes: Record<string, string | undefined> = {
	b: undefined,
	i: undefined,
	s: undefined,
	code: undefined,
	a: "href",
	time: "datetime",
};
const target = /^(?:(?:https?|mailto):|(?!\/\/)[^:\\/?#]*(?:[/?#][^\\]*)?$)/i;
const datetime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Reads a fragment strictly, and collects every fault. */
export function readFragment(html: string): Fragment {
	const faults: string[] = [];
	const hrefs: string[] = [];
	const datetimes: string[] = [];
	const open: string[] = [];
	let text = "";
	let at = 0;
	if (/[\0\r\p{Surrogate}]/u.test(html)) faults.push("holds a character that no storage returns");
	while (at < html.length) {
		part.lastIndex = at;
		const groups = part.exec(html)?.groups;
		if (groups === undefined) {
			faults.push(`holds what is neither text nor a tag: ${html.slice(at, at + 40)}`);
			break;
		}
		at = part.lastIndex;
		if (groups.text !== undefined) text += groups.text;
		else if (groups.escape !== undefined) text += characters[groups.escape];
		else if (groups.close !== undefined) {
			if (open.pop() !== groups.close) faults.push(`closes ${groups.close}, which isn't open`);
		} else if (groups.open !== undefined) {
			if (!Object.hasOwn(attributes, groups.open)) faults.push(`holds a <${groups.open}>`);
			if (attributes[groups.open] !== groups.key) faults.push(`holds a <${groups.open} ${groups.key}>`);
			if (open.includes(groups.open)) faults.push(`holds a ${groups.open} within a ${groups.open}`);
			const value = unescaped(groups.value ?? "");
			if (groups.key === "href") {
				hrefs.push(value);
				if (!target.test(value) || /[\0-\x20\x7f]$|^[\0-\x20\x7f]|[\0-\x1f\x7f]/.test(value))
					faults.push(`links to ${value}`);
			}
			if (groups.key === "datetime") {
				datetimes.push(value);
				if (!datetime.test(value)) faults.push(`dates ${value}`);
			}
			open.push(groups.open);
		}
	}
	if (open.length > 0) faults.push(`leaves ${open.join()} open`);
	return { text, hrefs, datetimes, faults };
}

function unescaped(value: string): string {
	return value.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => characters[name] ?? "");
}
