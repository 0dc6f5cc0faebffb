import type { NodeRecord, StoredNode } from "../storage.js";

/** 32 bits of a record: two that differ in anything have the same ones as good as never. */
export function recordPrint(record: NodeRecord): number {
	const { id, parentId, priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId, revision } =
		record;
	const times = [createdAt, modifiedAt, completedAt];
	return textPrint(JSON.stringify([id, parentId, priority, name, note, layoutMode, ...times, originId, revision]));
}

/** 32 bits of what a storage gives along with a record. */
export function surroundingsPrint({ origin, mirrorIds }: StoredNode): number {
	return surroundingsPrintOf(origin && recordPrint(origin), mirrorIds);
}

/** The same, worked out from what a storage must give: the {@link recordPrint} of the origin, and the ids of the mirrors. */
export function surroundingsPrintOf(origin: number | null, mirrorIds: readonly string[]): number {
	return textPrint(`${origin} ${mirrorIds.join()}`);
}

function textPrint(text: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	return hash >>> 0;
}
