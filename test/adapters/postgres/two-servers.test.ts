import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverOf } from "../../../examples/two-postgres-servers/routing.js";
import { createService, type DatabaseServer, hashOf } from "../../../examples/two-postgres-servers/service.js";
import { PostgresServer } from "./server.js";

const machines = [new PostgresServer(), new PostgresServer()];
const users = ["ada", "ben", "cleo", "dan", "eve", "fay", "gus", "hal"];
const keys = new Map(users.map((user) => [hashOf(`key-of-${user}`), user]));
let servers: DatabaseServer[];
let service: (request: Request) => Promise<Response>;

beforeAll(async () => {
	await Promise.all(machines.map((machine) => machine.start()));
	servers = await Promise.all(
		machines.map(async (machine, place) => {
			await machine.createDatabase("outlines");
			return { name: `server ${place}`, pool: machine.pool("outlines") };
		}),
	);
	service = createService(servers, { idByKeyHash: async (hash) => keys.get(hash) });
});
afterAll(() => Promise.all(machines.map((machine) => machine.stop())));

/** The part of an answer that the tests read. */
interface Content {
	readonly item_id?: string;
	readonly nodes?: readonly { readonly name: string }[];
}

async function request(user: string, path: string, body?: object): Promise<{ status: number; content: Content }> {
	const response = await service(
		new Request(`http://outlines.example/api/v1/${path}`, {
			method: body === undefined ? "GET" : "POST",
			headers: { authorization: `Bearer key-of-${user}`, "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		}),
	);
	return { status: response.status, content: (await response.json()) as Content };
}

describe("outlines distributed over two servers", () => {
	test("are each only on the server that the routing says", async () => {
		await Promise.all(
			users.map((user) =>
				Promise.all(Array.from({ length: 3 }, (_, n) => request(user, "nodes", { name: `${n} of ${user}` }))),
			),
		);
		const assigned = new Set(users.map((user) => serverOf(user, servers).name));
		expect(assigned.size).toBe(2);
		for (const [place, machine] of machines.entries()) {
			const { rows } = await machine
				.pool("outlines")
				.query("SELECT outline, count(*)::int AS nodes FROM outlinekit_nodes GROUP BY outline ORDER BY outline");
			const expected = users.filter((user) => serverOf(user, servers) === servers[place]);
			expect(rows).toEqual(expected.map((outline) => ({ outline, nodes: 3 })));
		}
		for (const user of users) {
			const { content } = await request(user, "nodes");
			expect(content.nodes!.map(({ name }) => name).sort()).toEqual([0, 1, 2].map((n) => `${n} of ${user}`));
		}
	});

	test("show nothing to other users, and nothing at all without a key", async () => {
		const { content } = await request("ada", "nodes", { name: "private" });
		expect((await request("ada", `nodes/${content.item_id}`)).status).toBe(200);
		expect((await request("ben", `nodes/${content.item_id}`)).status).toBe(404);
		expect((await request("nobody", "nodes")).status).toBe(401);
	});
});

test("a third server takes its share from both, and no other outline moves", () => {
	const many = Array.from({ length: 3000 }, (_, number) => `user ${number}`);
	const two = [{ name: "a" }, { name: "b" }];
	const three = [...two, { name: "c" }];
	const moved = many.filter((user) => serverOf(user, two) !== serverOf(user, three));
	expect(moved.every((user) => serverOf(user, three).name === "c")).toBe(true);
	expect(moved.length).toBeGreaterThan(800);
	expect(moved.length).toBeLessThan(1200);
});
