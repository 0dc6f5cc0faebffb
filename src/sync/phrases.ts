/**
 * Phrases that most pushes have. Each is sent as one control character, which JSON never contains as it is. A short
 * push consists mostly of them, and compression alone can't tell a phrase that comes once. Part of the protocol: the
 * order stays.
 */
const phrases = [
	'{"protocol":1,"outline":"',
	'","device":"',
	'","since":',
	',"mark":"',
	'","last":',
	',"digest":"',
	'","limit":',
	'{"seq":',
	',"at":',
	',"nodes":[{"id":"',
	'","before":null,"after":{',
	'","before":{',
	'},"after":{',
	'"name":"',
	'},"rest":{',
	'"parentId":"',
	'","priority":',
	',"createdAt":',
	',"modifiedAt":',
	',"completedAt":',
	'},"above":',
	',"below":',
	'],"known":{"',
	'":{"parentId":',
] as const;

/** Their signs: control characters that aren't white space in JSON, 1 to 8 and 14 to 29. */
const signs = phrases.map((_, at) => String.fromCharCode(at < 8 ? at + 1 : at + 6));

/** The most characters of a push with signs, which also stays small if each of them is one. */
export const shortPush = 4096;

/** Returns a push with signs in place of its phrases. A long one stays as it is. */
export function withSigns(push: string): string {
	if (push.length > shortPush) return push;
	return phrases.reduce((text, phrase, at) => text.replaceAll(phrase, signs[at]!), push);
}

/** Returns a line of a short push with phrases in place of its signs. */
export function withPhrases(line: string): string {
	return phrases.reduce((text, phrase, at) => text.replaceAll(signs[at]!, phrase), line);
}
