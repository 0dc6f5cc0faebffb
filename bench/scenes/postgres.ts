import { randomUUID } from "node:crypto";
import { Outline, type StorageAdapter } from "outlinekit";
import { createPostgresStorage, postgresSchema } from "outlinekit/postgres";
import { PostgresServer } from "../../test/adapters/postgres/server.ts";
import { OutlineContender } from "../contenders/outline.ts";
import { fetchInto } from "../contenders/outline-replica.ts";
import { median, microseconds } from "../measure.ts";
import { Workload } from "../workload.ts";
import { writesOf } from "./operations.ts";
import { Device } from "./sync.ts";

/**
 * Microseconds of a create, of the same writes in a transaction by hand, and of a lone INSERT without a
 * revision. `pushes`: of each commit in a push of many, for each kind of operation.
 */
export interface PostgresResult {
	readonly outline: number;
	readonly transaction: number;
	readonly insert: number;
	readonly pushes: Readonly<Record<string, number>>;
}

const rounds = 9;
const calls = 100;
const pushed = {
	nodes: 10_000,
	writes: { counted: 1, uncounted: 0, calls: 2000 },
	deletions: { counted: 1, uncounted: 0, calls: 500 },
};

/** Creates nodes one by one on a server of its own, in turns with the bare statements. Then measures pushes. */
export async function run(): Promise<PostgresResult> {
	const server = new PostgresServer();
	await server.start();
	for (const name of ["outline", "raw", "synced"]) await server.createDatabase(name);
	const bare = server.pool("raw", { max: 1 });
	for (const statement of postgresSchema()) await bare.query(statement);
	await bare.query("INSERT INTO outlinekit_outlines (outline, revision, commits) VALUES ('raw', 0, '')");
	const outline = new Outline({ storage: createPostgresStorage(server.pool("outline"), { outline: "measured" }) });
	const nodeName = (number: number) => `node ${number} of those that are created`.padEnd(40, ".");
	const insert = (number: number) => {
		const id = randomUUID();
		return bare.query({
			name: "insert",
			text: `INSERT INTO outlinekit_nodes (outline, id, short_id, parent_id, priority, name, note, layout_mode, created_at,
					modified_at, completed_at, origin_id, revision, deleted)
				VALUES ('raw', $1, $2, NULL, $3, $4, NULL, 'bullets', $5, $5, NULL, NULL, $6, false)`,
			values: [id, id.slice(-12), -(2 ** 20) * number, nodeName(number), 1_795_219_200, number],
		});
	};
	const update = "UPDATE outlinekit_outlines SET revision = revision + 1 WHERE outline = 'raw'";
	const ways = {
		outline: (number: number) => outline.create({ name: nodeName(number) }),
		transaction: async (number: number) => {
			await bare.query("BEGIN");
			await bare.query({ name: "update", text: update });
			await insert(number);
			await bare.query("COMMIT");
		},
		insert,
	};
	const figures: Record<keyof typeof ways, number[]> = { outline: [], transaction: [], insert: [] };
	let made = 0;
	for (let round = -1; round < rounds; round++) {
		for (const [name, way] of Object.entries(ways) as [keyof typeof ways, (number: number) => Promise<unknown>][]) {
			const taken = await microseconds(async () => {
				for (let number = 0; number < calls; number++) await way(++made);
			});
			if (round >= 0) figures[name].push(taken / calls);
		}
	}
	await outline.close();
	const pushes = await pushesInto(createPostgresStorage(server.pool("synced"), { outline: "synced" }));
	await server.stop();
	return {
		outline: median(figures.outline),
		transaction: median(figures.transaction),
		insert: median(figures.insert),
		pushes,
	};
}

/** Pushes the commits of a device, which made them offline, one kind of operation after the other. */
async function pushesInto(storage: StorageAdapter): Promise<Record<string, number>> {
	const workload = new Workload(pushed.nodes);
	await new OutlineContender(storage).bulkCreate(workload.roots);
	const { replica } = new Device(fetchInto(new Outline({ storage, timeZone: "UTC" })));
	await replica.sync();
	const device = new OutlineContender(replica.storage);
	const figures: Record<string, number> = {};
	for (const { operation, calls } of writesOf(workload, pushed)) {
		for (const call of calls) await call(device);
		// Some calls make no commit: they complete a node again.
		const commits = replica.status.current.pending;
		figures[operation] = (await microseconds(() => replica.sync())) / commits;
	}
	await storage.close();
	return figures;
}
