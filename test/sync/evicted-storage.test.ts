import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFileStorage } from "../../adapters/file.js";
import { createIndexedDbStorage } from "../../adapters/indexeddb.js";
import { rawDelete } from "../adapters/indexeddb/raw.js";
import { codeOf } from "../support/outline.js";
import { temporaryFolder } from "../support/temporary.js";
import { Disk } from "./disk.js";
import type { StoragePlace } from "./kinds.js";
import { conflictsOf, expectEqual, look } from "./meeting.js";
import { contentOf, type Device, Site, settleAll } from "./site.js";

/** A place that the browser, or another program, can delete. */
interface DeletablePlace extends StoragePlace {
	delete(): Promise<void>;
}

const places: Record<string, () => DeletablePlace> = {
	"an IndexedDB database that the browser deletes": () => {
		const indexedDB = new IDBFactory();
		return {
			open: () => createIndexedDbStorage("evicted", { indexedDB }),
			delete: () => rawDelete(indexedDB, "evicted"),
		};
	},
	"a file whose folder another program deletes": () => {
		const folder = join(temporaryFolder(), "outlines");
		return {
			open() {
				if (!existsSync(folder)) mkdirSync(folder);
				return createFileStorage(join(folder, "outline"));
			},
			delete: async () => rmSync(folder, { recursive: true }),
		};
	},
};

/** A device with an edited node that it hasn't sent, and a conflict that both devices know. */
async function begin(kind: string): Promise<{ site: Site; device: Device; other: Device; place: DeletablePlace }> {
	const place = places[kind]!();
	const site = new Site();
	const [device, other] = [site.device(new Disk(() => place)), site.device()];
	onTestFinished(() => site.end());
	const { id } = await device.outline.create({ name: "sent" });
	await settleAll(site.devices);
	await device.outline.update(id, { name: "first" });
	await other.outline.update(id, { name: "second" });
	await settleAll(site.devices);
	await device.outline.create({ name: "pending" });
	await device.outline.update(id, { note: "pending" });
	return { site, device, other, place };
}

describe.each(Object.keys(places))("%s", (kind) => {
	test("while the device is open: the next commit and the next sync fail, and the status has the error", async () => {
		const { site, device, place } = await begin(kind);
		const before = await contentOf(site.outline);
		await place.delete();
		expect(await codeOf(device.outline.create({ name: "refused" }))).toBe("storage_unavailable");
		expect(device.replica.status.current).toMatchObject({ pending: 2, error: { code: "storage_unavailable" } });
		expect(device.replica.status.current.error!.message).toContain("deleted while it was open");
		expect(await contentOf(site.outline)).toEqual(before);
		expect(await codeOf(device.sync())).toBe("storage_unavailable");
		expect(device.replica.status.current).toMatchObject({ pending: 2, error: { code: "storage_unavailable" } });
		expect(JSON.stringify(await contentOf(site.outline))).not.toContain("refused");
	});

	test("while the device is open: after opening it again, it joins as an empty one, and each commit is there once", async () => {
		const { site, device, place } = await begin(kind);
		await place.delete();
		// A file storage still shows what it has acknowledged, so an exchange can send it.
		await codeOf(device.sync());
		const before = await contentOf(site.outline);
		device.reopen();
		expect(await look(device.outline)).toBe("");
		expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 0, lastSyncedAt: null, error: null });
		await settleAll(site.devices);
		expect(await contentOf(site.outline)).toEqual(before);
		expect(await conflictsOf(device)).toMatchObject([{ kind: "text", shown: "second", other: "first" }]);
		await expectEqual(site);
	});

	test("between two openings: the device joins as an empty one, and claims nothing", async () => {
		const { site, device, other, place } = await begin(kind);
		const before = await contentOf(site.outline);
		device.session.kill();
		await device.disk.closing;
		await place.delete();
		device.open();
		expect(await look(device.outline)).toBe("");
		expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 0, lastSyncedAt: null, error: null });
		await device.outline.create({ name: "of the empty device", position: "bottom" });
		expect(device.replica.status.current).toMatchObject({ pending: 1 });
		await settleAll(site.devices);
		const { nodes } = await contentOf(other.outline);
		expect(nodes.filter(({ name }) => name !== "of the empty device")).toEqual(before.nodes);
		expect(nodes).toHaveLength(before.nodes.length + 1);
		expect(await conflictsOf(device)).toMatchObject([{ kind: "text", shown: "second", other: "first" }]);
		await expectEqual(site);
	});
});
