import { describe, expect, test } from "vitest";
import { createOutlineServer } from "../../examples/node-http/server.js";
import { apiKey, followedOutline, listening, servesAnOutline, tried } from "./served.js";

function start() {
	const { outline, followers } = followedOutline();
	return listening(createOutlineServer(outline, apiKey).listen(0, "127.0.0.1"), followers);
}

describe("an outline on node:http", () => {
	servesAnOutline(start);

	test("starts as it says", async () => {
		expect(await tried("examples/node-http/main.ts")).toMatchObject({
			status: 200,
			body: { targets: expect.any(Array) },
		});
	});
});
