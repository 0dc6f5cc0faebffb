import { describe, expect, onTestFinished, test } from "vitest";
import { randomId } from "../../src/id.js";
import type { Query } from "../../src/storage.js";
import type { ReplicaStatus } from "../../src/sync/index.js";
import { codeOf, namesBelow, plant } from "../support/outline.js";
import { turns } from "../support/turns.js";
import { conflictsOf, expectEqual, look } from "./meeting.js";
import { contentOf, Device, Site, settleAll } from "./site.js";

describe("another outline", () => {
	test("is never merged, and what is pending goes out when the right one is back", async () => {
		const [right, wrong] = [new Site(), new Site()];
		const device = right.device();
		await device.outline.create({ name: "a" });
		await device.sync();
		await wrong.outline.create({ name: "of a stranger" });
		await wrong.device().sync();
		await device.outline.create({ name: "b", position: "bottom" });
		device.session.kill();
		const [before, there] = [await contentOf(device.outline).catch(() => null), await contentOf(wrong.outline)];
		expect(before).toBeNull();
		const stray = new Device(wrong, device.disk);
		const shown = await contentOf(stray.outline);
		expect(await codeOf(stray.sync())).toBe("wrong_outline");
		expect(stray.replica.status.current).toMatchObject({ pending: 1, error: { code: "wrong_outline" } });
		expect(await contentOf(stray.outline)).toEqual(shown);
		expect(await contentOf(wrong.outline)).toEqual(there);
		stray.session.kill();
		device.open();
		await device.sync();
		expect(await look(right.outline)).toBe("a\nb");
		await expectEqual(right);
	});

	test("so is a server that has never synced, if the device has", async () => {
		const [right, fresh] = [new Site(), new Site()];
		const device = right.device();
		await device.outline.create({ name: "a" });
		await device.sync();
		device.session.kill();
		const stray = new Device(fresh, device.disk);
		expect(await codeOf(stray.sync())).toBe("wrong_outline");
		expect(await look(fresh.outline)).toBe("");
		expect(await look(stray.outline)).toBe("a");
	});
});

describe("what stops a sync", () => {
	test.each([
		["wrong", "unauthorized"],
		["scope", "forbidden"],
	])("a %s key: the phase is refused, and nothing is lost", async (apiKey, code) => {
		const site = new Site();
		const device = site.device(undefined, { apiKey });
		await device.outline.create({ name: "a" });
		expect(await codeOf(device.sync())).toBe(code);
		expect(device.replica.status.current).toMatchObject({ phase: "refused", pending: 1, error: { code } });
		device.reopen({ apiKey: "key" });
		await device.sync();
		expect(await namesBelow(site.outline, null)).toContain("a");
		await expectEqual(site);
	});

	test("no network: the phase is offline, until it is back", async () => {
		const site = new Site();
		const device = site.device();
		device.isOnline = false;
		await device.outline.create({ name: "a" });
		expect(await codeOf(device.sync())).toBe("storage_unavailable");
		expect(device.replica.status.current).toMatchObject({
			phase: "offline",
			pending: 1,
			oldestPendingAt: expect.any(Number),
			error: { code: "storage_unavailable" },
		});
		device.isOnline = true;
		await device.sync();
		expect(device.replica.status.current).toMatchObject({ lastSyncedAt: expect.any(Number) });
		await expectEqual(site);
	});

	test("an entry that the server refuses for good leaves the queue, tells why, and blocks nothing", async () => {
		const site = new Site(undefined, undefined, { limits: { name: 10 } });
		const [device, other] = [site.device(), site.device()];
		await device.outline.create({ name: "short" });
		await device.outline.create({ name: "a name that is far too long for the server", position: "bottom" });
		await device.outline.create({ name: "shorter", position: "bottom" });
		await settleAll(site.devices);
		expect(await look(site.outline)).toBe("short\nshorter");
		expect(await contentOf(device.outline)).toEqual(await contentOf(site.outline));
		expect(await contentOf(other.outline)).toEqual(await contentOf(site.outline));
		expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 0 });
		const [refused, ...others] = await conflictsOf(device);
		expect(others).toEqual([]);
		expect(refused).toMatchObject({ kind: "refused" });
		expect(JSON.stringify(refused!.other)).toContain("a name that is far too long for the server");
	});
});

describe("the status", () => {
	test("counts commits as pending, whatever they change", async () => {
		const site = new Site();
		const { outline, replica } = site.device();
		const { a, b } = await plant(outline, "a #a\nb #b");
		await outline.batch([
			{ type: "update", ref: a!, name: "A" },
			{ type: "move", ref: b!, parent: a! },
		]);
		await outline.import("c\n  d\ne", { format: "text" });
		await outline.undo();
		await expect.poll(() => replica.status.current.pending).toBe(5);
		await replica.sync();
		expect(replica.status.current).toMatchObject({ pending: 0, oldestPendingAt: null, error: null, phase: "idle" });
	});

	test("tells its listeners, until they stop it", async () => {
		const site = new Site();
		const { outline, replica } = site.device();
		const heard: ReplicaStatus[] = [];
		const stop = replica.status.subscribe(() => heard.push(replica.status.current));
		await outline.create({ name: "a" });
		await replica.sync();
		const phases = heard.map(({ phase }) => phase);
		expect(phases).toContain("syncing");
		expect(phases.at(-1)).toBe("idle");
		expect(heard.some(({ pending }) => pending === 1)).toBe(true);
		stop();
		const { length } = heard;
		await outline.create({ name: "b" });
		await replica.sync();
		expect(heard).toHaveLength(length);
	});

	test("is paused while the replica is, and only a call syncs then", async () => {
		const site = new Site();
		const device = site.device(undefined, { auto: true });
		onTestFinished(() => device.outline.close());
		device.replica.pause();
		await device.outline.create({ name: "a" });
		await turns(50);
		expect(device.replica.status.current).toMatchObject({ phase: "paused", pending: 1 });
		expect(await look(site.outline)).toBe("");
		await device.sync();
		expect(await look(site.outline)).toBe("a");
		device.replica.resume();
		await device.outline.create({ name: "b", position: "bottom" });
		await expect.poll(() => look(site.outline)).toBe("a\nb");
	});
});

test("by itself, a replica sends what is written and fetches what others write", async () => {
	const site = new Site();
	const [one, two] = [site.device(undefined, { auto: true }), site.device(undefined, { auto: true })];
	onTestFinished(() => Promise.all([one, two].map(({ outline }) => outline.close())).then(() => undefined));
	await one.outline.create({ name: "a" });
	await expect.poll(() => look(two.outline)).toBe("a");
	await two.outline.create({ name: "b", position: "bottom" });
	await expect.poll(() => look(one.outline)).toBe("a\nb");
	await site.plainClient().create({ name: "c", position: "bottom" });
	await expect.poll(() => look(one.outline)).toBe("a\nb\nc");
	expect(await conflictsOf(one)).toEqual([]);
});

test("what is pending when an outline is closed goes out after the next opening", async () => {
	const site = new Site();
	const device = site.device();
	await device.outline.create({ name: "a" });
	await device.outline.close();
	device.open();
	await device.sync();
	expect(await look(site.outline)).toBe("a");
	await expectEqual(site);
});

describe("a copied profile", () => {
	test("draws a new identity, and each entry of both arrives once", async () => {
		const site = new Site();
		const one = site.device();
		const { a } = await plant(one.outline, "a #a");
		await one.sync();
		await one.outline.create({ parent: a!, name: "before the copy", position: "bottom" });
		const two = site.device(await one.disk.copy());
		await one.outline.create({ parent: a!, name: "of one", position: "bottom" });
		await two.outline.create({ parent: a!, name: "of two", position: "bottom" });
		await settleAll(site.devices);
		expect((await namesBelow(site.outline, a!)).sort()).toEqual(["before the copy", "of one", "of two"]);
		for (const device of [two, one, two]) {
			await device.outline.create({ parent: a!, name: "later", position: "bottom" });
			await device.sync();
		}
		await settleAll(site.devices);
		expect(await namesBelow(site.outline, a!)).toHaveLength(6);
		await expectEqual(site);
	});

	test("so does a profile that was set back to an older copy", async () => {
		const site = new Site();
		const device = site.device();
		await device.outline.create({ name: "a" });
		await device.sync();
		const old = await device.disk.copy();
		await device.outline.create({ name: "b", position: "bottom" });
		await device.sync();
		device.session.kill();
		const again = new Device(site, old);
		await again.outline.create({ name: "c", position: "bottom" });
		await again.sync();
		await again.sync();
		expect((await namesBelow(site.outline, null)).sort()).toEqual(["a", "b", "c"]);
		await expectEqual(site, [again]);
	});
});

describe("a profile that was set back to a copy from before an entry was refused", () => {
	test.each([0, 1])("tells of the refused entry, with %i later entries at the server", async (later) => {
		const site = new Site(undefined, undefined, { limits: { name: 10 } });
		const device = new Device(site);
		await device.outline.create({ name: "a" });
		await device.sync();
		await device.outline.create({ name: "a name that is too long" });
		const copy = await device.disk.copy();
		await device.sync();
		for (let count = 0; count < later; count++) {
			await device.outline.create({ name: "b", position: "bottom" });
			await device.sync();
		}
		device.session.kill();
		const restored = site.device(copy);
		await restored.outline.create({ name: "c", position: "bottom" });
		await settleAll([restored]);
		expect(await look(site.outline)).toBe(later === 0 ? "a\nc" : "a\nc\nb");
		expect(await restored.replica.conflicts()).toMatchObject([
			{ kind: "refused", other: { nodes: [{ after: { name: "a name that is too long" } }] } },
		]);
		await expectEqual(site);
	});
});

describe("a server that was set back to an older copy", () => {
	test("gets what the devices have", async () => {
		const site = new Site();
		const [one, two] = [site.device(), site.device()];
		await one.outline.create({ name: "a" });
		await settleAll(site.devices);
		const revision = site.disk.revision;
		const { id } = await one.outline.create({ name: "b", position: "bottom" });
		await one.outline.create({ parent: id, name: "below b" });
		await settleAll(site.devices);
		await two.outline.create({ name: "pending", position: "bottom" });
		site.restart(await site.disk.copy(revision));
		await settleAll(site.devices);
		expect(await look(site.outline)).toBe("a\nb\n  below b\npending");
		await expectEqual(site);
	});

	test("doesn't get back what a device has deleted", async () => {
		const site = new Site();
		const device = site.device();
		await device.outline.create({ name: "a" });
		await device.sync();
		const revision = site.disk.revision;
		const { id } = await device.outline.create({ name: "b" });
		await device.sync();
		await device.outline.delete(id);
		site.restart(await site.disk.copy(revision));
		await device.sync();
		expect(await look(device.outline)).toBe("a");
		await expectEqual(site);
	});

	test("gets it, too, if it has gone on meanwhile", async () => {
		const site = new Site();
		const [one, two] = [site.device(), site.device()];
		await one.outline.create({ name: "a" });
		await settleAll(site.devices);
		const revision = site.disk.revision;
		await one.outline.create({ name: "b", position: "bottom" });
		await two.outline.create({ name: "d", position: "bottom" });
		await settleAll(site.devices);
		site.restart(await site.disk.copy(revision));
		for (let more = 0; more < 5; more++) await site.outline.create({ name: `c${more}`, position: "bottom" });
		await settleAll([two, one]);
		expect((await namesBelow(site.outline, null)).sort()).toEqual(["a", "b", "c0", "c1", "c2", "c3", "c4", "d"]);
		await expectEqual(site);
	});
});

test("two tabs on one storage send each change once", async () => {
	const site = new Site();
	const tab = site.device();
	const [second, other] = [tab.tab(), site.device()];
	const { a } = await plant(tab.outline, "a #a");
	for (let round = 0; round < 5; round++) {
		await Promise.all([
			tab.outline.create({ parent: a!, name: `first ${round}`, position: "bottom" }),
			second.outline.create({ parent: a!, name: `second ${round}`, position: "bottom" }),
		]);
		await other.outline.create({ parent: a!, name: `other ${round}`, position: "bottom" }).catch(() => {});
		await Promise.all([tab.sync(), second.sync(), other.sync()]);
	}
	await settleAll(site.devices);
	const names = await namesBelow(site.outline, a!);
	expect(names.filter((name) => !name.startsWith("other")).sort()).toEqual(
		["first", "second"].flatMap((whose) => [0, 1, 2, 3, 4].map((round) => `${whose} ${round}`)),
	);
	expect(new Set(names).size).toBe(names.length);
	await expectEqual(site);
});

/** Lets a plain client create a node before the server reads such changes. Returns the revision without that node. */
function createDuring(site: Site, isFeed: (query: Query & { type: "changes" }) => boolean): () => number {
	const { session, disk } = site;
	const plain = site.plainClient();
	const read = session.read.bind(session);
	let before = 0;
	session.peek = () => undefined;
	session.read = async (queries) => {
		if (before === 0 && queries.some((query) => query.type === "changes" && isFeed(query))) {
			before = disk.revision;
			await plain.create({ name: "lost at the server" });
		}
		return read(queries);
	};
	return () => before;
}

test("a server that lost a commit which came during an exchange is noticed", async () => {
	const site = new Site();
	const device = site.device();
	await device.outline.create({ name: "sent" });
	await device.sync();
	const { disk } = site;
	await site.plainClient().create({ name: "kept" });
	const before = createDuring(site, ({ since }) => since < Number.MAX_SAFE_INTEGER);
	await device.sync();
	expect(await look(device.outline)).toContain("lost at the server");
	site.restart(await disk.copy(before()));
	await site.outline.create({ name: "in its place" });
	await device.sync();
	expect(await contentOf(device.outline)).toEqual(await contentOf(site.outline));
	expect(await look(site.outline)).toContain("lost at the server");
	await site.end();
});

test("a server that lost a commit which came while it read an image is noticed", async () => {
	const site = new Site();
	await site.device().sync();
	const { disk } = site;
	await site.plainClient().create({ name: "kept" });
	const before = createDuring(site, ({ since }) => since === 0);
	const lines: string[] = [];
	for await (const line of site.outline.syncImage()) lines.push(line);
	const { outline, revision, mark } = JSON.parse(lines[0]!);
	expect(revision).toBe(before() + 1);
	site.restart(await disk.copy(before()));
	await site.outline.create({ name: "in its place" });
	const header = { protocol: 1, outline, device: randomId(), since: revision, mark, last: 0, digest: "", limit: 1000 };
	expect(await codeOf(site.outline.sync([JSON.stringify(header)]))).toBe("sync_reset");
	await site.end();
});
