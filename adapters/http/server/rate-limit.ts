import { refusal } from "./problem.js";

/** Limits the exports of each user, or the images of sync. */
export interface RateLimit {
	/**
	 * Counts a download. Returns a function that undoes the count. Downloads of the same outline object count
	 * together, and so do downloads with the same API key. So the limit holds if the host makes an outline for
	 * each request, and if a user has several keys.
	 *
	 * @throws `rate_limited` if the user began too many downloads within the last 60 seconds; this one doesn't
	 * count
	 */
	admit(outline: object, apiKey: string): () => void;
	/** The number of API keys in memory: the keys of about the last minute. */
	readonly size: number;
}

interface Admission {
	/** In milliseconds; -Infinity after the count is undone. */
	time: number;
}

const minute = 60_000;

/**
 * Creates a limit. Spec §8.
 *
 * @param perMinute - the most downloads of a user within 60 seconds; `Infinity` for no limit
 * @param now - the time in milliseconds
 * @param participle - the end of the sentence "The outline can be …", for the message
 */
export function createRateLimit(perMinute: number, now: () => number, participle = "exported"): RateLimit {
	// Ordered by the last admission, so that expired keys come first.
	const byKey = new Map<string, Admission[]>();
	const byOutline = new WeakMap<object, Admission[]>();

	return {
		admit(outline, apiKey) {
			if (perMinute === Number.POSITIVE_INFINITY) return () => {};
			const time = now();
			// With another value no admission would count, and there would be no limit.
			if (!Number.isFinite(time)) throw new RangeError("now must return milliseconds.");
			forgetExpired(byKey, time);
			const ofKey = (byKey.get(apiKey) ?? []).filter((admission) => counts(admission, time));
			const ofOutline = (byOutline.get(outline) ?? []).filter((admission) => counts(admission, time));
			const counted = [...new Set([...ofKey, ...ofOutline])].sort((a, b) => a.time - b.time);
			if (counted.length >= perMinute) {
				throw rateLimited(participle, perMinute, counted[counted.length - perMinute]!.time + minute - time);
			}
			const admission: Admission = { time };
			byKey.delete(apiKey);
			byKey.set(apiKey, [...ofKey, admission]);
			byOutline.set(outline, [...ofOutline, admission]);
			return () => {
				admission.time = Number.NEGATIVE_INFINITY;
			};
		},
		get size() {
			return byKey.size;
		},
	};
}

/** Begins a download, and counts it against a limit unless it fails before its first byte. @throws `rate_limited` */
export async function withinLimit<T>(
	limit: RateLimit,
	outline: object,
	apiKey: string,
	begin: () => Promise<T>,
): Promise<T> {
	const uncount = limit.admit(outline, apiKey);
	try {
		return await begin();
	} catch (error) {
		uncount();
		throw error;
	}
}

/**
 * Whether an admission counts. One in the future doesn't: the clock was set back, and users must not wait for
 * it.
 */
function counts(admission: Admission, time: number): boolean {
	return admission.time <= time && time - admission.time < minute;
}

function forgetExpired(byKey: Map<string, Admission[]>, time: number): void {
	for (const [apiKey, admissions] of byKey) {
		if (admissions.some((admission) => counts(admission, time))) return;
		byKey.delete(apiKey);
	}
}

function rateLimited(participle: string, perMinute: number, wait: number): Error {
	const seconds = Math.ceil(wait / 1000);
	const detail =
		`The outline can be ${participle} ${perMinute === 1 ? "once" : `${perMinute} times`} a minute. ` +
		`Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
	return refusal("rate_limited", detail, { "retry-after": String(seconds) }, { retry_after: seconds });
}
