import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OutlineNode } from "outlinekit";
import { createRxDatabase, type RxCollection, type RxDatabase, type RxJsonSchema, type WithDeleted } from "rxdb";
import { type RxReplicationState, replicateRxCollection } from "rxdb/plugins/replication";
import { getRxStorageMemory } from "rxdb/plugins/storage-memory";
import type { NodeView, SeedNode, Synced } from "../../contender.ts";
import { seconds } from "../plain-map.ts";

interface Document extends Pick<OutlineNode, "id" | "name" | "priority" | "layoutMode" | "createdAt" | "modifiedAt"> {
	parentId: string;
	note?: string;
	completedAt?: number;
}

/** The number of the next batch: a server chooses its checkpoints itself. */
interface Checkpoint {
	readonly batch: number;
}

/** The answer of the server to a pull, as JSON. */
interface Answer {
	readonly documents: WithDeleted<Document>[];
	readonly checkpoint: Checkpoint;
}

/** The parent in documents at the top level: an indexed field can't be null. */
const root = "";
/** The storage merges each batch into its whole indexes: with the default of 100 this takes far longer. */
const batchSize = 10_000;
const time = { type: "number" } as const;

/** Indexed fields must be required, and have a maximum. */
const schema: RxJsonSchema<Document> = {
	version: 0,
	primaryKey: "id",
	type: "object",
	properties: {
		id: { type: "string", maxLength: 36 },
		parentId: { type: "string", maxLength: 36 },
		priority: { type: "number", minimum: -1_000_000, maximum: 1_000_000, multipleOf: 1 },
		name: { type: "string" },
		note: { type: "string" },
		layoutMode: { type: "string" },
		createdAt: time,
		modifiedAt: time,
		completedAt: time,
	},
	required: ["id", "parentId", "priority", "name", "layoutMode", "createdAt", "modifiedAt"],
	indexes: [["parentId", "priority"]],
};

let databases = 0;

/**
 * A collection of RxDB in its memory storage: a document for each node, and an index that sorts children by
 * priority. It replicates with a server whose answers are files, one for each batch.
 */
class RxdbCollection implements Synced {
	readonly #directory: string;
	readonly #database: RxDatabase;
	readonly #collection: RxCollection<Document>;
	readonly #replication: RxReplicationState<Document, Checkpoint>;
	/** The body of the last push. */
	#pushed = "";

	private constructor(directory: string, database: RxDatabase, collection: RxCollection<Document>) {
		this.#directory = directory;
		this.#database = database;
		this.#collection = collection;
		this.#replication = replicateRxCollection<Document, Checkpoint>({
			collection,
			replicationIdentifier: "outline",
			pull: { batchSize, handler: (checkpoint) => this.#pull(checkpoint?.batch ?? 0) },
			push: {
				handler: async (rows) => {
					this.#pushed = JSON.stringify(rows);
					return [];
				},
			},
		});
		this.#replication.error$.subscribe((error) => {
			throw error;
		});
	}

	static async open(directory: string): Promise<RxdbCollection> {
		const database = await createRxDatabase({
			name: `outline${databases++}`,
			storage: getRxStorageMemory(),
			multiInstance: false,
		});
		const { nodes } = await database.addCollections({ nodes: { schema } });
		const opened = new RxdbCollection(directory, database, nodes!);
		await opened.#replication.awaitInitialReplication();
		return opened;
	}

	/** Fills the server, in reading order, which compresses best, and pulls from it. */
	async bulkCreate(roots: readonly SeedNode[]): Promise<void> {
		const now = seconds();
		const documents: WithDeleted<Document>[] = [];
		const add = (parentId: string, nodes: readonly SeedNode[]) => {
			for (const [priority, { id, name, layoutMode, completed, children }] of nodes.entries()) {
				const document = { id, parentId, priority, name, layoutMode, createdAt: now, modifiedAt: now, _deleted: false };
				documents.push(completed ? { ...document, completedAt: now } : document);
				add(id, children);
			}
		};
		add(root, roots);
		for (let batch = 0; batch * batchSize < documents.length; batch++) {
			const answer: Answer = {
				documents: documents.slice(batch * batchSize, (batch + 1) * batchSize),
				checkpoint: { batch: batch + 1 },
			};
			await writeFile(this.#file(batch), JSON.stringify(answer));
		}
		this.#replication.reSync();
		await this.#replication.awaitInSync();
	}

	async list(parentId: string | null): Promise<readonly NodeView[]> {
		const found = await this.#collection
			.find({ selector: { parentId: parentId ?? root }, sort: [{ parentId: "asc" }, { priority: "asc" }] })
			.exec();
		return found.map(({ id, name, note, layoutMode, createdAt, modifiedAt, completedAt }) => ({
			id,
			parentId,
			name,
			note: note ?? null,
			layoutMode,
			properties: {},
			completed: completedAt !== undefined,
			createdAt,
			modifiedAt,
			completedAt: completedAt ?? null,
		}));
	}

	async sendUpdate(id: string, name: string): Promise<Uint8Array> {
		const document = await this.#collection.findOne(id).exec(true);
		await document.patch({ name, modifiedAt: seconds() });
		await this.#replication.awaitInSync();
		return Buffer.from(this.#pushed);
	}

	close(): Promise<unknown> {
		return this.#database.remove();
	}

	async #pull(batch: number): Promise<Answer> {
		const body = await readFile(this.#file(batch), "utf8").catch(() => undefined);
		return body === undefined ? { documents: [], checkpoint: { batch } } : (JSON.parse(body) as Answer);
	}

	#file(batch: number): string {
		return join(this.#directory, `${batch}.json`);
	}
}

export function open(directory: string): Promise<Synced> {
	return RxdbCollection.open(directory);
}
