/** The kinds of problems, in the order in which a repair mends them. */
export const problemKinds = [
	"invalid_id",
	"duplicate_short_id",
	"invalid_name",
	"invalid_note",
	"invalid_layout_mode",
	"invalid_properties",
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
 * The kind of a problem in an outline.
 *
 * | kind | meaning |
 * |---|---|
 * | `invalid_id` | the id isn't UUID-style in lower case |
 * | `duplicate_short_id` | another node has the same short id |
 * | `invalid_name` | the name is no canonical fragment |
 * | `invalid_note` | the note is no text, or has NUL, CR or lone surrogates |
 * | `invalid_layout_mode` | the layout mode is unknown |
 * | `invalid_properties` | the properties are no JSON object as the outline writes it |
 * | `invalid_time` | a time isn't in whole Unix seconds, in the years 1 to 9999 |
 * | `invalid_revision` | the node's revision isn't one that the outline has had |
 * | `own_origin` | the node is a mirror of itself |
 * | `missing_origin` | the node is a mirror of a node that isn't there |
 * | `mirror_as_origin` | the node is a mirror of another mirror |
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

/** A problem in an outline. */
export interface Problem {
	/** The kind of the problem. */
	readonly kind: ProblemKind;
	/** The id of the node with the problem; `null` if a key has it, or no single node. */
	readonly nodeId: string | null;
	/**
	 * The id of the other node of the problem: the parent, the origin, the sibling, or the node with the same
	 * short id; `null` if there is none.
	 */
	readonly otherId: string | null;
	/** The key with the problem; `null` if a node has it. */
	readonly key: string | null;
	/** The problem in words, for people. */
	readonly detail: string;
}

/** The number of problems by kind, without the kinds that have none. */
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

	/** @param limit - the number of problems to keep */
	constructor(limit: number) {
		this.#limit = limit;
	}

	/** The number of problems. */
	get total(): number {
		return this.#total;
	}

	/** The first problems, in the order in which `add` got them. */
	get kept(): readonly Problem[] {
		return this.#kept;
	}

	/** The number of problems by kind. */
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
