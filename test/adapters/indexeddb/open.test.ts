import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type IndexedDbFactory, openConnection } from "../../../adapters/indexeddb/open.js";
import type { Connection } from "../../../adapters/indexeddb/transaction.js";
import { Emitter } from "./emitter.js";
import "./globals.js";

class HeldTransaction extends Emitter {
	error: unknown = null;
	aborted = 0;

	abort(): void {
		this.aborted += 1;
	}
}

class HeldConnection {
	closed = 0;
	readonly created: string[] = [];

	createObjectStore(name: string) {
		this.created.push(name);
		return { put: () => undefined };
	}

	close(): void {
		this.closed += 1;
	}
}

/** A request in which nothing happens unless the test triggers it. */
class HeldRequest extends Emitter {
	readonly result = new HeldConnection();
	readonly transaction = new HeldTransaction();
	error: unknown = null;

	fail(name: string): boolean {
		this.error = new DOMException("", name);
		return this.emit("error");
	}
}

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

function begin(beforeCreating: () => void = () => {}) {
	const request = new HeldRequest();
	const factory: IndexedDbFactory = { open: () => request };
	const opening = openConnection({ factory, name: "a", outline: "a", timeout: 100, beforeCreating });
	opening.catch(() => undefined);
	return { request, opening };
}

describe("opening", () => {
	test("returns the connection, and leaves no timer", async () => {
		const { request, opening } = begin();
		request.emit("upgradeneeded", { oldVersion: 0 });
		request.emit("success");
		expect(await opening).toBe(request.result as unknown as Connection);
		expect(request.result.created).toEqual(["journal", "blocks", "meta"]);
		expect(vi.getTimerCount()).toBe(0);
		expect(request.result.closed).toBe(0);
	});

	test("rejects with the browser's error, which isn't reported to the window", async () => {
		const { request, opening } = begin();
		expect(request.fail("UnknownError")).toBe(true);
		await expect(opening).rejects.toBe(request.error);
		expect(vi.getTimerCount()).toBe(0);
	});

	test("rejects with the reason if the creation fails, not with the abort", async () => {
		const { request, opening } = begin();
		request.emit("upgradeneeded", { oldVersion: 0 });
		request.transaction.error = new DOMException("", "QuotaExceededError");
		request.transaction.emit("abort");
		request.fail("AbortError");
		await expect(opening).rejects.toBe(request.transaction.error);
	});

	test("creates nothing if that is refused", async () => {
		const refusal = new Error("not here");
		const { request, opening } = begin(() => {
			throw refusal;
		});
		request.emit("upgradeneeded", { oldVersion: 0 });
		expect(request.result.created).toEqual([]);
		expect(request.transaction.aborted).toBe(1);
		request.fail("AbortError");
		await expect(opening).rejects.toBe(refusal);
	});

	test("closes a connection that comes too late, and creates nothing", async () => {
		const { request, opening } = begin();
		await vi.advanceTimersByTimeAsync(100);
		await expect(opening).rejects.toMatchObject({ code: "storage_unavailable" });
		request.emit("upgradeneeded", { oldVersion: 0 });
		expect(request.result.created).toEqual([]);
		expect(request.transaction.aborted).toBe(1);
		const another = begin();
		await vi.advanceTimersByTimeAsync(100);
		another.request.emit("success");
		expect(another.request.result.closed).toBe(1);
	});
});
