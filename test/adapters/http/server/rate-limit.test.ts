import fc from "fast-check";
import { expect, test } from "vitest";
import { createRateLimit } from "../../../../adapters/http/server/rate-limit.js";
import { problem, reply, request, service, testOutline } from "../service.js";

const path = "/api/v1/nodes-export";

/** A clock that changes only when a test sets it. */
function testClock(start: number) {
	const clock = { time: start, now: () => clock.time };
	return clock;
}

/** The seconds until a limit admits a user; 0 if it has admitted the user. */
function wait(limit: ReturnType<typeof createRateLimit>, outline: object, apiKey: string): number {
	try {
		limit.admit(outline, apiKey);
		return 0;
	} catch (error) {
		expect(error).toMatchObject({ code: "rate_limited" });
		return (error as { members: { retry_after: number } }).members.retry_after;
	}
}

test("§8 a second export within 60 seconds is 429 with the seconds to wait, and doesn't delay the next one", async () => {
	const clock = testClock(1_000_000);
	const { handle, ann } = service({ now: clock.now });
	expect((await ann.ask("GET", path)).status).toBe(200);
	clock.time += 12_345;
	const response = await handle(request("ann", "GET", path));
	expect(response.headers.get("retry-after")).toBe("48");
	const refused = await reply(response);
	expect(refused).toMatchObject(problem(429, "rate_limited"));
	expect(refused.body).toMatchObject({ title: "Too Many Requests", retry_after: 48 });
	expect((await ann.ask("GET", "/api/v1/nodes")).status).toBe(200);
	clock.time = 1_059_999;
	expect((await ann.ask("GET", path)).body.retry_after).toBe(1);
	clock.time = 1_060_000;
	expect((await ann.ask("GET", path)).status).toBe(200);
});

test("§8 each user has a limit of their own, even if the host makes an outline for each request", async () => {
	const { ann, bob } = service({ now: () => 0, authenticate: () => testOutline() });
	expect((await ann.ask("GET", path)).status).toBe(200);
	expect((await ann.ask("GET", path)).status).toBe(429);
	expect((await bob.ask("GET", path)).status).toBe(200);
});

test("§8 exports of the same outline count together if the user has several API keys", async () => {
	const outline = testOutline();
	const { ann, bob } = service({ now: () => 0, authenticate: async () => outline });
	expect((await ann.ask("GET", path)).status).toBe(200);
	expect((await bob.ask("GET", path)).status).toBe(429);
});

test("§8 simultaneous requests count before they are answered", async () => {
	const { ann } = service({ now: () => 0, exportsPerMinute: 2 });
	const replies = await Promise.all(Array.from({ length: 5 }, () => ann.ask("GET", path)));
	expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
});

test("§8 a host can allow more exports, or unlimited exports", async () => {
	const clock = testClock(0);
	const three = service({ now: clock.now, exportsPerMinute: 3 });
	for (clock.time = 0; clock.time < 3000; clock.time += 1000)
		expect((await three.ann.ask("GET", path)).status).toBe(200);
	const refused = await three.ann.ask("GET", path);
	expect(refused).toMatchObject({ status: 429, body: { retry_after: 57, detail: expect.stringContaining("3 times") } });
	const all = service({ now: clock.now, exportsPerMinute: Number.POSITIVE_INFINITY });
	for (let index = 0; index < 20; index++) expect((await all.ann.ask("GET", path)).status).toBe(200);
});

test.each([1, 1000, 59_999, 60_000, 3_600_000, 1_000_000])(
	"§8 exports stay possible if the clock is set back by %i ms",
	async (step) => {
		const clock = testClock(1_000_000);
		const { ann } = service({ now: clock.now });
		expect((await ann.ask("GET", path)).status).toBe(200);
		clock.time -= step;
		expect((await ann.ask("GET", path)).status).toBe(200);
		expect((await ann.ask("GET", path)).status).toBe(429);
		clock.time += 60_000;
		expect((await ann.ask("GET", path)).status).toBe(200);
	},
);

test("§8 API keys are forgotten after a minute, also if the clock was set back", () => {
	const clock = testClock(1_000_000);
	const limit = createRateLimit(1, clock.now);
	for (let index = 0; index < 1000; index++) limit.admit({}, `key ${index}`);
	expect(limit.size).toBe(1000);
	clock.time += 30_000;
	limit.admit({}, "later");
	expect(limit.size).toBe(1001);
	clock.time += 30_000;
	limit.admit({}, "last");
	expect(limit.size).toBe(2);
	clock.time = 0;
	limit.admit({}, "first of a new time");
	expect(limit.size).toBe(1);
});

test("§8 API keys are forgotten in the order of their last export", () => {
	const clock = testClock(0);
	const limit = createRateLimit(2, clock.now);
	for (const [time, apiKey] of [
		[0, "a"],
		[10_000, "b"],
		[50_000, "a"],
		[75_000, "c"],
	] as const) {
		clock.time = time;
		limit.admit({}, apiKey);
	}
	expect(limit.size).toBe(2);
});

test.each([Number.NaN, undefined, "0", 0n])(
	"§8 a clock that returns %s is the server's error, not an end of the limit",
	async (time) => {
		const seen: unknown[] = [];
		const { ann } = service({ now: () => time as number, onError: (error) => seen.push(error) });
		expect(await ann.ask("GET", path)).toMatchObject(problem(500, "internal"));
		expect(seen).toEqual([expect.objectContaining({ name: "RangeError", message: "now must return milliseconds." })]);
	},
);

test("§8 without a limit no API key is remembered", () => {
	const limit = createRateLimit(Number.POSITIVE_INFINITY, () => 0);
	limit.admit({}, "key");
	expect(limit.size).toBe(0);
});

test("§8 the limit admits the same exports as a list of all exports", () => {
	const outlines = [{}, {}, {}];
	const event = fc.record({
		step: fc.integer({ min: 0, max: 40_000 }),
		outline: fc.nat(2),
		key: fc.nat(2),
	});
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 3 }), fc.array(event, { maxLength: 60 }), (perMinute, events) => {
			const clock = testClock(0);
			const limit = createRateLimit(perMinute, clock.now);
			const admitted: { time: number; outline: number; key: number }[] = [];
			for (const { step, outline, key } of events) {
				clock.time += step;
				const ofUser = admitted.filter((other) => other.outline === outline || other.key === key);
				const countedIn = (seconds: number) =>
					ofUser.filter((other) => clock.time + seconds * 1000 - other.time < 60_000).length;
				let expected = 0;
				while (countedIn(expected) >= perMinute) expected++;
				expect(wait(limit, outlines[outline]!, String(key))).toBe(expected);
				if (expected === 0) admitted.push({ time: clock.time, outline, key });
			}
		}),
	);
});
