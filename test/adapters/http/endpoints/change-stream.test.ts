import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ServedOutline } from "../../../../adapters/http/index.js";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { bound } from "../../../support/notices.js";
import { listenersOf, problem, reply, request, service, testOutline } from "../service.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** Reads the events of a stream. */
class Events {
	readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

	constructor(response: Response) {
		expect(response.status).toBe(200);
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		this.#reader = response.body!.getReader();
	}

	/** The next lines; undefined at the end. */
	async text(): Promise<string | undefined> {
		const { value } = await this.#reader.read();
		return value && new TextDecoder().decode(value);
	}

	/** The next event: its id, the names of its nodes, and how many nodes were deleted. */
	async next() {
		const [, id, data] = /^id: (\d+)\nevent: changes\ndata: (.*)\n\n$/.exec((await this.text())!)!;
		const { nodes, deleted, revision } = JSON.parse(data!) as {
			nodes: { name: string }[];
			deleted: [];
			revision: number;
		};
		expect(Number(id)).toBe(revision);
		return [revision, nodes.map(({ name }) => name), deleted.length];
	}

	close(): Promise<void> {
		return this.#reader.cancel();
	}
}

const stream = "/api/v1/changes/stream";

describe("GET /api/v1/changes/stream", () => {
	test("sends the past changes, and then each change when it happens", async () => {
		const { handle, ann } = service();
		const id = await ann.create({ name: "a" });
		const events = new Events(await handle(request("ann", "GET", stream)));
		expect(await events.next()).toEqual([1, ["a"], 0]);
		const coming = events.next();
		await ann.create({ name: "b" });
		expect(await coming).toEqual([2, ["b"], 0]);
		// The changes between two reads come in one event.
		await ann.ask("POST", `/api/v1/nodes/${id}`, { name: "A" });
		await ann.ask("DELETE", `/api/v1/nodes/${id}`);
		await ann.create({ name: "c" });
		expect(await events.next()).toEqual([5, ["c"], 1]);
		await events.close();
	});

	test("asks compressing middleware and proxies to pass each event on at once", async () => {
		const { handle } = service();
		const response = await handle(request("ann", "GET", stream));
		expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
		expect(response.headers.get("x-accel-buffering")).toBe("no");
		await response.body!.cancel();
	});

	test("writes an event as the page of the interface shows it", async () => {
		const { handle, ann } = service();
		await ann.create({ name: "milk" });
		const response = await handle(request("ann", "GET", stream));
		const events = new Events(response);
		const [shown] = /^id: \d+\nevent: changes\ndata: .*\n/m.exec(readFileSync("docs/interface.md", "utf8"))!;
		const withoutValues = (text: string) => text.replaceAll(/"[\da-f]{8}-[\da-f-]{27}"|-?\d+/g, "0");
		expect(withoutValues((await events.text())!)).toBe(`${withoutValues(shown)}\n`);
		await events.close();
	});

	test("sends the revisions alone to a key for a part, after which its nodes may have changed", async () => {
		const outline = testOutline();
		const part = await outline.create({ name: "part" });
		const hidden = await outline.create({ name: "hidden" });
		const { handle } = service({ authenticate: () => outline.scope(part.id) });
		await outline.scope(part.id).list();
		const events = new Events(await handle(request("ann", "GET", `${stream}?since=1`)));
		const coming = events.text();
		await outline.create({ name: "out of sight", parent: hidden.id });
		await outline.create({ name: "in sight", parent: part.id });
		expect(await coming).toBe('id: 4\nevent: revision\ndata: {"revision":4}\n\n');
		await outline.move(hidden.id, { parent: part.id });
		expect(await events.text()).toBe('id: 5\nevent: revision\ndata: {"revision":5}\n\n');
		await events.close();
	});

	test("sends the revisions alone to a client that asks for them, and reads no changes after a notification", async () => {
		const { handle, ann, outline } = service();
		await ann.create({ name: "a" });
		await ann.create({ name: "b" });
		const changes = vi.spyOn(outline, "changes");
		const opened = async (since: number) =>
			new Events(await handle(request("ann", "GET", `${stream}?revisions=true&since=${since}`)));
		const events = await opened(1);
		expect(await events.text()).toBe('id: 2\nevent: revision\ndata: {"revision":2}\n\n');
		let coming = events.text();
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
		changes.mockClear();
		await ann.create({ name: "c" });
		expect(await coming).toBe('id: 3\nevent: revision\ndata: {"revision":3}\n\n');
		expect(changes).not.toHaveBeenCalled();
		coming = events.text();
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
		await vi.advanceTimersByTimeAsync(15_000);
		expect(await coming).toBe(":\n\n");
		await events.close();
		await outline.prune({ before: 3 });
		const expired = await opened(1);
		expect(await expired.text()).toBe('id: 4\nevent: revision\ndata: {"revision":4}\n\n');
		await expired.close();
		expect(await ann.ask("GET", `${stream}?revisions=yes`)).toMatchObject(problem(400, "invalid_argument"));
	});

	test("finds a revision without a notification", async () => {
		const storage = createMemoryStorage();
		const { handle } = service({}, testOutline(bound(storage)));
		const events = new Events(await handle(request("ann", "GET", `${stream}?revisions=true`)));
		const sign = events.text();
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
		await testOutline(storage).create({ name: "by somebody else" });
		await vi.advanceTimersByTimeAsync(15_000);
		expect(await sign).toBe('id: 1\nevent: revision\ndata: {"revision":1}\n\n');
		await events.close();
	});

	test("sends a change at once that came before the client began to read", async () => {
		const { handle, ann } = service();
		const events = new Events(await handle(request("ann", "GET", stream)));
		await ann.create({ name: "a" });
		expect(await events.next()).toEqual([1, ["a"], 0]);
		await events.close();
	});

	test("continues after the last event that the client received", async () => {
		const { handle, ann } = service();
		for (const name of ["a", "b", "c"]) await ann.create({ name });
		const later = new Events(await handle(request("ann", "GET", stream, undefined, { "last-event-id": "2" })));
		expect(await later.next()).toEqual([3, ["c"], 0]);
		await later.close();
		const since = new Events(await handle(request("ann", "GET", `${stream}?since=1`)));
		expect(await since.next()).toEqual([3, expect.arrayContaining(["b", "c"]), 0]);
		await since.close();
		const both = { "last-event-id": "2" };
		const resumed = new Events(await handle(request("ann", "GET", `${stream}?since=0`, undefined, both)));
		expect(await resumed.next()).toEqual([3, ["c"], 0]);
		await resumed.close();
	});

	test("sends a comment while nothing changes, and finds commits without a notification", async () => {
		const storage = createMemoryStorage();
		const { handle } = service({}, testOutline(bound(storage)));
		const events = new Events(await handle(request("ann", "GET", stream)));
		let sign = events.text();
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
		await vi.advanceTimersByTimeAsync(15_000);
		expect(await sign).toBe(":\n\n");
		await testOutline(storage).create({ name: "by somebody else" });
		sign = events.text();
		expect(await sign).toContain("by somebody else");
		await events.close();
	});

	test("ends when the client disconnects, and leaves no timer or listener", async () => {
		const { handle, outline } = service();
		const listeners = listenersOf(outline);
		const cancelled = new Events(await handle(request("ann", "GET", stream)));
		void cancelled.text();
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
		expect(listeners.count).toBe(1);
		await cancelled.close();
		expect(vi.getTimerCount()).toBe(0);
		expect(listeners.count).toBe(0);
		const gone = new AbortController();
		const aborted = new Events(await handle(new Request(request("ann", "GET", stream), { signal: gone.signal })));
		const ending = aborted.text();
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
		gone.abort();
		expect(await ending).toBeUndefined();
		expect(listeners.count).toBe(0);
		const refused = await reply(await handle(request("ann", "GET", `${stream}?since=7`)));
		expect(refused).toMatchObject(problem(400, "invalid_argument"));
		expect(listeners.count).toBe(0);
	});

	test("ends when the server stops, and one that begins afterwards ends at once", async () => {
		const stopping = new AbortController();
		const { handle, ann } = service({ signal: stopping.signal });
		const events = new Events(await handle(request("ann", "GET", stream)));
		const ending = events.text();
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
		stopping.abort();
		expect(await ending).toBeUndefined();
		expect(vi.getTimerCount()).toBe(0);
		expect(await new Events(await handle(request("ann", "GET", stream))).text()).toBeUndefined();
		await ann.create({ name: "other requests go on" });
	});

	describe("asks again whether its key is valid before a change, and", () => {
		/** An open stream that has sent the first change. `authenticate` counts the questions. */
		async function openStream() {
			const outline = testOutline();
			let answer = (): ServedOutline | null => outline;
			const authenticate = vi.fn(() => answer());
			const errors: unknown[] = [];
			const { handle } = service({ authenticate, onError: (error) => errors.push(error) });
			await outline.create({ name: "a" });
			const events = new Events(await handle(request("ann", "GET", stream)));
			await events.next();
			const answerBy = (next: typeof answer) => {
				answer = next;
			};
			return { outline, events, authenticate, answerBy, errors, listeners: listenersOf(outline) };
		}

		test("ends after ten seconds without the changes that a revoked key may not see", async () => {
			const { outline, events, authenticate, answerBy, errors, listeners } = await openStream();
			answerBy(() => null);
			await vi.advanceTimersByTimeAsync(9_999);
			await outline.create({ name: "b" });
			expect(await events.next()).toEqual([2, ["b"], 0]);
			expect(authenticate).toHaveBeenCalledTimes(1);
			await vi.advanceTimersByTimeAsync(1);
			await outline.create({ name: "c" });
			expect(await events.text()).toBeUndefined();
			expect(authenticate).toHaveBeenCalledTimes(2);
			expect([errors, listeners.count, vi.getTimerCount()]).toEqual([[], 0, 0]);
		});

		test("ends if the key opens only a part of the outline by now", async () => {
			const { outline, events, answerBy } = await openStream();
			const part = await outline.create({ name: "part" });
			await events.next();
			answerBy(() => outline.scope(part.id));
			await vi.advanceTimersByTimeAsync(10_000);
			await outline.create({ name: "outside" });
			expect(await events.text()).toBeUndefined();
		});

		test("goes on with revisions for a key that opened a part, and opens another one by now", async () => {
			const { outline, events, authenticate, answerBy } = await openStream();
			await events.close();
			const part = await outline.create({ name: "part" });
			for (const opened of [() => outline.scope(part.id), () => outline]) {
				answerBy(() => outline.scope(part.id));
				const { handle } = service({ authenticate });
				const revisions = new Events(await handle(request("ann", "GET", stream)));
				const event = revisions.text();
				await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
				answerBy(opened);
				await vi.advanceTimersByTimeAsync(10_000);
				await outline.create({ name: "b", parent: part.id });
				expect(await event).toContain("event: revision");
				await revisions.close();
			}
		});

		test("asks nothing while nothing changes", async () => {
			const { events, authenticate } = await openStream();
			const sign = events.text();
			await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
			await vi.advanceTimersByTimeAsync(15_000);
			expect(await sign).toBe(":\n\n");
			expect(authenticate).toHaveBeenCalledTimes(1);
			await events.close();
		});

		test("goes on for a valid key, asking at most every ten seconds", async () => {
			const { outline, events, authenticate } = await openStream();
			for (let second = 1; second <= 40; second++) {
				await vi.advanceTimersByTimeAsync(1000);
				await outline.create({ name: "more" });
				await events.next();
			}
			expect(authenticate).toHaveBeenCalledTimes(5);
			await events.close();
		});

		test("ends although the clock is set back", async () => {
			const { outline, events, answerBy } = await openStream();
			answerBy(() => null);
			vi.setSystemTime(Date.now() - 3_600_000);
			await outline.create({ name: "b" });
			expect(await events.text()).toBeUndefined();
		});

		test("breaks off if the host can't tell, and reports why", async () => {
			const { outline, events, answerBy, errors } = await openStream();
			answerBy(() => {
				throw new Error("the database of the keys is away");
			});
			await vi.advanceTimersByTimeAsync(10_000);
			await outline.create({ name: "b" });
			await expect(events.text()).rejects.toThrow("broke off");
			expect(errors).toEqual([new Error("the database of the keys is away")]);
		});
	});

	test("any number of streams end when the server stops, without a warning of a leak", async () => {
		const warning = vi.spyOn(process, "emitWarning");
		onTestFinished(() => warning.mockRestore());
		const stopping = new AbortController();
		const { handle } = service({ signal: stopping.signal });
		const open = async () => new Events(await handle(request("ann", "GET", stream)));
		const endings = (await Promise.all(Array.from({ length: 12 }, open))).map((events) => events.text());
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(12));
		stopping.abort();
		expect(new Set(await Promise.all(endings))).toEqual(new Set([undefined]));
		expect(warning).not.toHaveBeenCalled();
	});

	test("breaks off when the outline can't be read any more, and reports why", async () => {
		const outline = testOutline();
		const errors: unknown[] = [];
		const { handle } = service({ onError: (error) => errors.push(error) }, outline);
		const events = new Events(await handle(request("ann", "GET", stream)));
		const broken = expect(events.text()).rejects.toThrow("broke off");
		await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
		await outline.close();
		await vi.advanceTimersByTimeAsync(15_000);
		await broken;
		expect(errors).toMatchObject([{ code: "closed" }]);
	});

	test("begins again with everything if deletions since the client's revision are gone", async () => {
		const { handle, ann, outline } = service();
		const ids = [await ann.create({ name: "a" }), await ann.create({ name: "b" }), await ann.create({ name: "c" })];
		await ann.ask("DELETE", `/api/v1/nodes/${ids[0]}`);
		await ann.ask("DELETE", `/api/v1/nodes/${ids[1]}`);
		const behind = new Events(await handle(request("ann", "GET", `${stream}?since=4`)));
		await outline.prune({ before: 5 });
		expect(await behind.next()).toEqual([5, [], 1]);
		expect(await behind.next()).toEqual([6, [], 0]);
		await behind.close();
		for (const since of [1, 3]) {
			const again = new Events(await handle(request("ann", "GET", `${stream}?since=${since}`)));
			const text = (await again.text())!;
			expect(text).toMatch(/^id: 6\n/);
			expect(JSON.parse(text.split("\ndata: ")[1]!)).toMatchObject({
				nodes: [{ name: "c" }],
				expired: true,
				more: false,
			});
			await again.close();
		}
		const fresh = new Events(await handle(request("ann", "GET", stream)));
		expect(await fresh.text()).not.toContain("expired");
		await fresh.close();
	});

	test("refuses an invalid revision", async () => {
		const { ann } = service();
		for (const id of ["x", "-1", "1.5"]) {
			expect(await ann.ask("GET", stream, undefined, { "last-event-id": id })).toMatchObject(
				problem(400, "invalid_argument"),
			);
		}
	});
});
