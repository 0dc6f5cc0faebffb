import type { PostgresPool } from "./client.js";

/** Pools whose connections lose their prepared statements. */
const forgetful = new WeakSet<PostgresPool>();

const names = new Map<string, string>();

/** The most statements that have a name at once. */
const keptNames = 400;

/**
 * Returns the name under which a connection keeps a statement compiled, because compiling takes longer than
 * running. The name depends on the text, so no other statement ever has it. Returns undefined if the pool's
 * connections can't keep statements.
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
 * Whether a failure means that a pooler gives each statement another connection of the server, without
 * support for prepared statements. In that case the statement didn't run. From now on, no statement is
 * prepared on this pool.
 */
export function forgets(pool: PostgresPool, failure: unknown): boolean {
	const { code } = (failure ?? {}) as { code?: unknown };
	// There is no statement of this name, or there is one already.
	if (code !== "26000" && code !== "42P05") return false;
	forgetful.add(pool);
	return true;
}

/** Returns 16 hex digits that differ for different texts, as far as two 32-bit sums can. */
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
