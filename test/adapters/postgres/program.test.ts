import { expect, test } from "vitest";
import { commandLine } from "../../support/command-line.js";
import { outlinekitProgram } from "../../support/outlinekit.js";
import { testServer } from "./database.js";

const database = "program";
const postgres = testServer(database);
const environment = () => ({ OUTLINEKIT_DATABASE: postgres.connectionString(database), PORT: "0" });
const { start } = outlinekitProgram(environment);
const { run } = commandLine(environment);

/** Starts a server of all users. Returns it with its address. */
async function serve() {
	const server = start("serve");
	const [, address] = await server.printed(/served at (http:\S+)\/ /);
	return { ...server, address: address! };
}

/** The key in the link of an answer. */
const keyIn = (stdout: string) => JSON.parse(stdout) as { id: string; key: string; link: string };

function request(address: string, key: string, path: string, body?: object): Promise<Response> {
	return fetch(`${address}/api/v1/${path}`, {
		method: body === undefined ? "GET" : "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
}

const namesAt = async (address: string, key: string) => {
	const { nodes } = (await (await request(address, key, "nodes")).json()) as { nodes: { name: string }[] };
	return nodes.map(({ name }) => name);
};

test("several servers over one database serve many users, whose keys the program makes and revokes", async () => {
	const [one, other] = await Promise.all([serve(), serve()]);
	const ada = await run("keys", "add", "ada", "--url", one.address);
	const { id, key, link } = keyIn(ada.stdout);
	expect(link).toBe(`${one.address}/#key=${key}`);
	const ben = keyIn((await run("keys", "add", "ben", "--label", "phone")).stdout);

	// The change stream of one server has the commits of the other one.
	const stream = await fetch(`${other.address}/api/v1/changes/stream`, { headers: { authorization: `Bearer ${key}` } });
	const heard = (async () => {
		let text = "";
		for await (const piece of stream.body!) {
			text += new TextDecoder().decode(piece);
			if (/^id: /m.test(text)) return text;
		}
		throw new Error("The stream ended.");
	})();
	expect((await request(one.address, key, "nodes", { parent_id: "None", name: "boat" })).status).toBe(200);
	await expect(heard).resolves.toContain("id: ");
	expect(await namesAt(other.address, key)).toEqual(["boat"]);
	expect(await namesAt(other.address, ben.key)).toEqual([]);

	// Commands work on the same outline: in the database by the name of the user, and on a server by the link.
	const tentAdded = await run("add", "tent", "--to", "None", "--outline", "ada");
	expect(tentAdded).toMatchObject({ status: 0, stderr: "" });
	const misspelled = await run("list", "--outline", "adda");
	expect([misspelled.status, misspelled.stderr]).toEqual([
		3,
		expect.stringMatching(/no outline "adda" in .*--outline/),
	]);
	expect((await run("add", "x", "--outline", "cleo")).stderr).toMatch(/^A new outline: "cleo" in /);
	const added = await run("add", "map", "--to", "None", "--server", link);
	expect(added).toMatchObject({ status: 0, stderr: "" });
	const listed = await run("list", "--server", `${other.address}/#key=${key}`, "--no-json");
	expect(listed.stdout.replace(/ {2}[0-9a-f]{12}$/gm, "")).toBe("• boat\n• tent\n• map\n");

	// A key for a part reads this part. It has no link, because the outliner needs the whole outline.
	const [tent] = (await run("search", "tent", "--outline", "ada")).stdout.split("\n");
	const { id: tentId } = JSON.parse(tent!);
	const guest = keyIn((await run("keys", "add", "ada", "--root", tentId, "--read-only")).stdout);
	expect(guest).toMatchObject({ user: "ada", label: null, url: "http://127.0.0.1:3000" });
	expect(guest).not.toHaveProperty("link");
	const guestKey = guest.key;
	const told = (await run("keys", "add", "ada", "--root", tentId, "--no-json", "--url", one.address)).stdout;
	expect(told).toMatch(/curl http.*\n.* outlinekit list --server http\S+ --key/);
	expect(told).not.toContain("#key=");
	const unknown = await run("keys", "add", "ada", "--root", "nope");
	expect([unknown.status, unknown.stderr]).toEqual([3, expect.stringMatching(/The outline of ada has no node "nope"/)]);
	const shared = await run("list", "--server", one.address, "--key", guestKey);
	expect(JSON.parse(shared.stdout)).toMatchObject({ text: "tent", depth: 0 });
	expect((await request(one.address, guestKey, "nodes")).status).toBe(200);
	expect((await request(one.address, guestKey, "nodes", { name: "x" })).status).toBe(403);

	const keys = await run("keys", "list");
	const listedKeys = keys.stdout
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(listedKeys.map(({ user, label }) => [user, label])).toEqual([
		["ada", null],
		["ada", null],
		["ada", null],
		["ben", "phone"],
	]);
	expect((await run("keys", "list", "ben", "--no-json")).stdout).toMatch(/ {2}ben {2}phone\n$/);
	for (const each of [key, ben.key, guestKey]) expect(keys.stdout).not.toContain(each);
	expect((await run("keys", "revoke", id)).status).toBe(0);
	expect((await run("keys", "revoke", id)).status).toBe(3);
	for (const { address } of [one, other]) expect((await request(address, key, "nodes")).status).toBe(401);
	const refused = await run("list", "--server", link);
	expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(/\[unauthorized\]/)]);

	for (const { child, ended } of [one, other]) {
		child.kill("SIGTERM");
		expect((await ended).status).toBe(0);
	}
});

test("a database that can't be reached is an error that says why", async () => {
	const { status, stderr } = await run("keys", "list", "--database", "postgres://127.0.0.1:1/none");
	expect([status, stderr]).toEqual([1, expect.stringMatching(/ECONNREFUSED/)]);
	const listed = await run("keys", "list", "--database", "sqlite:x");
	expect([listed.status, listed.stderr]).toEqual([2, expect.stringMatching(/PostgreSQL/)]);
});
