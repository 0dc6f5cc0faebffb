import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { LazyModule } from "../../engine/lazy-module.js";
import { ask, askAll, breathe, Counter, type Reading, stepwise } from "../../engine/protocol.js";
import { OutlineError, quoted } from "../../errors.js";
import { fieldNames } from "../../fields.js";
import { drawIds } from "../../id.js";
import { type NodeReference, notFound } from "../../reference/reference.js";
import type { Subtree } from "../../storage.js";
import type { Detachment } from "./detach.js";
import type { Promoted } from "./promote.js";

// Most deletions concern no mirrors, and most that do are refused.
const detachmentModule = new LazyModule("What detaches mirrors", () => import("./detach.js"));
const promotionModule = new LazyModule("What promotes origins", () => import("./promote.js"));

const mirrorPolicies = ["reject", "detach", "promote"] as const;

/**
 * What a deletion does about an origin that would go while mirrors of it stay. `reject`: nothing is deleted, as the spec has
 * it (§3). `detach`: each of these mirrors becomes a node of its own with a copy of all that was visible below it.
 * `promote`: the origin, with all below it, takes the place of the oldest of these mirrors instead of going.
 *
 * @useDeclaredType
 */
export type MirrorPolicy = (typeof mirrorPolicies)[number];

/** What {@link Outline.delete} takes besides the reference. */
export interface DeleteInput {
	/** Default `reject`. */
	mirrors?: MirrorPolicy | undefined;
}

/** The names of its fields. */
export const deleteFields = fieldNames<DeleteInput>({ mirrors: true });

/** What a deletion would do. */
export interface DeletionPlan {
	/**
	 * The ids of the nodes that would go: the node itself, then all below it, each after its parent; then mirrors that make room
	 * for their origins.
	 */
	nodeIds: string[];
	/** Those of them that are mirrors. */
	mirrorIds: string[];
	/** The keys that would go along: shortcuts, `inbox`, and calendar keys. */
	keys: string[];
	/** What forbids it: the ids of the mirrors, wherever they are, of origins that would go. Empty if nothing does. */
	forbiddenBy: string[];
	/**
	 * With `promote`: the origins that would stay, each in the place of one of its mirrors. The mirror goes, or takes the place
	 * that the origin leaves if what is above that stays.
	 */
	promoted: {
		/** The origin. */
		id: string;
		/** The mirror whose place it takes. */
		mirrorId: string;
	}[];
	/** With `detach`: the ids of the mirrors that would become nodes of their own. */
	detached: string[];
	/**
	 * With `detach`: how many nodes would be made, as copies of those that go. More than 100,000 are refused (`too_large`); where so
	 * many have been found, it may be even more.
	 */
	copies: number;
}

/** What a deletion comes to. */
interface Removal {
	readonly subtree: Subtree;
	/** The ids of the nodes of the subtree that go. */
	readonly going: ReadonlySet<string>;
	readonly forbiddenBy: readonly string[];
	readonly promoted: Promoted | null;
	/** The mirrors outside of origins that go, each with what stands below it by itself. */
	readonly detached: readonly Subtree[];
	/** What they need for becoming nodes of their own; null if there are none. */
	readonly detachment: Detachment | null;
}

/** The policy given, or the default. @throws `invalid_argument` */
export function mirrorPolicyArgument(value: unknown): MirrorPolicy {
	if (value === undefined) return "reject";
	const policy = mirrorPolicies.find((known) => known === value);
	if (policy !== undefined) return policy;
	throw new OutlineError(
		"invalid_argument",
		`mirrors is ${quoted(value)}. It must be one of ${mirrorPolicies.join(", ")}.`,
	);
}

/** What deleting a node would do. @throws `not_found` */
export function* planRemoval(reference: NodeReference, policy: MirrorPolicy): Reading<DeletionPlan> {
	const { subtree, going, forbiddenBy, promoted, detached, detachment } = yield* removalOf(reference, policy);
	const gone = subtree.nodes.flatMap(({ record }) => (going.has(record.id) ? [record] : []));
	if (promoted !== null) gone.push(...promoted.replaced);
	return {
		nodeIds: gone.map(({ id }) => id),
		mirrorIds: gone.filter(({ originId }) => originId !== null).map(({ id }) => id),
		keys: subtree.keys
			.filter(({ nodeId }) => going.has(nodeId))
			.map(({ key }) => key)
			.sort(),
		forbiddenBy: [...forbiddenBy],
		promoted: (promoted?.promotions ?? []).map(({ origin, mirror }) => ({ id: origin.id, mirrorId: mirror.id })),
		detached: detached.map(({ nodes }) => nodes[0]!.record.id),
		copies: detachment === null ? 0 : detachment.count,
	};
}

/**
 * Deletes a node and all below it, with the keys that point there. Spec §3, §4.5.
 *
 * @throws `not_found`; `has_mirrors` naming the mirrors of any origin among them, where the policy is to reject; `too_large` where
 * too many nodes would have to be copied
 */
export function* remove(
	call: Call,
	changes: Changes,
	reference: NodeReference,
	policy: MirrorPolicy = "reject",
): Reading<void> {
	const { subtree, going, forbiddenBy, promoted, detached, detachment } = yield* removalOf(reference, policy);
	if (forbiddenBy.length > 0) throw hasMirrors(forbiddenBy);
	detachment?.assertAllowed();
	const counter = new Counter();
	for (const { record, origin } of subtree.nodes) {
		if (counter.breathes) yield* breathe();
		if (!going.has(record.id)) continue;
		changes.remove(record);
		if (origin !== null && !going.has(origin.id)) changes.touch(origin);
	}
	for (const key of subtree.keys) if (going.has(key.nodeId)) changes.removeKey(key);
	for (const { before, after } of promoted?.moved ?? []) changes.put(before, after);
	for (const mirror of promoted?.replaced ?? []) changes.remove(mirror);
	for (const { before, after } of promoted?.keys ?? []) changes.putKey(before, after!);
	if (detachment === null) return;
	for (const mirror of detached) {
		const { ids } = yield* drawIds(call.ids, detachment.copiesFor(mirror));
		for (const { before, after } of detachment.changes(mirror, ids)) {
			if (counter.breathes) yield* breathe();
			changes.put(before, after);
		}
	}
}

function* removalOf(reference: NodeReference, policy: MirrorPolicy): Reading<Removal> {
	const [subtree] = yield* ask({ type: "subtree", of: reference.at });
	if (subtree.nodes.length === 0) throw notFound(reference);
	const going = new Set<string>();
	const mirrorIds: string[] = [];
	const counter = new Counter();
	for (const node of subtree.nodes) {
		if (counter.breathes) yield* breathe();
		going.add(node.record.id);
		for (const id of node.mirrorIds) mirrorIds.push(id);
	}
	const removal = { subtree, going, forbiddenBy: [], promoted: null, detached: [], detachment: null };
	if (policy === "reject") return { ...removal, forbiddenBy: mirrorIds };
	const outside = mirrorIds.filter((id) => !going.has(id));
	if (outside.length === 0) return removal;
	const [lineage, ...found] = yield* askAll([
		{ type: "ancestors", of: { id: subtree.nodes[0]!.record.id } },
		...outside.map((id) => ({ type: "node", at: { id } }) as const),
	] as const);
	const mirrors = found.map((mirror) => mirror!.record);
	mirrors.sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1));
	if (policy === "promote") {
		const { promote } = yield* promotionModule.get();
		const promoted = yield* promote(subtree, lineage, mirrors);
		return { ...removal, going: promoted.going, promoted };
	}
	const detached = yield* askAll(mirrors.map(({ id }) => ({ type: "subtree", of: { id } }) as const));
	const { Detachment } = yield* detachmentModule.get();
	return { ...removal, detached, detachment: yield* stepwise(Detachment.of(detached, subtree)) };
}

function hasMirrors(mirrorIds: readonly string[]): OutlineError {
	const named = mirrorIds.slice(0, 5).join(", ") + (mirrorIds.length > 5 ? ` and ${mirrorIds.length - 5} more` : "");
	return new OutlineError(
		"has_mirrors",
		`The node, or one below it, is an origin that still has mirrors. Its mirrors: ${named}. Delete these first, move the origin out of what is deleted, or say what becomes of them with mirrors: "detach" or "promote".`,
		{ mirrorIds },
	);
}
