import type { PostgresPool } from "./client.js";

/** Pools behind which a connection doesn't find again what it has prepared. */
const forgetful = new WeakSet<PostgresPool>();

const names = new Map<string, string>();

/** How many statements have a name at once. */
const keptNames = 400;

/**
 * The name under which a connection keeps a statement compiled: compiling one takes longer than running it. The name says
 * what the text is, so that no other statement ever has it. Undefined where nothing can be kept.
 */
export function nameOf(sql: string, pool: PostgresPool): string | undefined {
	if (forgetful.has(pool)) return undefined;
	let name = names.get(sql);
	if (name === undefined) {
		name = `outlinekit_${digestOf(sql)}`;
		if (names.size >= keptNames) names.delete(names.keys().next().value!);
		names.set(sql, name);
	}
	return name;
}

/**
 * Whether a failure means that what stands between us and the server gives each statement another of its connections, as
 * poolers may that don't know of prepared statements. Nothing was run then, and from now on nothing is prepared on this pool.
 */
export function forgets(pool: PostgresPool, failure: unknown): boolean {
	const { code } = (failure ?? {}) as { code?: unknown };
	// There is no statement of this name, or there is one already.
	if (code !== "26000" && code !== "42P05") return false;
	forgetful.add(pool);
	return true;
}

/** 16 hex digits that differ for different texts, as far as two sums of 32 bits can. */
function digestOf(text: string): string {
	let first = 0x811c9dc5;
	let second = 0x9747b28c;
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		first = Math.imul(first ^ unit, 0x01000193);
		second = Math.imul(second ^ (unit + at), 0x85ebca6b);
		second ^= second >>> 13;
	}
	const hex = (sum: number) => (sum >>> 0).toString(16).padStart(8, "0");
	return hex(first) + hex(second);
}
