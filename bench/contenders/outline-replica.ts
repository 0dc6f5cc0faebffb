import { join } from "node:path";
import { Outline, type StorageAdapter } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { createHttpHandler } from "outlinekit/http";
import { createMemoryStorage } from "outlinekit/memory";
import { createHttpRemote, createReplica } from "outlinekit/sync";
import type { Contender, SeedNode } from "../contender.ts";
import { OutlineContender } from "./outline.ts";

/** The commits after the creation. */
const commits = 10_000;

/**
 * An outline with a replica that never exchanges: in memory, or as the variant `file` on a disk. As the variant
 * `pending`, commits follow what the outline had before. The variant `commits` is the same without a replica.
 */
export function open(directory: string, variant: string): Contender {
	if (variant === "") return new OutlineContender(replicaOf(createMemoryStorage()));
	const file = createFileStorage(join(directory, "outline.jsonl"));
	if (variant === "commits") return new Committing(file, file);
	return variant === "pending" ? new Committing(file, replicaOf(file)) : new OutlineContender(replicaOf(file));
}

/** Completes nodes after their creation, each in a commit of its own, on another storage of the same outline. */
class Committing extends OutlineContender {
	readonly #storage: StorageAdapter;

	constructor(creating: StorageAdapter, committing: StorageAdapter) {
		super(creating);
		this.#storage = committing;
	}

	override async bulkCreate(roots: readonly SeedNode[]): Promise<void> {
		await super.bulkCreate(roots);
		const ids = roots.flatMap(function idsIn({ id, children }): string[] {
			return [id, ...children.flatMap(idsIn)];
		});
		const outline = new Outline({ storage: this.#storage, timeZone: "UTC" });
		for (let start = 0; start < commits; start += 100) {
			await Promise.all(ids.slice(start, Math.min(start + 100, commits)).map((id) => outline.complete(id)));
		}
	}
}

/** Returns the storage of a replica that never exchanges. */
export function replicaOf(local: StorageAdapter): StorageAdapter {
	const remote = createHttpRemote({ url: "http://127.0.0.1/api/v1", apiKey: "key", fetch: () => Promise.reject() });
	return createReplica({ local, remote, auto: false }).storage;
}

/** Returns a `fetch` into the HTTP handler of an outline. */
export function fetchInto(outline: Outline): typeof fetch {
	const handler = createHttpHandler({ authenticate: () => outline, syncImagesPerMinute: Number.POSITIVE_INFINITY });
	return async (input, init) => handler(new Request(input, init));
}
