import { describe, expect, onTestFinished, test, vi } from "vitest";
import { exported, namesBelow, plant } from "../support/outline.js";
import { conflictsOf, expectEqual, look } from "./meeting.js";
import { type Device, Site, settleAll } from "./site.js";

// The ten complaints that users of other programs make most often about sync.

const day = "2026-11-21";

async function pair(scene = ""): Promise<{ site: Site; one: Device; two: Device; marks: Record<string, string> }> {
	const site = new Site();
	const [one, two] = [site.device(), site.device()];
	const marks = await plant(one.outline, scene);
	await settleAll(site.devices);
	return { site, one, two, marks };
}

describe("1. It overwrites newer work", () => {
	test("a device that was away for long sends its one change, and takes all others", async () => {
		const { site, one, two, marks } = await pair("a #a\nb #b\nc #c");
		await two.outline.update(marks.c!, { note: "from far away" });
		for (let edit = 0; edit < 50; edit++) {
			await one.outline.update(marks.a!, { name: `a ${edit}` });
			await one.outline.move(marks.b!, { position: edit % 2 === 0 ? "top" : "bottom" });
			await one.sync();
		}
		await settleAll(site.devices);
		expect(await look(two.outline)).toBe("a 49\nc (from far away)\nb");
		await expectEqual(site);
		expect(await conflictsOf(one)).toEqual([]);
	});

	test("a request that arrives late changes nothing any more", async () => {
		const { site, one, two, marks } = await pair("a #a");
		await one.outline.update(marks.a!, { name: "old" });
		site.network.faults = { lost: 0, unanswered: 0, doubled: 0, late: 1, cut: 0, busy: 0, slow: 0 };
		await expect(one.sync()).rejects.toMatchObject({ code: "storage_unavailable" });
		site.network.faults = null;
		await one.outline.update(marks.a!, { name: "newer" });
		await settleAll(site.devices);
		await two.outline.update(marks.a!, { name: "newest" });
		await settleAll(site.devices);
		await site.network.deliverLate();
		await settleAll(site.devices);
		expect(await look(site.outline)).toBe("newest");
		await expectEqual(site);
	});
});

test("2. Text that both have edited is garbled: either it is whole, or both edits are", async () => {
	const { site, one, two, marks } = await pair("Buy <b>milk</b> and bread on Friday #a");
	await one.outline.update(marks.a!, { name: "Buy <b>oat milk</b> and bread on Friday" });
	await two.outline.update(marks.a!, { name: "Buy <i>goat milk</i> and bread on Saturday" });
	await settleAll(site.devices);
	const shown = await look(site.outline);
	const [conflict, ...others] = await conflictsOf(one);
	expect(others).toEqual([]);
	expect([conflict?.shown, conflict?.other]).toEqual([shown, "Buy <b>oat milk</b> and bread on Friday"]);
	expect(shown).toBe("Buy <i>goat milk</i> and bread on Saturday");
	await expectEqual(site);
});

describe("3. A day is there twice, or emptied", () => {
	test("two devices write into a new day, offline", async () => {
		const { site, one, two } = await pair();
		for (const device of [one, two]) {
			await device.outline.create({ parent: day, name: "breakfast" });
			await device.outline.create({ parent: day, name: "lunch", position: "bottom" });
		}
		await settleAll(site.devices);
		expect((await namesBelow(site.outline, day)).sort()).toEqual(["breakfast", "breakfast", "lunch", "lunch"]);
		expect((await exported(site.outline)).filter(({ name }) => name.includes(`"${day}"`))).toHaveLength(1);
		await expectEqual(site);
	});

	test("a device renames and moves the day while another one writes into it", async () => {
		const { site, one, two } = await pair();
		await one.outline.create({ parent: day, name: "breakfast" });
		await settleAll(site.devices);
		await one.outline.update(day, { name: "A day" });
		await one.outline.move(day, { parent: null });
		await two.outline.create({ parent: day, name: "lunch", position: "bottom" });
		await settleAll(site.devices);
		expect(await namesBelow(two.outline, day)).toEqual(["breakfast", "lunch"]);
		expect((await two.outline.get(day)).name).toBe("A day");
		await expectEqual(site);
	});
});

test("4. It says that it is connected, and sends nothing for hours: it retries within a minute", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
	onTestFinished(() => void vi.useRealTimers());
	const site = new Site();
	const device = site.device(undefined, { auto: true });
	onTestFinished(() => device.outline.close());
	device.isOnline = false;
	await device.outline.create({ name: "a" });
	await vi.waitFor(() => expect(device.replica.status.current).toMatchObject({ phase: "offline", pending: 1 }));
	expect(device.replica.status.current.oldestPendingAt).toEqual(expect.any(Number));
	await vi.advanceTimersByTimeAsync(3_600_000);
	expect(device.replica.status.current).toMatchObject({ phase: "offline", pending: 1 });
	device.isOnline = true;
	await vi.advanceTimersByTimeAsync(60_000);
	await vi.waitFor(() => expect(device.replica.status.current).toMatchObject({ phase: "idle", pending: 0 }));
	expect(await look(site.outline)).toBe("a");
});

test("5. The first sync takes long: a large outline comes in few requests", async () => {
	const site = new Site();
	const children = Array.from({ length: 5_000 }, (_, index) => ({
		name: `A name of many characters, number ${index}`,
	}));
	await site.outline.createTree({ name: "many", children });
	const device = site.device();
	await device.sync();
	expect(site.network.traffic.requests).toBeLessThan(5);
	await expectEqual(site);
});

test("6. A long queue makes the start slow: a start reads none of it", async () => {
	const { site, one } = await pair("a #a");
	const children = Array.from({ length: 500 }, (_, index) => `${index}`);
	for (const name of children) await one.outline.create({ name });
	one.reopen();
	const read = vi.spyOn(one.session, "read");
	expect((await one.outline.list()).nodes).toHaveLength(501);
	const queries = read.mock.calls.flatMap(([each]) => [...each]);
	const whole = queries.filter(
		(query) => query.type === "documents" && query.limit === undefined && !query.prefix.endsWith("state"),
	);
	expect(whole).toEqual([]);
	await vi.waitFor(() => expect(one.replica.status.current.pending).toBe(500));
	await settleAll(site.devices);
	await expectEqual(site);
});

test("7. What is pending gets lost on a rebase", async () => {
	const { site, one, two, marks } = await pair("a #a\nb #b");
	site.network.faults = { lost: 0, unanswered: 0, doubled: 0, late: 0, cut: 0, busy: 0, slow: 1 };
	let typed = 0;
	site.network.meanwhile = async () => {
		await two.outline.create({ parent: marks.a!, name: `two ${typed}`, position: "bottom" });
		await two.outline.update(marks.b!, { note: `note ${typed++}` });
	};
	for (let round = 0; round < 10; round++) {
		await one.outline.create({ parent: marks.a!, name: `one ${round}`, position: "bottom" });
		site.network.faults = null;
		await one.sync();
		site.network.faults = { lost: 0, unanswered: 0, doubled: 0, late: 0, cut: 0, busy: 0, slow: 1 };
		await two.sync();
	}
	site.network.faults = null;
	await settleAll(site.devices);
	const names = await namesBelow(site.outline, marks.a!);
	const numbers = (whose: string) => names.filter((name) => name.startsWith(whose));
	expect(numbers("one")).toEqual(Array.from({ length: 10 }, (_, index) => `one ${index}`));
	expect(numbers("two")).toEqual(Array.from({ length: typed }, (_, index) => `two ${index}`));
	expect((await site.outline.get(marks.b!)).note).toBe(`note ${typed - 1}`);
	await expectEqual(site);
});

test("8. Work from before the first sync is lost", async () => {
	const { site, one } = await pair("on the server");
	await one.outline.create({ parent: day, name: "breakfast" });
	await one.outline.create({ parent: "inbox", name: "from one" });
	await one.sync();
	const late = site.device();
	await late.outline.create({ name: "early work" });
	await late.outline.create({ parent: day, name: "lunch" });
	await late.outline.create({ parent: "inbox", name: "from the late one" });
	await settleAll(site.devices);
	expect((await namesBelow(site.outline, null)).sort()).toEqual(["Calendar", "Inbox", "early work", "on the server"]);
	expect((await namesBelow(site.outline, day)).sort()).toEqual(["breakfast", "lunch"]);
	expect((await namesBelow(site.outline, "inbox")).sort()).toEqual(["from one", "from the late one"]);
	await expectEqual(site);
});

test("9. Its history grows without end", async () => {
	const { site, one, marks } = await pair("a #a");
	for (let edit = 0; edit < 300; edit++) {
		await one.outline.update(marks.a!, { name: `a ${edit}` });
		if (edit % 10 === 0) await one.sync();
	}
	await settleAll(site.devices);
	expect((await one.disk.documentKeys("replica/")).length).toBeLessThan(5);
	// The marks of the history have their own bound: test/src/sync/server/history-mark.test.ts.
	const kept = (await site.disk.documentKeys("sync/")).filter((key) => !key.startsWith("sync/mark/"));
	expect(kept.length).toBeLessThan(30);
});

describe("10. It doesn't tell the user whose edit gave way, and deleted nodes return", () => {
	test("every device tells both texts until one of them closes the conflict", async () => {
		const { site, one, two, marks } = await pair("a #a");
		const third = site.device();
		await one.outline.update(marks.a!, { name: "first" });
		await two.outline.update(marks.a!, { name: "second" });
		await settleAll(site.devices);
		for (const device of site.devices) {
			expect(device.replica.status.current.conflicts).toBe(1);
			expect(await device.replica.conflicts()).toMatchObject([
				{ kind: "text", nodeId: marks.a, field: "name", shown: "second", other: "first" },
			]);
		}
		const [conflict] = await third.replica.conflicts();
		await third.replica.resolve(conflict!.id, "other");
		await settleAll(site.devices);
		expect(await look(one.outline)).toBe("first");
		for (const device of site.devices) expect(await device.replica.conflicts()).toEqual([]);
		await expectEqual(site);
	});

	test("a deleted node stays deleted when a device that was away comes back", async () => {
		const { site, one, two, marks } = await pair("a #a\n  b #b\nc #c");
		await one.outline.delete(marks.a!);
		await one.sync();
		await two.outline.complete(marks.b!);
		await two.outline.move(marks.b!, { position: "bottom" });
		await two.outline.update(marks.c!, { name: "C" });
		await settleAll(site.devices);
		expect(await look(site.outline)).toBe("C");
		await expectEqual(site);
	});
});
