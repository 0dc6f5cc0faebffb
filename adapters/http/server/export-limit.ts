import { refusal } from "./problem.js";

/** How often users may export. */
export interface ExportLimit {
	/**
	 * Counts an export, and returns what takes it back. Exports count together if they are of the same outline object or
	 * come with the same API key: a host may make an outline for each request, or give a user several keys.
	 * @throws `rate_limited` if the user has begun too many within the last minute. Such a request doesn't count.
	 */
	admit(outline: object, apiKey: string): () => void;
	/** How many API keys are remembered at the moment: those that have exported within the last minute or so. */
	readonly size: number;
}

interface Admission {
	/** Milliseconds; -Infinity once it is taken back. */
	time: number;
}

const minute = 60_000;

/** A limit of so many exports in any 60 seconds; `Infinity` for none. Spec §8. */
export function createExportLimit(perMinute: number, now: () => number): ExportLimit {
	// Ordered by the last admission, so that what has expired stands in front.
	const byKey = new Map<string, Admission[]>();
	const byOutline = new WeakMap<object, Admission[]>();

	return {
		admit(outline, apiKey) {
			if (perMinute === Number.POSITIVE_INFINITY) return () => {};
			const time = now();
			forgetExpired(byKey, time);
			const ofKey = (byKey.get(apiKey) ?? []).filter((admission) => counts(admission, time));
			const ofOutline = (byOutline.get(outline) ?? []).filter((admission) => counts(admission, time));
			const counted = [...new Set([...ofKey, ...ofOutline])].sort((a, b) => a.time - b.time);
			if (counted.length >= perMinute) {
				throw limited(perMinute, counted[counted.length - perMinute]!.time + minute - time);
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

/** An admission of the future doesn't count: the clock has been set back, and nobody must wait until it is there again. */
function counts(admission: Admission, time: number): boolean {
	return admission.time <= time && time - admission.time < minute;
}

function forgetExpired(byKey: Map<string, Admission[]>, time: number): void {
	for (const [apiKey, admissions] of byKey) {
		if (admissions.some((admission) => counts(admission, time))) return;
		byKey.delete(apiKey);
	}
}

function limited(perMinute: number, wait: number): Error {
	const seconds = Math.ceil(wait / 1000);
	const detail =
		`The outline can be exported ${perMinute === 1 ? "once" : `${perMinute} times`} a minute. ` +
		`Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
	return refusal("rate_limited", detail, { "retry-after": String(seconds) }, { retry_after: seconds });
}
