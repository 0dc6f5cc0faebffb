import type { Changes } from "../engine/changes.js";
import { askAll, Counter, newestQuery, type Operation, pause, pausePoint } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import type { NodeReference } from "../reference/reference.js";
import type { Answer, Locator, Query, StoredKey, StoredNode, Subtree } from "../storage.js";
import { assertDemands, type Demand } from "./demand.js";
import { Exploration } from "./exploration.js";
import { assertInside, restoreParents } from "./guard.js";
import type { ScopeMemory } from "./memory.js";
import { forbidden, noSuchPlace, outside } from "./refusal.js";

// Scopes load this module on first use, and the watch with it.
export { SightWatch } from "./sight.js";

type TopLevelQuery = Extract<Query, { type: "children" }>;

/** The most demanded nodes in one request. */
const demandsAtOnce = 64;

/**
 * Runs operations on the nodes that are visible from one node of the outline. It answers queries about hidden
 * nodes as if these didn't exist. So each operation works in a scope without changes, and scopes can be
 * nested.
 *
 * A view is for one operation, because it knows the nodes at one revision only.
 */
export class ScopeView {
	readonly #reference: NodeReference;
	readonly #memory: ScopeMemory | undefined;
	#known: Exploration | undefined;
	#revision = 0;
	/** The nodes with hidden mirrors. */
	readonly #hiding = new Set<string>();

	/** @param reference - the node of the scope */
	constructor(reference: NodeReference, memory?: ScopeMemory) {
		this.#reference = reference;
		this.#memory = memory;
	}

	/** Runs an operation on the visible nodes. @throws `not_found` if the node of the scope is gone */
	read<T>(operation: Operation<T>): Operation<T> {
		return this.#run(operation, []);
	}

	/**
	 * Runs an operation that writes. The nodes that it demands, and all nodes that it changes, must be inside.
	 *
	 * @throws `forbidden` `not_found` `has_mirrors`
	 */
	*write<T>(changes: Changes, operation: Operation<T>, demands: readonly Demand[]): Operation<T> {
		const value = yield* this.#run(operation, demands);
		if (changes.empty) return value;
		yield* assertInside(changes, this.#known!, this.#hiding, this.#reference);
		yield* restoreParents(changes, this.#known!);
		return value;
	}

	*#run<T>(operation: Operation<T>, demands: readonly Demand[]): Operation<T> {
		let demanded = 0;
		for (; demands.length - demanded > demandsAtOnce; demanded += demandsAtOnce) {
			yield* this.#answersIfAllowed(demands.slice(demanded, demanded + demandsAtOnce), []);
		}
		let rest = demands.slice(demanded);
		let step = operation.next([]);
		while (!step.done) {
			if (step.value === pausePoint) {
				step = operation.next(yield step.value);
				continue;
			}
			const stray = step.value.find(isAboutTopLevel);
			if (stray !== undefined) {
				step = operation.throw(topLevelRefusal(stray));
				continue;
			}
			const answers = yield* this.#answersIfAllowed(rest, step.value);
			rest = [];
			step = operation.next(answers);
		}
		if (this.#known !== undefined) this.#memory?.keep(this.#known, this.#revision);
		return step.value;
	}

	/** Answers queries if all demands are met. @throws `forbidden` */
	*#answersIfAllowed(demands: readonly Demand[], queries: readonly Query[]): Operation<readonly Answer<Query>[]> {
		const answers = yield* this.#answers([...queries, ...demands.map(({ at }): Query => ({ type: "node", at }))]);
		if (demands.length === 0) return answers;
		yield* assertDemands(demands, answers.slice(queries.length) as (StoredNode | null)[], this.#known!);
		return answers.slice(0, queries.length);
	}

	*#answers(queries: readonly Query[]): Operation<Answer<Query>[]> {
		const answers = yield* this.#outerAnswers(queries);
		const known = this.#known!;
		const nodes: StoredNode[] = [];
		const ids = new Set<string>();
		const counter = new Counter();
		for (const [index, query] of queries.entries()) {
			const at = locatorOf(query);
			const id = at && known.find(at);
			if (typeof id === "string") ids.add(id);
			for (const node of nodesIn(query, answers[index]!)) {
				if (counter.isDue()) yield* pause();
				known.learn(node);
				nodes.push(node);
				const { parentId } = node.record;
				// A visible child of a mirror that isn't its own is a child of its origin.
				if (query.type === "children" && id && parentId !== null && parentId !== id) known.learnMirror(id, parentId);
				if (at === undefined) ids.add(node.record.id);
			}
		}
		yield* known.explore(ids);
		const mirrors: string[] = [];
		for (const { record, mirrorIds } of nodes) {
			if (counter.isDue()) yield* pause();
			if (mirrorIds.length > 0 && known.isVisible(record.id)) for (const id of mirrorIds) mirrors.push(id);
		}
		yield* known.explore(mirrors);
		const shown: Answer<Query>[] = [];
		for (const [index, query] of queries.entries()) shown.push(yield* this.#shown(query, answers[index]!));
		return shown;
	}

	/**
	 * The answers of the outline, hidden nodes included. Reads the ancestors of the queried nodes in the same
	 * request.
	 */
	*#outerAnswers(queries: readonly Query[]): Operation<readonly Answer<Query>[]> {
		const isFirst = this.#known === undefined;
		const recalled = isFirst ? this.#memory?.take() : undefined;
		const known = this.#known ?? recalled;
		const lines = new Map<string, Locator>();
		if (known === undefined) lines.set(JSON.stringify(this.#reference.at), this.#reference.at);
		for (const query of queries) {
			const at = locatorOf(query);
			if (at !== undefined && known?.find(at) === undefined) lines.set(JSON.stringify(at), at);
		}
		for (const query of queries)
			if (query.type === "ancestors" && known !== undefined) lines.delete(JSON.stringify(query.of));
		const located = [...lines.values()];
		const answers: readonly Answer<Query>[] = yield* askAll<readonly Query[]>([
			...queries.map(withWholeLine),
			...located.map((of) => ({ type: "ancestors", of }) as const),
			...(isFirst && this.#memory !== undefined ? [newestQuery] : []),
		]);
		const lineages = answers.slice(queries.length, queries.length + located.length) as (readonly string[])[];
		if (isFirst && this.#memory !== undefined) {
			this.#revision = (answers.at(-1) as Answer<typeof newestQuery>).revision;
			// The outline has changed, so the exploration is out of date and some lineages are missing.
			if (recalled !== undefined && !this.#memory.isOf(this.#revision)) return yield* this.#outerAnswers(queries);
		}
		this.#known = known ?? explorationFrom(lineages[0]!);
		for (const [index, of] of located.entries()) this.#known.learnLineage(of, lineages[index]!);
		for (const [index, query] of queries.entries()) {
			if (query.type === "ancestors") this.#known.learnLineage(query.of, answers[index] as readonly string[]);
		}
		return answers.slice(0, queries.length);
	}

	*#shown(query: Query, answer: Answer<Query>): Operation<Answer<Query>> {
		const known = this.#known!;
		const at = locatorOf(query);
		const id = at && known.find(at);
		if (at !== undefined && !(typeof id === "string" && known.isVisible(id))) return nothing(query);
		switch (query.type) {
			case "node":
				return answer && this.#masked(answer as StoredNode);
			case "children":
				return yield* this.#visibleOf(answer as StoredNode[]);
			case "ancestors":
				return this.#line(answer as readonly string[]);
			case "subtree": {
				const { nodes, keys } = answer as Subtree;
				return { nodes: yield* this.#visibleOf(nodes), keys };
			}
			case "related":
				return yield* this.#visibleOf(answer as StoredNode[]);
			case "keys":
				return (answer as StoredKey[])
					.filter(({ node }) => known.isVisible(node.record.id))
					.map(({ record, node }) => ({ record, node: this.#masked(node) }));
			case "taken":
				return answer;
			case "changes":
				// Only a scope within asks for changes, and it needs the revision alone.
				return { ...(answer as Answer<typeof newestQuery>), nodes: [], deleted: [], keys: [], droppedKeys: [] };
			// Each query has its case, so that the compiler points here for a new one.
			case "documents":
				throw new Error(`No operation of a scope asks for ${query.type}.`);
		}
	}

	/** The visible nodes among some nodes, each without what is hidden. */
	*#visibleOf(nodes: readonly StoredNode[]): Operation<StoredNode[]> {
		const counter = new Counter();
		const shown: StoredNode[] = [];
		for (const node of nodes) {
			if (counter.isDue()) yield* pause();
			if (this.#known!.isVisible(node.record.id)) shown.push(this.#masked(node));
		}
		return shown;
	}

	/** A node without its hidden parent and its hidden mirrors. */
	#masked(node: StoredNode): StoredNode {
		const known = this.#known!;
		const { record } = node;
		const { id, parentId } = record;
		const mirrorIds = node.mirrorIds.filter((mirrorId) => known.isVisible(mirrorId));
		if (mirrorIds.length < node.mirrorIds.length) this.#hiding.add(id);
		const standsAlone = parentId !== null && (id === known.top || !known.isVisible(parentId));
		if (!standsAlone && mirrorIds.length === node.mirrorIds.length) return node;
		return { ...node, record: standsAlone ? { ...record, parentId: null } : record, mirrorIds };
	}

	/** The visible beginning of a lineage, up to the top. */
	#line(lineage: readonly string[]): readonly string[] {
		const known = this.#known!;
		const top = lineage.indexOf(known.top);
		const end = top < 0 ? lineage.findIndex((id) => !known.isVisible(id)) : top + 1;
		return end < 0 ? lineage : lineage.slice(0, end);
	}
}

/** Returns a query; for ancestors without a limit, because the exploration has to learn where a line ends. */
function withWholeLine(query: Query): Query {
	return query.type === "ancestors" ? { type: "ancestors", of: query.of } : query;
}

/** An exploration from the first node of a lineage. @throws `not_found` if the lineage is empty */
function explorationFrom(lineage: readonly string[]): Exploration {
	const top = lineage[0];
	if (top === undefined) {
		throw new OutlineError(
			"not_found",
			"The node of this scope doesn't exist: it was deleted, or isn't created yet. The scope works as soon as the node exists.",
		);
	}
	return new Exploration(top);
}

/** Whether a query is about the top level, which no scope has. */
function isAboutTopLevel(query: Query): query is TopLevelQuery {
	return query.type === "children" && query.of === null;
}

/**
 * The error for a place beside the scope's node, or for an inbox or calendar node at the end of the top
 * level.
 */
function topLevelRefusal({ after, before }: TopLevelQuery): OutlineError {
	return after === undefined && before === undefined ? noSuchPlace() : forbidden(outside);
}

function locatorOf(query: Query): Locator | undefined {
	if (query.type === "node") return query.at;
	return "of" in query ? (query.of ?? undefined) : undefined;
}

function nodesIn(query: Query, answer: Answer<Query>): readonly StoredNode[] {
	switch (query.type) {
		case "node":
			return answer === null ? [] : [answer as StoredNode];
		case "children":
		case "related":
			return answer as readonly StoredNode[];
		case "subtree":
			return (answer as Subtree).nodes;
		case "keys":
			return (answer as readonly StoredKey[]).map(({ node }) => node);
		default:
			return [];
	}
}

/** The answer about a node that doesn't exist. */
function nothing({ type }: Query): Answer<Query> {
	if (type === "node") return null;
	return type === "subtree" ? { nodes: [], keys: [] } : [];
}
