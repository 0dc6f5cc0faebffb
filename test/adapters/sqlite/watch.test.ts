import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import type { CommitNotice, StorageAdapter } from "../../../src/storage.js";
import { Ledger } from "../../conformance/ledger.js";
import { node } from "../../conformance/records.js";
import { describeClients } from "./clients.js";
import { RecordingDatabase } from "./recording-database.js";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

function watched(storage: StorageAdapter): { revisions: number[]; end: () => void } {
	const revisions: number[] = [];
	return { revisions, end: storage.watch!(({ revision }: CommitNotice) => void revisions.push(revision)) };
}

describeClients("watching an outline", (client) => {
	it("notifies of own commits at once, and of other connections' commits within the poll interval", async () => {
		const path = client.path();
		const own = createSqliteStorage(client.open(path), { pollInterval: 300 });
		const ledger = new Ledger(own);
		await ledger.commit({ put: [node(1)] });
		const { revisions } = watched(own);
		await vi.advanceTimersByTimeAsync(0);
		await ledger.commit({ put: [node(2)] });
		expect(revisions.at(-1)).toBe(2);
		await ledger.continueWith(createSqliteStorage(client.open(path)));
		await ledger.commit({ put: [node(3)] });
		await vi.advanceTimersByTimeAsync(299);
		expect(revisions.at(-1)).toBe(2);
		await ledger.commit({ put: [node(4)] });
		await vi.advanceTimersByTimeAsync(1);
		expect(revisions.at(-1)).toBe(4);
		await vi.advanceTimersByTimeAsync(10_000);
		expect(revisions.filter((revision) => revision > 2)).toEqual([4]);
		await own.close();
	});

	it("polls twice a second by default, and only while there is a listener", async () => {
		const database = new RecordingDatabase(client.open());
		const storage = createSqliteStorage(database);
		await storage.read([]);
		const { end } = watched(storage);
		const other = watched(storage);
		await vi.advanceTimersByTimeAsync(0);
		const looks = () =>
			database.calls.filter(({ type, sql }) => type === "all" && /revision.* FROM outlinekit_outlines/.test(sql))
				.length;
		const before = looks();
		await vi.advanceTimersByTimeAsync(5_000);
		expect(looks() - before).toBe(10);
		end();
		await vi.advanceTimersByTimeAsync(500);
		expect(looks() - before).toBe(11);
		other.end();
		await vi.advanceTimersByTimeAsync(5_000);
		expect(looks() - before).toBe(11);
		expect(vi.getTimerCount()).toBe(0);
		watched(storage);
		await storage.close();
		expect(vi.getTimerCount()).toBe(0);
		watched(storage);
		expect(vi.getTimerCount()).toBe(0);
	});

	it("continues after the database couldn't be read for a while", async () => {
		const path = client.path();
		const database = new RecordingDatabase(client.open(path));
		const storage = createSqliteStorage(database, { pollInterval: 100 });
		await storage.read([]);
		const { revisions } = watched(storage);
		database.onCall = () => {
			throw new Error("injected");
		};
		const ledger = new Ledger(createSqliteStorage(client.open(path)));
		await ledger.commit({ put: [node(1)] });
		await vi.advanceTimersByTimeAsync(1_000);
		expect(revisions).toEqual([]);
		database.onCall = () => {};
		await vi.advanceTimersByTimeAsync(100);
		expect(revisions).toEqual([1]);
		await storage.close();
	});
});
