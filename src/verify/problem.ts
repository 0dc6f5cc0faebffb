/** What is checked, in the order in which a repair mends it. */
export const problemKinds = [
	"invalid_id",
	"duplicate_short_id",
	"invalid_name",
	"invalid_note",
	"invalid_layout_mode",
	"invalid_time",
	"invalid_revision",
	"own_origin",
	"missing_origin",
	"mirror_as_origin",
	"invalid_priority",
	"duplicate_priority",
	"missing_parent",
	"parent_cycle",
	"same_origin_as_parent",
	"invalid_key",
	"misplaced_key",
	"disagreement",
] as const;

/**
 * What can be wrong with an outline.
 *
 * | kind | meaning |
 * |---|---|
 * | `invalid_id` | the id isn't UUID-style in lower case |
 * | `duplicate_short_id` | another node has the same short id |
 * | `invalid_name` `invalid_note` | the name is no canonical fragment, the note no text, or it holds what no text may (NUL, CR, lone surrogates) |
 * | `invalid_layout_mode` | the layout mode is none that is known |
 * | `invalid_time` | a time isn't in whole Unix seconds, in the years 1 to 9999 |
 * | `invalid_revision` | the node's revision isn't one that the outline has had |
 * | `own_origin` `missing_origin` `mirror_as_origin` | a mirror of itself, of a node that isn't there, of another mirror |
 * | `invalid_priority` | the priority is no integer from -3·2^50 to 3·2^50 |
 * | `duplicate_priority` | a sibling has the same priority |
 * | `missing_parent` | the parent isn't there |
 * | `parent_cycle` | the parents lead back to the node, so that it isn't below the top level |
 * | `same_origin_as_parent` | the node and its parent show the same content |
 * | `invalid_key` | the key is a calendar form that is no date, or no shortcut can have it |
 * | `misplaced_key` | the key is listed under another group than its own |
 * | `disagreement` | the storage's answers contradict each other |
 *
 * @useDeclaredType
 */
export type ProblemKind = (typeof problemKinds)[number];

/** Something that is wrong with an outline. */
export interface Problem {
	/** What is wrong. */
	readonly kind: ProblemKind;
	/** The node that it is about; `null` if it is about a key or about none. */
	readonly nodeId: string | null;
	/**
	 * The other node that has to do with it: the parent, the origin, the sibling, or the one with the same short id; `null` for
	 * none.
	 */
	readonly otherId: string | null;
	/** The key that it is about; `null` if it is about a node. */
	readonly key: string | null;
	/** The matter in words, for people. */
	readonly detail: string;
}

/** How many problems there are of each kind; kinds without any are left out. */
export type ProblemCounts = { readonly [K in ProblemKind]?: number };

/** A problem of a node. */
export function nodeProblem(
	kind: ProblemKind,
	nodeId: string | null,
	detail: string,
	otherId: string | null = null,
): Problem {
	return { kind, nodeId, otherId, key: null, detail };
}

/** A problem of a key. */
export function keyProblem(kind: ProblemKind, key: string, nodeId: string | null, detail: string): Problem {
	return { kind, nodeId, otherId: null, key, detail };
}

/** Counts problems, and keeps the first of them. */
export class ProblemList {
	readonly #limit: number;
	readonly #kept: Problem[] = [];
	readonly #counts = new Map<ProblemKind, number>();
	#total = 0;

	/** @param limit - how many are kept */
	constructor(limit: number) {
		this.#limit = limit;
	}

	/** How many there were. */
	get total(): number {
		return this.#total;
	}

	/** The first of them, in the order in which they came. */
	get kept(): readonly Problem[] {
		return this.#kept;
	}

	/** How many there were of each kind. */
	get counts(): ProblemCounts {
		return Object.fromEntries(this.#counts);
	}

	add(problem: Problem): void {
		this.#total += 1;
		this.#counts.set(problem.kind, (this.#counts.get(problem.kind) ?? 0) + 1);
		if (this.#kept.length < this.#limit) this.#kept.push(problem);
	}

	addAll(problems: Iterable<Problem>): void {
		for (const problem of problems) this.add(problem);
	}
}
