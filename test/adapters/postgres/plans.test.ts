import { postgresSchema } from "outlinekit/postgres";
import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { commitName, commitStatement } from "../../../adapters/postgres/commit.js";
import { everyNode, readParameters, readStatement } from "../../../adapters/postgres/read.js";
import { finished } from "../../../src/pace.js";
import type { Query } from "../../../src/storage.js";
import { queryShapes } from "../sql/query-shapes.js";
import { testServer } from "./database.js";

const server = testServer("plans");
let pool: pg.Pool;

/**
 * The id of the node with a number, in 100 small outlines and a large one. The large one has 5,000 nodes at
 * the top level, and its node 1 has 30,000 children.
 */
const idOf = `md5(outline || ' ' || number)::uuid`;

beforeAll(async () => {
	pool = server.pool("plans", { max: 2 });
	const schema = postgresSchema();
	const isLate = (statement: string) => /^CREATE INDEX outlinekit_(nodes|keys)/.test(statement);
	for (const statement of schema) if (!isLate(statement)) await pool.query(statement);
	await pool.query(`
		create table source as
			select case when place < 100000 then 'small ' || place / 1000 else 'large' end as outline,
				case when place < 100000 then place % 1000 else place - 100000 end as number
			from generate_series(0, 199999) as place`);
	await pool.query(`
		insert into outlinekit_nodes
		select outline, ${idOf}, right(${idOf.replace("uuid", "text")}, 12),
			case when number < case outline when 'large' then 5000 else 10 end then null
				when outline = 'large' and number < 35000 then md5(outline || ' 1')::uuid
				else md5(outline || ' ' || number / 10)::uuid end,
			number * 1048576::bigint, 'a name of a usual length ' || number, null, 'bullets', 1795219200, 1795219200, null,
			case when number % 20 = 7 then md5(outline || ' ' || number - 5)::uuid end, number / 3 + 1, number % 50 = 49
		from source`);
	await pool.query(`
		insert into outlinekit_keys
		select outline, 'key ' || number, 'group ' || number % 40, ${idOf}, number / 3 + 1 from source where number < 400`);
	await pool.query(
		"insert into outlinekit_outlines select outline, max(revision), '' from outlinekit_nodes group by outline",
	);
	for (const statement of schema) if (isLate(statement)) await pool.query(statement);
	await pool.query("vacuum analyze");
}, 120_000);

interface Plan {
	readonly "Node Type": string;
	readonly "Relation Name"?: string;
	readonly "Index Name"?: string;
	readonly "Actual Rows"?: number;
	readonly "Actual Loops"?: number;
	readonly "Rows Removed by Filter"?: number;
	readonly Plans?: readonly Plan[];
}

function stepsOf(plan: Plan): Plan[] {
	return [plan, ...(plan.Plans ?? []).flatMap(stepsOf)];
}

/** Returns the steps of the plan by which a statement ran, and the number of node rows that it read. */
async function explain(sql: string, parameters: readonly unknown[]): Promise<{ steps: Plan[]; touched: number }> {
	const client = await pool.connect();
	try {
		await client.query("begin");
		const { rows } = await client.query(`explain (analyze, format json) ${sql}`, parameters as unknown[]);
		await client.query("rollback");
		const steps = stepsOf(rows[0]["QUERY PLAN"][0].Plan);
		const ofNodes = steps.filter((step) => step["Relation Name"] === "outlinekit_nodes");
		const looks = ofNodes.map(
			(step) => ((step["Actual Rows"] ?? 0) + (step["Rows Removed by Filter"] ?? 0)) * (step["Actual Loops"] ?? 1),
		);
		return { steps, touched: looks.reduce((sum, each) => sum + each, 0) };
	} finally {
		client.release();
	}
}

async function explainRead(outline: string, ...queries: Query[]): Promise<{ steps: Plan[]; touched: number }> {
	const statement = readStatement(queries);
	return explain(statement.sql, readParameters(statement, outline, queries));
}

async function idIn(outline: string, number: number): Promise<string> {
	return (
		await pool.query(`select ${idOf} as id from (select $1::text as outline, $2::int as number) n`, [outline, number])
	).rows[0].id;
}

const scans = (steps: readonly Plan[]) =>
	steps.filter((step) => step["Relation Name"] === "outlinekit_nodes" && step["Node Type"].includes("Seq Scan"));

/** Queries of every shape about a node. The tests of documents check the plans of their table. */
function everyQuery(id: string, other: string): Query[] {
	const others = [other, id.replace(/./, "0")];
	const bounds = [20 * 1048576, 500 * 1048576] as const;
	const shapes = queryShapes({ id, others, key: "key 1", group: "group 1", bounds, since: [0, 320] });
	return shapes.filter(({ type }) => type !== "documents");
}

describe.each(["small 7", "large", "one that isn't there"])("in the outline %s", (outline) => {
	test("no query has a plan that reads all nodes", async () => {
		for (const number of [1, 12, 207]) {
			const id = await idIn(outline, number);
			for (const query of everyQuery(id, await idIn(outline, 8))) {
				// For a seventh of the table, reading all of it is fastest.
				const isMost = outline === "large" && number === 1 && query.type !== "changes" && !("limit" in query);
				if (isMost && (query.type === "subtree" || query.type === "children")) continue;
				const { steps } = await explainRead(outline, query);
				expect(scans(steps), JSON.stringify(query)).toEqual([]);
			}
		}
	});

	test("several queries at once, as in operations, have no such plan either", async () => {
		const id = await idIn(outline, 12);
		const at = { id };
		const sets: Query[][] = [
			[
				{ type: "node", at },
				{ type: "children", of: at, scope: "visible" },
			],
			[
				{ type: "taken", shortIds: ["123456789abc"] },
				{ type: "node", at },
				{ type: "children", of: at, scope: "own", limit: 1 },
			],
			[
				{ type: "subtree", of: at },
				{ type: "ancestors", of: at },
				{ type: "node", at: { key: "key 3" } },
			],
		];
		for (const queries of sets) {
			const { steps } = await explainRead(outline, ...queries);
			expect(scans(steps), JSON.stringify(queries)).toEqual([]);
		}
	});
});

test.each([
	["the first", { limit: 1 }],
	["the last", { limit: 1, fromLast: true }],
	["those after a place", { after: 20_000 * 1048576, limit: 3 }],
	["those before a place", { before: 20_000 * 1048576, limit: 3, fromLast: true }],
])("a few of many children, %s, come from the end of an index, without a read of the rest", async (_, end) => {
	const id = await idIn("large", 1);
	for (const scope of ["own", "visible"] as const) {
		const { steps, touched } = await explainRead("large", { type: "children", of: { id }, scope, ...end });
		expect(steps.map((step) => step["Index Name"])).toContain("outlinekit_nodes_by_parent");
		expect(touched).toBeLessThan(30);
		expect(steps.map((step) => step["Node Type"]).filter((type) => type.includes("Sort"))).toEqual([]);
	}
	const { touched } = await explainRead("large", { type: "children", of: null, scope: "own", limit: 1 });
	expect(touched).toBeLessThan(10);
});

test("an export of a small outline reads only its own nodes", async () => {
	const { steps, touched } = await explain(everyNode(), ["small 7"]);
	expect(scans(steps)).toEqual([]);
	expect(touched).toBeLessThan(1200);
});

describe("changes", () => {
	test("of the last commit of a large outline need no read of earlier ones", async () => {
		const { touched } = await explainRead("large", { type: "changes", since: 33_330, limit: 1000 });
		expect(touched).toBeLessThan(40);
	});

	test("up to a limit need no read of later ones", async () => {
		const { touched } = await explainRead("large", { type: "changes", since: 100, limit: 100 });
		expect(touched).toBeLessThan(400);
	});
});

test.each([1, 20])("a commit of %i nodes finds its rows by their keys", async (count) => {
	const { rows } = await pool.query("select revision from outlinekit_outlines where outline = 'large'");
	const content = {
		name: "a",
		note: null,
		layoutMode: "bullets",
		properties: null,
		createdAt: 1,
		modifiedAt: 1,
	} as const;
	const record = { ...content, parentId: null, completedAt: null, originId: null, revision: 1 };
	const nodes = await Promise.all(
		Array.from({ length: count }, async (_, number) => ({
			before: null,
			after: { ...record, id: await idIn("large", number), priority: number },
		})),
	);
	const keys = [{ before: null, after: { key: "key 1", group: "g", nodeId: nodes[0]!.after.id, revision: 1 } }];
	const { sql, parameters } = finished(
		commitStatement("large", { base: Number(rows[0].revision), nodes, keys }, commitName()),
	);
	const { steps } = await explain(sql, parameters);
	expect(steps.filter((step) => step["Node Type"] === "ModifyTable")).toHaveLength(3);
	expect(
		steps.filter((step) => step["Node Type"].includes("Seq Scan") && step["Relation Name"] !== "outlinekit_outlines"),
	).toEqual([]);
});
