import { describe, expect, test } from "vitest";
import { createApp } from "../../examples/express/app.js";
import { apiKey, followedOutline, listening, servesAnOutline, tried } from "./served.js";

function start() {
	const { outline, followers } = followedOutline();
	return listening(createApp(outline, apiKey).listen(0, "127.0.0.1"), followers);
}

describe("an outline in an app of Express", () => {
	servesAnOutline(start, "/outline");

	test("is beside the app's own routes, whose bodies are parsed", async () => {
		const { fetch, stop } = await start();
		const made = await fetch("/notes", {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ text: "call *Ada*" }),
		});
		const { id } = (await made.json()) as { id: string };
		const headers = { authorization: `Bearer ${apiKey}` };
		expect(await (await fetch(`/outline/api/v1/nodes/${id}`, { headers })).json()).toMatchObject({
			node: { name: "call *Ada*" },
		});
		expect((await fetch("/api/v1/nodes", { headers })).headers.get("content-type")).toContain("text/html");
		await stop();
	});

	test("starts as it says", async () => {
		expect(await tried("examples/express/main.ts")).toMatchObject({
			status: 200,
			body: { targets: expect.any(Array) },
		});
	});
});
