import type { OutlineEvent } from "../engine/event.js";
import { surface } from "../engine/listeners.js";
import type { OutlineListener } from "../engine/subscription.js";
import { OutlineError } from "../errors.js";
import { dayWords } from "../reference/calendar.js";

/** The number of nodes to look at. The listener is notified of a larger commit in any case. */
const mostNodes = 500;

/**
 * Notifies a listener after commits that may have changed what a scope sees.
 *
 * A difference in sight has a first edge on the way from the scope's node. A commit that adds the edge writes a node
 * that is in sight now. A commit that removes it writes a node whose former parent still is. So it is enough to
 * look for these, after each commit, at any later revision: an edge that a later commit breaks is written again by
 * the commit that restores it.
 */
export class SightWatch {
	readonly #sees: (ids: readonly string[]) => Promise<boolean>;
	readonly #refs: readonly string[];
	readonly #listener: OutlineListener;
	#waiting: OutlineEvent[] = [];
	#isChecking = true;
	/** Whether the node of a scope didn't exist at the last look. Undefined if the watch doesn't know. */
	#isGone: boolean | undefined;

	/**
	 * @param sees - whether the scope sees one of some nodes; rejects with `not_found` while its node doesn't exist
	 * @param refs - the references of the nodes of the scope and of the scopes around it
	 */
	constructor(sees: (ids: readonly string[]) => Promise<boolean>, refs: readonly string[], listener: OutlineListener) {
		this.#sees = sees;
		this.#refs = refs;
		this.#listener = listener;
		const look = async () => {
			try {
				await sees([]);
				// A commit since then may have brought the node back.
				if (this.#waiting.length === 0) this.#isGone = false;
			} catch {
				// A commit since then may have deleted the node, so the listener is notified of the next one in any case.
			}
			await this.#check();
		};
		void look();
	}

	/** Looks at the next commit of the outline. */
	add(event: OutlineEvent): void {
		this.#waiting.push(event);
		if (!this.#isChecking) void this.#check();
	}

	async #check(): Promise<void> {
		this.#isChecking = true;
		while (this.#waiting.length > 0) {
			const events = this.#waiting;
			this.#waiting = [];
			const { revision, source } = events.at(-1)!;
			if (!(await this.#mayDiffer(events))) continue;
			try {
				this.#listener({ revision, source, changes: [], keys: [], expired: true });
			} catch (error) {
				surface(error);
			}
		}
		this.#isChecking = false;
	}

	async #mayDiffer(events: readonly OutlineEvent[]): Promise<boolean> {
		const wasGone = this.#isGone;
		try {
			const ids = new Set(events.flatMap(touched));
			const isLarge = ids.size > mostNodes;
			const isSeen = (await this.#sees(isLarge ? [] : [...ids])) || isLarge;
			this.#isGone = false;
			return isSeen || wasGone !== false || events.some((event) => isUnclear(event, this.#refs));
		} catch (error) {
			this.#isGone = error instanceof OutlineError && error.code === "not_found" ? true : undefined;
			return !(this.#isGone && wasGone);
		}
	}
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
		const isRef = refs.includes(key) || (type === "calendar" && refs.some((ref) => dayWords.has(ref)));
		return isRef || (source === "remote" && previousId === undefined);
	});
}
