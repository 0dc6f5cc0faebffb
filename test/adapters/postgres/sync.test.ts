import { expect, onTestFinished, test } from "vitest";
import { createPostgresStorage } from "../../../adapters/postgres.js";
import { ImageBlocks, imageLine } from "../../../src/sync/image/decode.js";
import { exported, newOutline } from "../../support/outline.js";
import { SyncDevice } from "../../support/sync-device.js";
import { eachDatabase, testServer } from "./database.js";

const database = eachDatabase(testServer(), "sync");

/** Several servers of one outline. */
function servers(count: number) {
	return Array.from({ length: count }, () => {
		const outline = newOutline({ storage: createPostgresStorage(database.pool, { outline: "shared" }) });
		onTestFinished(() => outline.close());
		return outline;
	});
}

test("several servers settle each entry once", async () => {
	const outlines = servers(3);
	const devices = [1, 2, 3].map(() => new SyncDevice());
	for (const device of devices) {
		for (let count = 0; count < 20; count++) device.create({ name: `${count}`, priority: count });
	}
	const pushes = devices.flatMap((device) =>
		[7, 20, 13].flatMap((count) =>
			outlines.map((outline) => () => outline.sync(device.push(device.entries.slice(0, count)))),
		),
	);
	const answers = await Promise.all(pushes.map((push) => push()));
	expect(new Set(answers.map(({ outline }) => outline)).size).toBe(1);
	expect(await exported(outlines[0]!)).toHaveLength(60);
	for (const [index, device] of devices.entries()) {
		await device.sync(outlines[index]!);
		expect(device.nodes.size).toBe(60);
	}
	expect((await outlines[0]!.verify()).problems).toEqual([]);
});

test("conflicts, keys, refusals and images are as on any storage", async () => {
	const [one, two] = servers(2) as [ReturnType<typeof newOutline>, ReturnType<typeof newOutline>];
	const [ann, bob] = [new SyncDevice(), new SyncDevice()];
	const id = ann.create({ name: "a" });
	ann.create({ name: "<" });
	ann.add({ keys: [{ key: "k", group: "shortcut", before: null, after: id }] });
	await ann.sync(one);
	await bob.sync(two);
	expect(ann.refused).toMatchObject([{ seq: 2, code: "invalid_argument" }]);
	ann.rename(id, "a", "ann");
	bob.rename(id, "a", "bob");
	await ann.sync(two);
	await bob.sync(one);
	await ann.sync(one);
	expect(ann.conflicts).toEqual(bob.conflicts);
	expect([...ann.conflicts.values()]).toMatchObject([{ kind: "text", shown: "bob", other: "ann" }]);
	const blocks = new ImageBlocks();
	const names: string[] = [];
	for await (const text of two.syncImage()) {
		const line = imageLine(text);
		if ("revision" in line) expect(line).toMatchObject({ outline: ann.outline, revision: ann.since });
		if ("ids" in line) names.push(...blocks.records(line).map(({ name }) => name));
		if ("keys" in line) expect(line.keys).toEqual([{ key: "k", group: "shortcut", nodeId: id }]);
		if ("conflicts" in line) expect(line.conflicts).toEqual([...ann.conflicts.values()]);
	}
	expect(names).toEqual(["bob"]);
	bob.add({ closed: [...bob.conflicts.keys()] });
	await bob.sync(two);
	await ann.sync(two);
	expect([ann.conflicts.size, bob.conflicts.size]).toEqual([0, 0]);
});
