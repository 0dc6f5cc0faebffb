import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testServer } from "./database.js";

const server = testServer("sessions");

test("the example shows users their outlines, and guests a part for reading", async () => {
	const file = fileURLToPath(new URL("../../../examples/many-users/main.ts", import.meta.url));
	const child = spawn(process.execPath, ["--import", "tsx", file], {
		env: { ...process.env, PORT: "0", DATABASE_URL: server.connectionString("sessions") },
		stdio: ["ignore", "pipe", "inherit"],
	});
	try {
		const [said] = (await once(child.stdout, "data")) as [Buffer];
		const [, address] = /curl (\S+)\/targets/.exec(String(said))!;
		const status = async (token: string, body?: object) => {
			const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
			const options = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
			return (await fetch(`${address}/nodes`, { headers, ...options })).status;
		};
		expect(await status("token-of-nobody")).toBe(401);
		expect(await status("token-of-ada", { name: "milk", parent_id: "inbox" })).toBe(200);
		expect(await status("token-of-a-guest-of-ada")).toBe(200);
		expect(await status("token-of-a-guest-of-ada", { name: "x" })).toBe(403);
	} finally {
		child.kill();
	}
});
