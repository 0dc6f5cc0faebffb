import type { Changes } from "../engine/changes.js";
import { askAll, breath, type Reading } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import type { NodeReference } from "../reference/reference.js";
import type { Answer, Locator, Query, StoredKey, StoredNode, Subtree } from "../storage.js";
import { assertDemands, type Demand } from "./demand.js";
import { Exploration } from "./exploration.js";
import { assertInside, restoreParents } from "./guard.js";
import type { ScopeMemory } from "./memory.js";
import { forbidden, noSuchPlace, outside } from "./refusal.js";

type TopLevelQuery = Extract<Query, { type: "children" }>;

/** How many nodes are asked for along with something else, to see whether an operation may work on them. */
const demandsAtOnce = 64;

/** Asks at which revision the answers are. */
const revisionQuery = { type: "changes", since: Number.MAX_SAFE_INTEGER, limit: 1 } as const;

/**
 * The outline as it is seen from one of its nodes: a reading that is run through it finds only what is visible there, as if
 * there were nothing else. What is outside is answered like what doesn't exist. So every operation is the same in a scope as
 * elsewhere, and scopes may lie in each other.
 *
 * A view is for one reading: all that it knows is of one revision.
 */
export class ScopeView {
	readonly #reference: NodeReference;
	readonly #memory: ScopeMemory | undefined;
	#known: Exploration | undefined;
	#revision = 0;
	/** The nodes that have mirrors which aren't shown. */
	readonly #hiding = new Set<string>();

	/** @param reference - the node of the scope */
	constructor(reference: NodeReference, memory?: ScopeMemory) {
		this.#reference = reference;
		this.#memory = memory;
	}

	/** Runs a reading on what is visible. @throws `not_found` if the node of the scope is gone */
	read<T>(reading: Reading<T>): Reading<T> {
		return this.#run(reading, []);
	}

	/**
	 * Runs a reading that writes, and looks after it: what it was to work on, and all that it changes, must be inside.
	 *
	 * @throws `forbidden` `not_found` `has_mirrors`
	 */
	*write<T>(changes: Changes, reading: Reading<T>, demands: readonly Demand[]): Reading<T> {
		const value = yield* this.#run(reading, demands);
		if (changes.empty) return value;
		yield* assertInside(changes, this.#known!, this.#hiding, this.#reference);
		restoreParents(changes, this.#known!);
		return value;
	}

	*#run<T>(reading: Reading<T>, demands: readonly Demand[]): Reading<T> {
		let demanded = 0;
		for (; demands.length - demanded > demandsAtOnce; demanded += demandsAtOnce) {
			yield* this.#assert(demands.slice(demanded, demanded + demandsAtOnce), []);
		}
		let rest = demands.slice(demanded);
		let step = reading.next([]);
		while (!step.done) {
			if (step.value === breath) {
				step = reading.next(yield step.value);
				continue;
			}
			const stray = step.value.find(isAboutTopLevel);
			if (stray !== undefined) {
				step = reading.throw(topLevelRefusal(stray));
				continue;
			}
			const answers = yield* this.#assert(rest, step.value);
			rest = [];
			step = reading.next(answers);
		}
		if (this.#known !== undefined) this.#memory?.keep(this.#known, this.#revision);
		return step.value;
	}

	/** Answers queries, if demands are met. @throws `forbidden` */
	*#assert(demands: readonly Demand[], queries: readonly Query[]): Reading<readonly Answer<Query>[]> {
		const answers = yield* this.#answers([...queries, ...demands.map(({ at }): Query => ({ type: "node", at }))]);
		if (demands.length === 0) return answers;
		yield* assertDemands(demands, answers.slice(queries.length) as (StoredNode | null)[], this.#known!);
		return answers.slice(0, queries.length);
	}

	*#answers(queries: readonly Query[]): Reading<Answer<Query>[]> {
		const answers = yield* this.#outerAnswers(queries);
		const known = this.#known!;
		const nodes: StoredNode[] = [];
		const ids = new Set<string>();
		for (const [place, query] of queries.entries()) {
			const at = locatorOf(query);
			const id = at && known.find(at);
			if (typeof id === "string") ids.add(id);
			for (const node of nodesIn(query, answers[place]!)) {
				known.learn(node);
				nodes.push(node);
				const { parentId } = node.record;
				// What is visible below a mirror and isn't its own is its origin's.
				if (query.type === "children" && id && parentId !== null && parentId !== id) known.learnMirror(id, parentId);
				if (at === undefined) ids.add(node.record.id);
			}
		}
		yield* known.explore(ids);
		yield* known.explore(
			nodes.flatMap(({ record, mirrorIds }) => (known.isVisible(record.id) ? (mirrorIds as string[]) : [])),
		);
		return queries.map((query, place) => this.#shown(query, answers[place]!));
	}

	/** What the outline answers, hidden or not; asks along where the nodes stand that the queries name. */
	*#outerAnswers(queries: readonly Query[]): Reading<readonly Answer<Query>[]> {
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
			...queries,
			...located.map((of) => ({ type: "ancestors", of }) as const),
			...(isFirst && this.#memory !== undefined ? [revisionQuery] : []),
		]);
		const lineages = answers.slice(queries.length, queries.length + located.length) as (readonly string[])[];
		if (isFirst && this.#memory !== undefined) {
			this.#revision = (answers.at(-1) as Answer<typeof revisionQuery>).revision;
			// What was remembered isn't true any more, and so it wasn't asked where everything stands.
			if (recalled !== undefined && !this.#memory.isOf(this.#revision)) return yield* this.#outerAnswers(queries);
		}
		this.#known = known ?? explorationFrom(lineages[0]!);
		for (const [place, of] of located.entries()) this.#known.learnLineage(of, lineages[place]!);
		for (const [place, query] of queries.entries()) {
			if (query.type === "ancestors") this.#known.learnLineage(query.of, answers[place] as readonly string[]);
		}
		return answers.slice(0, queries.length);
	}

	#shown(query: Query, answer: Answer<Query>): Answer<Query> {
		const known = this.#known!;
		const at = locatorOf(query);
		const id = at && known.find(at);
		if (at !== undefined && !(typeof id === "string" && known.isVisible(id))) return nothing(query);
		switch (query.type) {
			case "node":
				return answer && this.#masked(answer as StoredNode);
			case "children":
				return (answer as StoredNode[]).map((node) => this.#masked(node));
			case "ancestors":
				return this.#line(answer as readonly string[]);
			case "subtree": {
				const { nodes, keys } = answer as Subtree;
				return { nodes: nodes.map((node) => this.#masked(node)), keys };
			}
			case "related":
				return (answer as StoredNode[])
					.filter(({ record }) => known.isVisible(record.id))
					.map((node) => this.#masked(node));
			case "keys":
				return (answer as StoredKey[])
					.filter(({ node }) => known.isVisible(node.record.id))
					.map(({ record, node }) => ({ record, node: this.#masked(node) }));
			case "taken":
				return answer;
			case "changes":
				// A scope within asks for the revision, and nobody for more.
				return { ...(answer as Answer<typeof revisionQuery>), nodes: [], deleted: [] };
			// Each query is named, so that a new one has to be thought of.
			case "receipt":
				throw new Error(`No operation of a scope asks for ${query.type}.`);
		}
	}

	/** A node without what is hidden of what is around it. */
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

	/** As much of a lineage as is visible, up to the top. */
	#line(lineage: readonly string[]): readonly string[] {
		const known = this.#known!;
		const top = lineage.indexOf(known.top);
		const end = top < 0 ? lineage.findIndex((id) => !known.isVisible(id)) : top + 1;
		return end < 0 ? lineage : lineage.slice(0, end);
	}
}

/** @param lineage - of the node that everything is seen from */
function explorationFrom(lineage: readonly string[]): Exploration {
	const top = lineage[0];
	if (top === undefined) {
		throw new OutlineError(
			"not_found",
			"The node that this scope is limited to isn't there: it has been deleted, or not been made yet. Once it is there, the scope works.",
		);
	}
	return new Exploration(top);
}

/** There is no top level here: a scope's node stands alone. */
function isAboutTopLevel(query: Query): query is TopLevelQuery {
	return query.type === "children" && query.of === null;
}

/** Who asks for a part of the top level wants a place beside one that stands alone; for its end, that of a node on demand. */
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
			return answer as readonly StoredNode[];
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

/** What is answered about a node that isn't there. */
function nothing({ type }: Query): Answer<Query> {
	if (type === "node") return null;
	return type === "subtree" ? { nodes: [], keys: [] } : [];
}
