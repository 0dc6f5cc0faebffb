import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { randomId } from "../../../../src/id.js";
import type { Outline } from "../../../../src/outline.js";
import type { SyncAnswer } from "../../../../src/sync/protocol.js";
import { interrupted } from "../../../support/interrupted.js";
import { exported, newOutline, noon } from "../../../support/outline.js";
import { creation, disputed, entryTime, pulled, SyncDevice, serverAndDevice } from "../../../support/sync-device.js";

/** The names of all nodes, in order. */
async function names(outline: Outline): Promise<string[]> {
	return (await exported(outline)).map(({ name }) => name).sort();
}

test("an answer repeats a refused entry until the device knows it, and later entries go on", async () => {
	const { server, device } = serverAndDevice();
	device.create({ name: "<i>a" });
	device.create({ name: "b" });
	const answer = await server.sync(device.push());
	expect(answer.refused).toEqual([{ seq: 1, code: "invalid_argument", message: expect.stringContaining("<i>a") }]);
	expect(answer.last).toBe(2);
	expect((await server.sync(device.push())).refused).toEqual(answer.refused);
	device.take(answer);
	expect((await server.sync(device.push())).refused).toEqual([]);
	expect(await names(server)).toEqual(["b"]);
});

test("many refused entries are acknowledged in between", async () => {
	const { server, device } = serverAndDevice();
	for (let count = 0; count < 1000; count++) device.create({ name: "<" });
	device.create({ name: "good" });
	const answer = await server.sync(device.push());
	expect(answer.last).toBe(256);
	await device.sync(server);
	expect(device.refused.map(({ seq }) => seq)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
	expect(await names(server)).toEqual(["good"]);
});

test("an entry that is too large for a commit is refused, and smaller ones are split", async () => {
	const server = newOutline({ limits: { commit: 5000 } });
	const device = new SyncDevice();
	device.add({ nodes: Array.from({ length: 80 }, () => creation()) });
	for (let count = 0; count < 40; count++) device.create({ name: "x".repeat(300) });
	await device.sync(server);
	expect(device.refused).toMatchObject([{ seq: 1, code: "too_large" }]);
	expect(await exported(server)).toHaveLength(40);
});

test("an entry whose conflicts would fill the memory is refused, and the entries beside it are settled", async () => {
	const { server, device } = serverAndDevice();
	const id = device.create({ note: "x".repeat(100_000) });
	await device.sync(server);
	const others = Array.from({ length: 40_000 }, (_, number) => ({ note: String(number) }));
	const seq = device.add({ nodes: [{ id, before: {}, after: {}, others }] });
	const later = device.create({ name: "later" });
	await device.sync(server);
	expect(device.refused).toMatchObject([{ seq, code: "too_large" }]);
	expect(device.conflicts.size).toBe(0);
	expect((await server.get(later)).name).toBe("later");
});

test("a line that is too long to be parsed refuses its entry", async () => {
	const { server, device } = serverAndDevice();
	device.create({ note: "x".repeat(9_000_000) });
	device.create({ name: "good" });
	await device.sync(server);
	expect(device.refused).toMatchObject([{ seq: 1, code: "too_large" }]);
	expect(await names(server)).toEqual(["good"]);
});

test.each([
	["deep", "[".repeat(200_000) + "]".repeat(200_000)],
	["many", `[${"{},".repeat(29_998)}"${"x".repeat(262_144)}"]`],
])("a line of %s values, which would take too long to parse, refuses its entry", async (_, values) => {
	const { server, device } = serverAndDevice();
	device.create({ name: "[{,".repeat(300_000) });
	const lines = [...device.push(), `{"seq":2,"at":1,"nodes":[],"x":${values}}`, '{"seq":3,"at":1,"nodes":[]}'];
	expect(await server.sync(lines)).toMatchObject({ last: 3, refused: [{ seq: 2, code: "too_large" }] });
	await expect(server.sync([`{"protocol":1,"x":${values}}`])).rejects.toMatchObject({ code: "invalid_argument" });
});

test("a line may have 60,000 values, however long it is, and any number if it is short", async () => {
	const device = new SyncDevice();
	const [header] = device.push();
	const long = `[${"{},".repeat(29_997)}"${"x".repeat(262_144)}"]`;
	const short = `[${"0,".repeat(100_000)}0]`;
	const lines = [header!, `{"seq":1,"at":1,"nodes":[],"x":${long}}`, `{"seq":2,"at":1,"nodes":[],"x":${short}}`];
	expect(await newOutline().sync(lines)).toMatchObject({ last: 2, refused: [] });
});

test("a conflict reaches every device, and closing it does too", async () => {
	const { server, one, two, id } = await disputed();
	await one.sync(server);
	const [conflict] = [...two.conflicts.values()];
	expect(conflict).toMatchObject({
		kind: "text",
		nodeId: id,
		field: "name",
		at: entryTime,
		device: two.id,
	});
	expect([conflict!.shown, conflict!.other].sort()).toEqual(["one", "two"]);
	expect([...one.conflicts.values()]).toEqual([conflict]);
	const late = await pulled(server);
	expect([...late.conflicts.values()]).toEqual([conflict]);
	one.add({ closed: [conflict!.id, "0000000000000001-77"] });
	await one.sync(server);
	await two.sync(server);
	expect([one.conflicts.size, two.conflicts.size]).toEqual([0, 0]);
	expect((await pulled(server)).conflicts.size).toBe(0);
});

test("closing a conflict drops the marks that no device reads any more", async () => {
	const storage = createMemoryStorage();
	const server = newOutline({ storage });
	const [one, two] = [new SyncDevice(), new SyncDevice()];
	const id = one.create({ name: "0" });
	await one.sync(server);
	for (let round = 1; round <= 3; round++) {
		await two.sync(server);
		one.rename(id, two.nodes.get(id)!.name!, `one${round}`);
		two.rename(id, two.nodes.get(id)!.name!, `two${round}`);
		await one.sync(server);
		await two.sync(server);
		two.add({ closed: [...two.conflicts.keys()] });
		await two.sync(server);
		await one.sync(server);
		if (round < 3) await server.prune({ before: two.since });
	}
	const [closed, open] = (
		await storage.read([
			{ type: "documents", prefix: "sync/closed/" },
			{ type: "documents", prefix: "sync/conflict/" },
		])
	).results;
	expect(closed).toHaveLength(2);
	expect(open).toEqual([]);
});

test("conflicts come in parts with the commits that they belong to", async () => {
	const server = newOutline();
	const [one, two] = [new SyncDevice(), new SyncDevice()];
	const text = (word: string) => `${word} ${"x".repeat(500_000)}`;
	const ids = Array.from({ length: 12 }, (_, priority) => one.create({ name: text("a"), priority }));
	await one.sync(server);
	await two.sync(server);
	for (const id of ids) {
		one.rename(id, text("a"), text("one"));
		two.rename(id, text("a"), text("two"));
	}
	await one.sync(server);
	const { since } = two;
	let answer: SyncAnswer | undefined;
	for (const { lines } of two.pending) {
		answer = await server.sync([...two.push([], { limit: 0 }), ...lines]);
		two.last = answer.last;
		two.digest = answer.digest;
	}
	const seen = new Map<string, string>();
	two.since = since;
	let answers = 0;
	for (let more = true; more; answers++) {
		answer = await server.sync(two.push());
		for (const { id, nodeId } of answer.conflicts) seen.set(id, nodeId);
		two.take(answer);
		({ more } = answer);
	}
	expect(answers).toBeGreaterThan(2);
	expect([...seen.values()].sort()).toEqual([...ids].sort());
});

test("a conflict that comes while an answer is read is in this answer or in the next", async () => {
	const storage = createMemoryStorage();
	const server = newOutline({ storage });
	const [one, two, three] = [new SyncDevice(), new SyncDevice(), new SyncDevice()];
	const ids = Array.from({ length: 200 }, (_, priority) => one.create({ name: "a", priority }));
	await one.sync(server);
	await two.sync(server);
	one.rename(ids[7]!, "a", "one");
	two.rename(ids[7]!, "a", "two");
	await one.sync(server);
	const slow = newOutline({
		storage: interrupted(storage, async () => {
			await server.create({ name: "new" });
			await two.sync(server);
		}),
	});
	await three.sync(slow);
	expect([...three.conflicts.values()]).toMatchObject([{ nodeId: ids[7], shown: "two", other: "one" }]);
	expect(three.nodes.size).toBe(201);
});

test("times after the server's now become now", async () => {
	const { server, device } = serverAndDevice();
	const later = noon / 1000 + 1000;
	const id = device.create({ createdAt: later, modifiedAt: later, completedAt: later + 86_400 });
	await device.sync(server);
	const now = noon / 1000;
	expect(await server.get(id)).toMatchObject({ createdAt: now, modifiedAt: now, completedAt: now });
});

test("a node with the short id of another is refused", async () => {
	const server = newOutline();
	const { id } = await server.create({ name: "a" });
	const device = new SyncDevice();
	const other = () => randomId().slice(0, -12) + id.slice(-12);
	device.create({}, other());
	device.add({ nodes: [{ id: other(), before: { name: "x" }, after: { name: "y" }, rest: { parentId: null } }] });
	const twin = randomId();
	device.add({
		nodes: [creation({}, twin), creation({}, `0${twin.slice(1)}`.replace(/^./, twin[0] === "0" ? "1" : "0"))],
	});
	await device.sync(server);
	expect(device.refused.map(({ seq }) => seq)).toEqual([1, 2, 3]);
	expect(await exported(server)).toHaveLength(1);
});
