import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createIndexedDbStorage } from "../../adapters/indexeddb.js";
import { createSqliteStorage } from "../../adapters/sqlite.js";
import type { ReplicaStatus } from "../../src/sync/index.js";
import { openTrialStorage } from "../adapters/file/trial.js";
import { openDatabase } from "../adapters/sqlite/open-database.js";
import { CrashFileSystem } from "../faults/crash-file-system.js";
import { FaultyIndexedDb } from "../faults/faulty-indexeddb.js";
import { systemError } from "../faults/system-error.js";
import { codeOf, namesBelow } from "../support/outline.js";
import { temporaryFolder } from "../support/temporary.js";
import type { StoragePlace } from "./kinds.js";
import { expectEqual, look } from "./meeting.js";
import { type Device, type Site, siteWith } from "./site.js";

/** A place that can be full: then its storage has room for no further commit. */
interface BoundedPlace extends StoragePlace {
	isFull: boolean;
}

const places: Record<string, () => BoundedPlace> = {
	file() {
		const fileSystem = new CrashFileSystem();
		const place = { isFull: false, open: () => openTrialStorage(fileSystem) };
		fileSystem.failOn(({ type, path }) =>
			type === "write" && place.isFull ? systemError("ENOSPC", type, path) : undefined,
		);
		return place;
	},
	SQLite() {
		const path = join(temporaryFolder(), "outline.db");
		const database = openDatabase(process.env.OUTLINE_SQLITE_CLIENT ?? "libsql", path);
		onTestFinished(() => void database.close());
		return {
			open: () => createSqliteStorage(database, { synchronous: "normal" }),
			// SQLite takes the present number of pages for a smaller one.
			set isFull(isFull: boolean) {
				database.exec(`PRAGMA max_page_count = ${isFull ? 1 : 1_000_000}`);
			},
		};
	},
	IndexedDB() {
		const database = new FaultyIndexedDb();
		const place = { isFull: false, open: () => createIndexedDbStorage("full", database.options) };
		database.faultAt = ({ type }) =>
			type === "add" && place.isFull ? { kind: "fail", error: "QuotaExceededError" } : undefined;
		return place;
	},
};

/** A text that no free room of a page can hold. */
const long = "long ".repeat(10_000).trim();

async function begin(kind: string): Promise<{ site: Site; device: Device; place: BoundedPlace }> {
	const place = places[kind]!();
	const { site, device } = await siteWith(place);
	device.isOnline = false;
	await device.outline.create({ name: "pending", position: "bottom" });
	return { site, device, place };
}

describe.each(Object.keys(places))("a full storage (%s) of a device", (kind) => {
	test("refuses a commit at once, and the status has the error until a commit finds room", async () => {
		const { site, device, place } = await begin(kind);
		const heard: ReplicaStatus[] = [];
		device.replica.status.subscribe((status) => heard.push(status));
		place.isFull = true;
		expect(await codeOf(device.outline.create({ name: long }))).toBe("quota_exceeded");
		expect(heard.at(-1)).toMatchObject({ phase: "idle", pending: 1, error: { code: "quota_exceeded" } });
		expect(device.replica.status.current).toBe(heard.at(-1));
		expect(await codeOf(device.outline.create({ name: long }))).toBe("quota_exceeded");
		expect(await look(device.outline)).toBe("sent\npending");
		expect(await look(site.outline)).toBe("sent");
		place.isFull = false;
		await device.outline.create({ name: "later", position: "bottom" });
		expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 2, error: null });
		device.isOnline = true;
		await device.sync();
		expect(await look(site.outline)).toBe("sent\npending\nlater");
		await expectEqual(site);
	});

	test("fails an exchange, whose answer comes again when there is room, and each commit arrives once", async () => {
		const { site, device, place } = await begin(kind);
		await site.outline.create({ name: long, position: "bottom" });
		device.isOnline = true;
		place.isFull = true;
		for (let attempt = 0; attempt < 2; attempt++) {
			expect(await codeOf(device.sync())).toBe("quota_exceeded");
			const error = { code: "quota_exceeded" };
			expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 1, error });
		}
		expect(await look(device.outline)).toBe("sent\npending");
		place.isFull = false;
		await device.outline.create({ name: "later" });
		expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 2, error: null });
		await device.sync();
		expect((await namesBelow(site.outline, null)).sort()).toEqual(["later", long, "pending", "sent"]);
		await expectEqual(site);
	});

	test("replaces the error of a failed exchange, which returns when a commit finds room", async () => {
		const { device, place } = await begin(kind);
		expect(await codeOf(device.sync())).toBe("storage_unavailable");
		place.isFull = true;
		for (let attempt = 0; attempt < 2; attempt++) {
			expect(await codeOf(device.outline.create({ name: long }))).toBe("quota_exceeded");
			expect(device.replica.status.current).toMatchObject({ phase: "offline", error: { code: "quota_exceeded" } });
		}
		place.isFull = false;
		await device.outline.create({ name: "later" });
		expect(device.replica.status.current).toMatchObject({
			phase: "offline",
			pending: 2,
			error: { code: "storage_unavailable" },
		});
	});

	test("leaves no error in the status after an exchange that finds room", async () => {
		const { site, device, place } = await begin(kind);
		expect(await codeOf(device.sync())).toBe("storage_unavailable");
		place.isFull = true;
		expect(await codeOf(device.outline.create({ name: long }))).toBe("quota_exceeded");
		place.isFull = false;
		device.isOnline = true;
		await device.sync();
		expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 0, error: null });
		await device.outline.create({ name: "later", position: "bottom" });
		expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 1, error: null });
		await device.sync();
		expect(await look(site.outline)).toBe("sent\npending\nlater");
		await expectEqual(site);
	});
});
