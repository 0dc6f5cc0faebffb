import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createIndexedDbStorage } from "../../adapters/indexeddb.js";
import { createSqliteStorage } from "../../adapters/sqlite.js";
import { openTrialStorage } from "../adapters/file/trial.js";
import { rawConnection } from "../adapters/indexeddb/raw.js";
import { openDatabase } from "../adapters/sqlite/open-database.js";
import { CrashFileSystem } from "../faults/crash-file-system.js";
import { systemError } from "../faults/system-error.js";
import { codeOf } from "../support/outline.js";
import { temporaryFolder } from "../support/temporary.js";
import { Disk } from "./disk.js";
import type { StoragePlace } from "./kinds.js";
import { expectEqual, look } from "./meeting.js";
import { Site, siteWith } from "./site.js";

/** A place whose storage can fail. */
interface FailingPlace extends StoragePlace {
	break(): Promise<void> | void;
	mend(): Promise<void> | void;
}

function failingFile(code: string): FailingPlace {
	const fileSystem = new CrashFileSystem();
	let isBroken = false;
	fileSystem.failOn(({ type, path }) => (type === "write" && isBroken ? systemError(code, type, path) : undefined));
	return {
		open: () => openTrialStorage(fileSystem),
		break: () => {
			isBroken = true;
		},
		mend: () => {
			isBroken = false;
		},
	};
}

const places: Record<string, () => FailingPlace> = {
	"a file on a disk that reports errors": () => failingFile("EIO"),
	"a file on a disk that has become read-only": () => failingFile("EROFS"),
	"a SQLite file that another program has locked"() {
		const path = join(temporaryFolder(), "outline.db");
		const client = process.env.OUTLINE_SQLITE_CLIENT ?? "libsql";
		const [database, other] = [openDatabase(client, path), openDatabase(client, path)];
		onTestFinished(() => {
			database.close();
			other.close();
		});
		return {
			open: () => createSqliteStorage(database, { busyTimeout: 20 }),
			break: () => void other.exec("BEGIN IMMEDIATE"),
			mend: () => void other.exec("ROLLBACK"),
		};
	},
};

describe.each(Object.keys(places))("the status of a replica in %s", (kind) => {
	test("has the error of a failed exchange, isn't offline, and a commit that succeeds clears it", async () => {
		const place = places[kind]!();
		const { site, device } = await siteWith(place);
		await device.outline.create({ name: "pending", position: "bottom" });
		await site.outline.create({ name: "of the server", position: "bottom" });
		await place.break();
		const failed = { phase: "idle", pending: 1, error: { code: "storage_unavailable" } };
		for (let attempt = 0; attempt < 2; attempt++) {
			expect(await codeOf(device.sync())).toBe("storage_unavailable");
			expect(device.replica.status.current).toMatchObject(failed);
			expect(device.replica.status.current.error!.message).not.toContain("server");
		}
		device.replica.pause();
		expect(await codeOf(device.sync())).toBe("storage_unavailable");
		expect(device.replica.status.current).toMatchObject({ ...failed, phase: "paused" });
		device.replica.resume();
		expect(device.replica.status.current).toMatchObject(failed);
		await place.mend();
		await device.outline.create({ name: "later", position: "bottom" });
		expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 2, error: null });
		await device.sync();
		expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 0, error: null });
		expect(await look(site.outline)).toBe("sent\npending\nlater\nof the server");
		await expectEqual(site);
	});
});

test("a database that a newer release has upgraded isn't offline, and the status says what to do", async () => {
	const indexedDB = new IDBFactory();
	const { site, device } = await siteWith({ open: () => createIndexedDbStorage("upgraded", { indexedDB }) });
	await device.outline.create({ name: "pending" });
	(await rawConnection(indexedDB, "upgraded", 1000)).close();
	await site.outline.create({ name: "of the server" });
	expect(await codeOf(device.sync())).toBe("storage_unavailable");
	const error = { code: "storage_unavailable", message: expect.stringContaining("newer release") };
	expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 1, error });
});

test("an automatic replica whose local storage can't be opened has the error in its status", async () => {
	const fileSystem = new CrashFileSystem();
	let isFull = true;
	fileSystem.failOn(({ type, path }) => (isFull ? systemError("ENOSPC", type, path) : undefined));
	const site = new Site();
	const device = site.device(new Disk(() => ({ open: () => openTrialStorage(fileSystem) })), { auto: true });
	onTestFinished(() => site.end());
	const { status } = device.replica;
	await expect.poll(() => status.current).toMatchObject({ phase: "idle", error: { code: "quota_exceeded" } });
	isFull = false;
	await expect
		.poll(() => status.current)
		.toMatchObject({ phase: "idle", error: null, lastSyncedAt: expect.anything() });
});
