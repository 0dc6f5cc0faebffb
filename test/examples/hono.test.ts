import type { Server } from "node:http";
import { serve } from "@hono/node-server";
import { describe, expect, test } from "vitest";
import { createApp } from "../../examples/hono/app.js";
import { apiKey, followedOutline, listening, servesAnOutline, tried } from "./served.js";

function start() {
	const { outline, followers } = followedOutline();
	const { fetch } = createApp(outline, apiKey);
	return listening(serve({ fetch, hostname: "127.0.0.1", port: 0 }) as Server, followers);
}

describe("an outline in an app of Hono", () => {
	servesAnOutline(start, "/outline");

	test("is beside the app's own page", async () => {
		const { fetch, stop } = await start();
		const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
		await fetch("/outline/api/v1/nodes", { method: "POST", headers, body: '{"name":"boat"}' });
		expect(await (await fetch("/")).text()).toBe("There are 1 nodes at the top of the outline.");
		expect(await (await fetch("/api/v1/nodes", { headers })).text()).toBe("404 Not Found");
		await stop();
	});

	test("doesn't take a HEAD for a GET, whose stream would never end", async () => {
		const { fetch, followers, stop } = await start();
		const headers = { authorization: `Bearer ${apiKey}` };
		expect((await fetch("/outline/api/v1/changes/stream", { method: "HEAD", headers })).status).toBe(405);
		expect(followers()).toBe(0);
		await stop();
	});

	test("starts as it says", async () => {
		expect(await tried("examples/hono/main.ts")).toMatchObject({ status: 200, body: { targets: expect.any(Array) } });
	});
});
