/** A query in which the tag at the end, which may still be typed, is a beginning. */
export function asTyped(query: string): string {
	return /(?:^|[\s-])[#@＃＠][\p{L}\p{N}\p{M}_/-]+$/u.test(query) ? `${query}*` : query;
}

/** A term about a property, which a person may have taken for an operator. */
const property =
	/(?:^|\s)-?((?!(?:is|in|has|links|created|modified|completed):)[\p{L}_][\p{L}\p{M}\p{N}_-]*):(?![/\s])\S/iu;

/** The words for a query that finds nothing. */
export function whyNothing(query: string): string {
	const [, key] = property.exec(query) ?? [];
	const reason = key === undefined ? "" : ` “${key}:” asks for nodes with a property “${key}”. For the text, quote it.`;
	return `Nothing is found for “${query.trim()}”.${reason}`;
}
