import { randomUUID } from "node:crypto";
import { Outline } from "outlinekit";
import { createPostgresStorage, postgresSchema } from "outlinekit/postgres";
import { PostgresServer } from "../../test/adapters/postgres/server.ts";
import { median, microseconds } from "../measure.ts";

/**
 * Microseconds of a create, of the same writes in a transaction by hand, and of a lone INSERT without a
 * revision.
 */
export interface PostgresResult {
	readonly outline: number;
	readonly transaction: number;
	readonly insert: number;
}

const rounds = 9;
const calls = 100;

/** Creates one by one on a server of its own, in turns with the bare statements. */
export async function run(): Promise<PostgresResult> {
	const server = new PostgresServer();
	await server.start();
	for (const name of ["outline", "raw"]) await server.createDatabase(name);
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
	await server.stop();
	return {
		outline: median(figures.outline),
		transaction: median(figures.transaction),
		insert: median(figures.insert),
	};
}
