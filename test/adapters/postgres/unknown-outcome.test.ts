import { Outline } from "outlinekit";
import { createPostgresStorage } from "outlinekit/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { namedCommits } from "../../../adapters/postgres/commit.js";
import { TcpProxy } from "../../faults/tcp-proxy.js";
import { soak } from "../../setup/soak.js";
import { exported } from "../../support/outline.js";
import { testServer } from "./database.js";
import { errorWithCode, RecordingPool } from "./recording-pool.js";

const server = testServer("outcome");
let proxy: TcpProxy;
beforeAll(async () => {
	proxy = await TcpProxy.start(Number(new URL(server.connectionString("outcome")).port));
});
afterAll(async () => {
	await proxy.stop();
});

let count = 0;

/** An outline behind the proxy, and the same one without the proxy. */
function twoWays(): { behind: Outline; past: Outline; revision: () => Promise<number> } {
	const outline = `outline ${++count}`;
	const address = new URL(server.connectionString("outcome"));
	// A connection for each statement: a connection that has already prepared it would only get its name.
	const pool = server.pool("outcome", { host: "127.0.0.1", maxUses: 1 });
	// The address has priority over the options, so the address itself is changed.
	address.port = String(proxy.port);
	pool.options.connectionString = address.href;
	const storage = createPostgresStorage(server.pool("outcome"), { outline, notify: false });
	return {
		behind: new Outline({ storage: createPostgresStorage(pool, { outline, notify: false }) }),
		past: new Outline({ storage }),
		revision: async () => (await storage.read([])).revision,
	};
}

/** Creates nodes one by one, and cuts the connection of each commit after another number of bytes. */
async function createWithCuts(
	where: "request" | "answer",
	places: readonly number[],
	outline: ReturnType<typeof twoWays>,
) {
	const expected = (await exported(outline.past)).map(({ name }) => name);
	let revision = await outline.revision();
	for (const after of places) {
		proxy.cut({ statement: "advanced AS", in: where, after });
		// All names have the same length, so that all statements do.
		const name = `${where} ${String(after).padStart(6)}`;
		await outline.behind.create({ name });
		expect(proxy.isCut).toBe(true);
		expected.push(name);
		revision += 1;
		expect(await outline.revision(), name).toBe(revision);
	}
	expect((await exported(outline.past)).map(({ name }) => name).sort()).toEqual(expected.sort());
}

describe("a commit whose connection breaks", () => {
	test("at any byte of the answer is applied once, and acknowledged", async () => {
		const outline = twoWays();
		await outline.behind.list();
		// The first commit of an outline has a different statement.
		await createWithCuts("answer", [0], outline);
		const { length } = proxy;
		expect(length).toBeGreaterThan(40);
		await createWithCuts(
			"answer",
			Array.from({ length: length + 1 }, (_, after) => after).filter(
				(after) => soak > 1 || after % 4 === 0 || after === length,
			),
			outline,
		);
	});

	test("at any byte of the request is applied once, and acknowledged", async () => {
		const outline = twoWays();
		await outline.behind.list();
		// The first commit of an outline has a different statement.
		await createWithCuts("request", [100, 101], outline);
		const { length } = proxy;
		const steps = Array.from({ length: 12 }, (_, step) => Math.floor((length * step) / 12));
		// The end of the request asks the server to execute, and then to commit.
		const ends = Array.from({ length: 16 }, (_, step) => length - step);
		await createWithCuts("request", [...steps, ...ends], outline);
	});

	test("and that still waits in the server is applied once, even if the next attempt waits behind it", async () => {
		const { behind, past, revision } = twoWays();
		await behind.create({ name: "a" });
		const holder = await server.pool("outcome").connect();
		await holder.query("begin");
		await holder.query("select from outlinekit_outlines where outline = $1 for update", [`outline ${count}`]);
		const creating = behind.create({ name: "b" });
		const waiting = async () => (await holder.query("select from pg_locks where not granted")).rowCount;
		await expect.poll(waiting).toBe(1);
		proxy.breakAll();
		await expect.poll(waiting).toBe(2);
		await holder.query("commit");
		holder.release();
		expect((await creating).name).toBe("b");
		expect((await exported(past)).map(({ name }) => name).sort()).toEqual(["a", "b"]);
		expect(await revision()).toBe(2);
	});
});

describe("a commit whose answer is lost while another writer commits", () => {
	/**
	 * Loses the answer to a commit. Another writer commits this many times before the storage can ask for the
	 * outcome.
	 */
	async function loseAnswer(others: number) {
		const pool = new RecordingPool(server.pool("outcome"));
		const { past, revision } = twoWays();
		const storage = createPostgresStorage(pool, { outline: `outline ${count}`, notify: false });
		const outline = new Outline({ storage });
		await outline.create({ name: "first" });
		let lost = false;
		const error = errorWithCode("ECONNRESET");
		const meanwhile = async () => {
			for (let number = 0; number < others; number++) await past.create({ name: `other ${number}` });
		};
		pool.fate = ({ sql }) => {
			if (lost || !sql?.includes("advanced AS")) return undefined;
			lost = true;
			return { afterwards: error, meanwhile };
		};
		const outcome = await outline.create({ name: "mine" }).catch((failure: Error) => failure);
		const names = (await exported(past)).map(({ name }) => name);
		return { outcome, mine: names.filter((name) => name === "mine").length, revision: await revision() };
	}

	test.each([1, 10, namedCommits - 1])(
		"%i times, has a name by which the storage finds and acknowledges it",
		async (others) => {
			const { outcome, mine, revision } = await loseAnswer(others);
			expect(outcome).toMatchObject({ name: "mine" });
			expect(mine).toBe(1);
			expect(revision).toBe(2 + others);
		},
	);

	test(`${namedCommits} times, throws an error that says that the outcome is unknown`, async () => {
		const { outcome, mine } = await loseAnswer(namedCommits);
		expect(outcome).toMatchObject({
			code: "storage_unavailable",
			message: expect.stringMatching(/^It isn't known whether the commit was applied.*So many commits have followed/),
		});
		expect(mine).toBe(1);
	});
});
