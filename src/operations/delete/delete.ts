import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { drawIds } from "../../engine/id-source.js";
import { LazyModule } from "../../engine/lazy-module.js";
import { ask, askAll, Counter, type Operation, pause, stepwise } from "../../engine/protocol.js";
import { OutlineError } from "../../errors.js";
import { type Fields, wordArgument } from "../../fields.js";
import { type NodeReference, nodeReference, notFound } from "../../reference/reference.js";
import type { Subtree } from "../../storage.js";
import { noIds, type Prepared } from "../prepared.js";
import { inReadingOrder } from "../subtree.js";
import type { Detachment } from "./detach.js";
import type { Promoted } from "./promote.js";

// Few deletions need one of these modules.
const detachmentModule = new LazyModule("The code that detaches mirrors", () => import("./detach.js"));
const promotionModule = new LazyModule("The code that promotes origins", () => import("./promote.js"));

const mirrorPolicies = ["reject", "detach", "promote"] as const;

/**
 * The policy of a deletion for origins whose mirrors are outside of the deleted nodes.
 *
 * - `reject`: the deletion fails (spec §3).
 * - `detach`: each of these mirrors becomes a plain node, with a copy of everything that was visible below
 *   it.
 * - `promote`: the origin, with all nodes below it, takes the place of its oldest mirror. It isn't deleted.
 */
export type MirrorPolicy = (typeof mirrorPolicies)[number];

/** The input of `Outline.delete`. */
export interface DeleteInput {
	/** Default `reject`. */
	mirrors?: MirrorPolicy | undefined;
}

/** The effect of a deletion. */
export interface DeletionPlan {
	/**
	 * The ids of the nodes that the deletion deletes, each after its parent, beginning with the node itself.
	 * Mirrors that their origins replace come last.
	 */
	nodeIds: string[];
	/** The ids among `nodeIds` that are mirrors. */
	mirrorIds: string[];
	/** The keys that it deletes: shortcuts, `inbox`, and calendar keys. */
	keys: string[];
	/** The ids of the mirrors that forbid it, because it would delete their origins. Empty if none does. */
	forbiddenBy: string[];
	/**
	 * With `promote`: the origins that it keeps, each in the place of one of its mirrors. The mirror
	 * moves to the origin's old place, if the origin is below the deleted node and its parent there stays. If
	 * not, the mirror is deleted.
	 */
	promoted: {
		/** The origin. */
		id: string;
		/** The mirror whose place it takes. */
		mirrorId: string;
	}[];
	/** With `detach`: the ids of the mirrors that become plain nodes. */
	detached: string[];
	/**
	 * With `detach`: the number of copies that it creates. More than 100,000 fail with `too_large`. Counting
	 * stops there, so the true number may be higher.
	 */
	copies: number;
}

/** The computed effect of a deletion. */
interface Removal {
	readonly subtree: Subtree;
	/** The ids of the nodes of the subtree that it deletes. */
	readonly going: ReadonlySet<string>;
	readonly forbiddenBy: readonly string[];
	readonly promoted: Promoted | null;
	/** The mirrors outside whose origins it deletes, each with the nodes below it. */
	readonly detached: readonly Subtree[];
	/** The copies for these mirrors; null if there are none. */
	readonly detachment: Detachment | null;
}

/** Returns the policy given, or the default. @throws `invalid_argument` */
export function mirrorPolicyArgument(value: unknown): MirrorPolicy {
	return value === undefined ? "reject" : wordArgument("mirrors", value, mirrorPolicies);
}

/** Returns a function that loads the module of a policy; undefined if there is nothing to load. */
export function loadingFor(policy: MirrorPolicy): (() => Promise<void>) | undefined {
	if (policy === "reject") return undefined;
	const module: LazyModule<unknown> = policy === "detach" ? detachmentModule : promotionModule;
	if (module.ifLoaded !== undefined) return undefined;
	return async () => {
		await module.load();
	};
}

/** Checks and prepares a `delete`. @throws `invalid_argument`, and the errors of a reference */
export function prepareDelete(call: Call, { mirrors }: Fields, ref: unknown): Prepared<void> {
	const reference = nodeReference(ref, call);
	const policy = mirrorPolicyArgument(mirrors);
	const finish = loadingFor(policy);
	return { newIds: noIds, run: (changes) => remove(call, changes, reference, policy), ...(finish && { finish }) };
}

/** Computes the effect of a deletion. {@link loadingFor} has loaded the module for it. @throws `not_found` */
export function* planRemoval(reference: NodeReference, policy: MirrorPolicy): Operation<DeletionPlan> {
	const { subtree, going, forbiddenBy, promoted, detached, detachment } = yield* removalOf(reference, policy);
	const nodeIds: string[] = [];
	const mirrorIds: string[] = [];
	const counter = new Counter();
	for (const { record } of subtree.nodes) {
		if (counter.isDue()) yield* pause();
		if (!going.has(record.id)) continue;
		nodeIds.push(record.id);
		if (record.originId !== null) mirrorIds.push(record.id);
	}
	for (const { id } of promoted?.replaced ?? []) {
		nodeIds.push(id);
		mirrorIds.push(id);
	}
	return {
		nodeIds,
		mirrorIds,
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
 * Deletes a node and all nodes below it, with the keys that point at them. Spec §3, §4.5.
 *
 * @throws `not_found`; `has_mirrors` naming the mirrors, if the policy is to reject; `too_large` for too many
 * copies
 */
export function* remove(
	call: Call,
	changes: Changes,
	reference: NodeReference,
	policy: MirrorPolicy = "reject",
): Operation<void> {
	const { subtree, going, forbiddenBy, promoted, detached, detachment } = yield* removalOf(reference, policy);
	if (forbiddenBy.length > 0) throw hasMirrors(forbiddenBy);
	detachment?.assertAllowed();
	const counter = new Counter();
	for (const { record, origin } of subtree.nodes) {
		if (counter.isDue()) yield* pause();
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
		for (const change of detachment.changes(mirror, ids)) {
			if (counter.isDue()) yield* pause();
			if ("copied" in change) changes.putCopy(change.after, change.copied);
			else changes.put(change.before, change.after);
		}
	}
}

function* removalOf(reference: NodeReference, policy: MirrorPolicy): Operation<Removal> {
	const [found] = yield* ask({ type: "subtree", of: reference.at });
	if (found.nodes.length === 0) throw notFound(reference);
	const subtree = yield* stepwise(inReadingOrder(found));
	const going = new Set<string>();
	const mirrorIds: string[] = [];
	const counter = new Counter();
	for (const node of subtree.nodes) {
		if (counter.isDue()) yield* pause();
		going.add(node.record.id);
		for (const id of node.mirrorIds) mirrorIds.push(id);
	}
	const removal = { subtree, going, forbiddenBy: [], promoted: null, detached: [], detachment: null };
	if (policy === "reject") return { ...removal, forbiddenBy: mirrorIds };
	const outside = mirrorIds.filter((id) => !going.has(id));
	if (outside.length === 0) return removal;
	const [ancestors, ...others] = yield* askAll([
		{ type: "ancestors", of: { id: subtree.nodes[0]!.record.id } },
		...outside.map((id) => ({ type: "node", at: { id } }) as const),
	] as const);
	const mirrors = others.map((mirror) => mirror!.record);
	mirrors.sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1));
	if (policy === "promote") {
		const { promote } = promotionModule.loaded;
		const promoted = yield* promote(subtree, ancestors, mirrors);
		return { ...removal, going: promoted.going, promoted };
	}
	const detached = yield* askAll(mirrors.map(({ id }) => ({ type: "subtree", of: { id } }) as const));
	const { Detachment } = detachmentModule.loaded;
	return { ...removal, detached, detachment: yield* stepwise(Detachment.of(detached, subtree)) };
}

function hasMirrors(mirrorIds: readonly string[]): OutlineError {
	const named = mirrorIds.slice(0, 5).join(", ") + (mirrorIds.length > 5 ? ` and ${mirrorIds.length - 5} more` : "");
	return new OutlineError(
		"has_mirrors",
		`The node, or a node below it, is an origin that still has mirrors. Its mirrors: ${named}. Delete these first, move an origin that is below the node elsewhere, or set mirrors to "detach" or "promote".`,
		{ mirrorIds },
	);
}
