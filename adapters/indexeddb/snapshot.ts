import type { IndexImage } from "../resident/index/record-index.js";
import type { Block } from "../resident/snapshot-block.js";
import { smallBlocks } from "./blocks.js";
import type { Database } from "./database.js";
import { type Meta, metaContent, metaKey, stores } from "./stored.js";
import { transact, unheeded } from "./transaction.js";

/** The number of blocks to pass to the browser at once. */
const blocksAtOnce = 16;

/**
 * Replaces the snapshot of the revision `known`, all or nothing, and deletes the journal up to that revision.
 * Returns the revision of the snapshot that is there afterwards: a different one if another tab was first.
 *
 * @throws `OutlineError`; the content is then as it was
 */
export function writeSnapshot(
	database: Database,
	image: IndexImage,
	known: number,
	durability: "strict" | "relaxed",
): Promise<number> {
	return database.run("writing a snapshot of", ({ connection }) => {
		const encoded = smallBlocks({ ...image, nodes: [...image.nodes.records()], documents: [...image.documents] });
		let next = take(encoded);
		const options = { stores: Object.values(stores), mode: "readwrite", durability } as const;
		return transact(connection, options, async (transaction) => {
			const metaStore = transaction.objectStore(stores.meta);
			const meta = metaContent(await metaStore.get(metaKey), database.outline);
			if (meta.revision !== known) return meta.revision;
			const blockStore = transaction.objectStore(stores.blocks);
			unheeded(blockStore.clear());
			let count = 0;
			while (next.length > 0) {
				const adding = next.map((block) => unheeded(blockStore.add(block, count++)));
				// Encodes while the browser writes, and not all at once: a snapshot may be much larger than a page
				// should hold.
				next = take(encoded);
				await adding.at(-1);
			}
			unheeded(transaction.objectStore(stores.journal).delete(IDBKeyRange.upperBound(known)));
			const { revision, horizon } = image;
			unheeded(metaStore.put({ ...meta, revision, horizon, blocks: count, cut: known } satisfies Meta, metaKey));
			return image.revision;
		});
	});
}

function take(blocks: Generator<Block>): Block[] {
	const taken: Block[] = [];
	for (let next = blocks.next(); !next.done; next = blocks.next()) {
		taken.push(next.value);
		if (taken.length === blocksAtOnce) break;
	}
	return taken;
}
