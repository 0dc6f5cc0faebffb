import { Outline, OutlineError, type StorageAdapter } from "outlinekit";
import { createPostgresStorage } from "outlinekit/postgres";
import pg from "pg";
import { noon } from "../../support/outline.js";
import type { Assignment, Outcome } from "./writers.js";

/*
 * Writes into outlines for its parent process: `<address> <number of this writer>`. The parent sends
 * assignments as messages, one after another. The writer answers each with its outcome.
 */
const [address = "", writer = ""] = process.argv.slice(2);
const pools = new Map<string, pg.Pool>();

function poolWith(options: string): pg.Pool {
	let pool = pools.get(options);
	if (pool === undefined) {
		pool = new pg.Pool({ connectionString: address, max: 3, options });
		pool.on("error", () => undefined);
		pools.set(options, pool);
	}
	return pool;
}

/** One step of a writer: resolves with the name of a node that must exist after success, or undefined. */
type Step = (outline: Outline, name: string, number: number) => Promise<string | undefined>;

const steps: Record<Assignment["work"], Step> = {
	create: async (outline, name) => (await outline.create({ name, position: "bottom" })).name,
	/** Creates, changes and deletes nodes, so that only every other one stays. */
	all: async (outline, name, number) => {
		const { id } = await outline.create({ name, parent: number % 3 === 0 ? "today" : null });
		if (number % 4 === 0) await outline.complete(id);
		if (number % 5 === 0) await outline.move(id, { parent: "inbox" });
		if (number % 2 === 0) return name;
		await outline.delete(id);
		return undefined;
	},
};

async function work({ work, outline: name, count, options = "" }: Assignment): Promise<Outcome> {
	const storage = createPostgresStorage(poolWith(options), { outline: name, notify: false });
	let conflicts = 0;
	const counting: StorageAdapter = {
		read: (queries) => storage.read(queries),
		scan: () => storage.scan(),
		close: () => storage.close(),
		commit: (batch) =>
			storage.commit(batch).catch((error) => {
				if ((error as OutlineError).code === "conflict") conflicts += 1;
				throw error;
			}),
	};
	const outline = new Outline({ storage: counting, timeZone: "UTC", now: () => noon });
	const outcome = { made: [] as string[], refused: [] as string[], attempts: [] as number[] };
	for (let number = 0; number < count; number++) {
		const each = `writer ${writer} ${number}`;
		conflicts = 0;
		try {
			const made = await steps[work](outline, each, number);
			if (made !== undefined) outcome.made.push(made);
		} catch (error) {
			const { code, message } = error as OutlineError;
			outcome.refused.push(error instanceof OutlineError ? `${each}: ${code} ${message}` : `${each}: ${String(error)}`);
		}
		outcome.attempts.push(conflicts + 1);
	}
	await outline.close();
	return outcome;
}

process.on("message", async (assignment: Assignment) => process.send!(await work(assignment)));
process.on("disconnect", () => process.exit());
process.send!("ready");
