import type { OutlineEvent } from "../engine/event.js";
import type { OutlineListener } from "../engine/subscription.js";
import { OutlineError } from "../errors.js";

/** The methods that a watch needs of its scope. */
export interface SightHost {
	/** Listens to the whole outline. */
	subscribe(listener: OutlineListener): () => void;
	/** Whether the scope sees one of some nodes. @throws `not_found` while the node of a scope doesn't exist */
	sees(ids: readonly string[]): Promise<boolean>;
	/** The references of the nodes of the scope and of the scopes around it. */
	readonly refs: readonly string[];
}

/** The number of nodes to look at. Of a larger commit, the listener hears in any case. */
const mostNodes = 500;

const days: ReadonlySet<string> = new Set(["today", "tomorrow", "next_week"]);

/**
 * Notifies a listener after commits that may have changed what a scope sees. Returns a function that ends this.
 *
 * A difference in sight has a first edge on the way from the scope's node. A commit that adds the edge writes a node
 * that is in sight now. A commit that removes it writes a node whose former parent still is. So it is enough to
 * look for these, after each commit, at any later revision: an edge that a later commit breaks is written again by
 * the commit that restores it.
 */
export function watchSight(host: SightHost, listener: OutlineListener): () => void {
	let waiting: OutlineEvent[] = [];
	let isChecking = false;
	let isGone = false;
	const mayDiffer = async (events: readonly OutlineEvent[]): Promise<boolean> => {
		const wasGone = isGone;
		try {
			const ids = new Set(events.flatMap(touched));
			const isSeen = ids.size <= mostNodes && (await host.sees([...ids]));
			isGone = false;
			return isSeen || wasGone || ids.size > mostNodes || events.some((event) => isUnclear(event, host.refs));
		} catch (error) {
			isGone = error instanceof OutlineError && error.code === "not_found";
			return !(isGone && wasGone);
		}
	};
	const check = async () => {
		isChecking = true;
		while (waiting.length > 0) {
			const events = waiting;
			waiting = [];
			const { revision, source } = events.at(-1)!;
			if (!(await mayDiffer(events)) || stopped) continue;
			try {
				listener({ revision, source, changes: [], keys: [], expired: true });
			} catch (error) {
				void Promise.reject(error);
			}
		}
		isChecking = false;
	};
	let stopped = false;
	const stop = host.subscribe((event) => {
		waiting.push(event);
		if (!isChecking) void check();
	});
	return () => {
		stopped = true;
		waiting = [];
		stop();
	};
}

/** Returns the nodes that show whether a commit concerns a scope. */
function touched({ changes, keys }: OutlineEvent): string[] {
	return [
		...changes.flatMap(({ id, before }) => [id, before?.parentId ?? id]),
		...keys.flatMap(({ nodeId, previousId }) => [nodeId ?? [], previousId ?? []].flat()),
	];
}

/** Whether the nodes of a commit don't show all that it changes. */
function isUnclear({ changes, keys, source, expired }: OutlineEvent, refs: readonly string[]): boolean {
	if (expired) return true;
	// The former parent isn't known.
	if (changes.some(({ before, after }) => before === undefined && (source === "remote" || after === undefined))) {
		return true;
	}
	return keys.some(({ key, type, previousId }) => {
		const isRef = refs.includes(key) || (type === "calendar" && refs.some((ref) => days.has(ref)));
		return isRef || (source === "remote" && previousId === undefined);
	});
}
