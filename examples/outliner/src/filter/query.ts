/** A query in which the tag at the end, which may still be typed, is a beginning. */
export function asTyped(query: string): string {
	return /(?:^|[\s-])[#@＃＠][\p{L}\p{N}\p{M}_/-]+$/u.test(query) ? `${query}*` : query;
}

/** A term about a property, which a person may have taken for an operator. */
const property =
	/(?:^|\s)-?((?!(?:is|in|has|links|date|created|modified|completed):)[\p{L}_][\p{L}\p{M}\p{N}_-]*):((?![/\s])\S+)/iu;
const hasProperty = /(?:^|\s)-?has:(?!(?:note|link|date|mirror)(?:\s|$))([^\s"]+)/iu;

/** Operators of other outliners, with the terms that mean the same here. */
const elsewhere: { readonly [operator: string]: (value: string) => string } = {
	edited: (value) => `modified:${value}`,
	changed: (value) => `modified:${value}`,
	updated: (value) => `modified:${value}`,
	"last-changed": (value) => `modified:${value}`,
	since: (value) => `modified:>=${value}`,
	due: (value) => `date:${value}`,
	deadline: (value) => `date:${value}`,
	scheduled: (value) => `date:${value}`,
	note: (value) => `in:note ${value}`,
	tag: (value) => `#${value.replace(/^[#@]/, "")}`,
};

/** The words for a query that finds nothing. */
export function whyNothing(query: string): string {
	return `Nothing found for “${query.trim()}”.${reasonIn(query)}`;
}

/** A reason why a query may find nothing, with a blank before it; "" without one. */
function reasonIn(query: string): string {
	const [, wanted] = hasProperty.exec(query) ?? [];
	if (wanted !== undefined) {
		return ` “has:${wanted}” finds nodes with a property “${wanted}”. has:note, has:link, has:date and has:mirror find the other things that a node can have.`;
	}
	const [, key, value] = property.exec(query) ?? [];
	if (key === undefined || value === undefined) return "";
	const asked = ` “${key}:” finds nodes with a property “${key}”.`;
	const here = elsewhere[key.toLowerCase()]?.(value);
	if (here !== undefined) return `${asked} Did you mean “${here}”?`;
	return `${asked} To find the text itself, put it in quotes. Operators are is:, has:, links:, in:note, date:, created:, modified: and completed:.`;
}
