import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { bound } from "../../../support/notices.js";
import { codeOf, newOutline, plant } from "../../../support/outline.js";
import { contents, type Device, directRemote, newDevice } from "./direct-remote.js";

/** Two devices that have changed the same words of a name. The second one was later. */
async function meeting() {
	const server = newOutline();
	const remote = directRemote(() => server);
	const devices = [newDevice(remote), newDevice(remote)] as [Device, Device];
	const [first, second] = devices;
	const { a } = await plant<"a">(first.outline, "call Ada #a");
	await first.replica.sync();
	await second.replica.sync();
	await first.outline.update(a, { name: "call Bob" });
	await second.outline.update(a, { name: "call Eve" });
	await first.replica.sync();
	await second.replica.sync();
	await first.replica.sync();
	return { server, first, second, a };
}

describe("conflicts", () => {
	test("show what the outline has now", async () => {
		const { first, second, a } = await meeting();
		await first.outline.update(a, { name: "please call Eve" });
		const shown = async ({ replica }: Device) => (await replica.conflicts()).map((each) => [each.shown, each.other]);
		expect(await shown(first)).toEqual([["please call Eve", "call Bob"]]);
		expect(await shown(second)).toEqual([["call Eve", "call Bob"]]);
		await first.outline.delete(a);
		expect(await shown(first)).toEqual([["call Eve", "call Bob"]]);
	});

	test("are closed for all by one device, and what is shown stays", async () => {
		const { server, first, second, a } = await meeting();
		const [conflict] = await first.replica.conflicts();
		await first.replica.resolve(conflict!.id, "shown");
		expect(first.replica.status.current).toMatchObject({ conflicts: 0, pending: 1 });
		await first.replica.sync();
		await second.replica.sync();
		expect(await second.replica.conflicts()).toEqual([]);
		expect((await server.get(a)).name).toBe("call Eve");
		expect(await contents(second.outline)).toEqual(await contents(server));
	});

	test("can put the other value in place, by a change that can be undone", async () => {
		const { server, first, second, a } = await meeting();
		const [conflict] = await second.replica.conflicts();
		await second.replica.resolve(conflict!.id, "other");
		expect((await second.outline.get(a)).name).toBe("call Bob");
		for (const { replica } of [second, first]) await replica.sync();
		expect(await first.replica.conflicts()).toEqual([]);
		expect((await first.outline.get(a)).name).toBe("call Bob");
		expect(await second.outline.undo()).toMatchObject({ operation: "update" });
		await second.replica.sync();
		expect((await server.get(a)).name).toBe("call Eve");
	});

	test("a replica without an outline can put the other value in place too", async () => {
		const { server, first, a } = await meeting();
		const local = first.local;
		const remote = directRemote(() => server);
		const { createReplica } = await import("../../../../src/sync/index.js");
		const replica = createReplica({ local, remote, auto: false });
		const [conflict] = await replica.conflicts();
		await replica.resolve(conflict!.id, "other");
		await replica.sync();
		expect((await server.get(a)).name).toBe("call Bob");
	});

	test("can delete a node that another user has deleted meanwhile", async () => {
		const { first, second, a } = await meeting();
		await second.replica.resolve((await second.replica.conflicts())[0]!.id, "shown");
		await second.replica.sync();
		await first.outline.delete(a);
		await second.outline.update(a, { name: "call Mia" });
		for (const { replica } of [first, second, first]) await replica.sync();
		const [returned] = await first.replica.conflicts();
		expect(returned).toMatchObject({ kind: "returned", nodeId: a });
		await first.outline.delete(a);
		await first.replica.resolve(returned!.id, "other");
		expect(await first.replica.conflicts()).toEqual([]);
		expect(await codeOf(first.outline.get(a))).toBe("not_found");
	});

	test("say what to do if the other value can't take its place any more", async () => {
		const { first, second, a } = await meeting();
		const parent = await first.outline.create({ name: "parent" });
		for (const { replica } of [first, second]) await replica.sync();
		await first.outline.delete(parent.id);
		await second.outline.move(a, { parent: parent.id });
		for (const { replica } of [first, second]) await replica.sync();
		const gone = (await second.replica.conflicts()).find(({ kind }) => kind === "parent")!;
		expect(gone).toMatchObject({ nodeId: a, other: parent.id });
		await expect(second.replica.resolve(gone.id, "other")).rejects.toMatchObject({
			code: "not_found",
			message: expect.stringMatching(new RegExp(`no node "${parent.id}".* Choose "shown" to close the conflict`)),
		});
		await second.replica.resolve(gone.id, "shown");
		expect((await second.replica.conflicts()).map(({ kind }) => kind)).toEqual(["text"]);
	});

	test("are resolved by their ids", async () => {
		const { first } = await meeting();
		const [conflict] = await first.replica.conflicts();
		await expect(first.replica.resolve(conflict as never, "shown")).rejects.toMatchObject({
			code: "invalid_argument",
			message: expect.stringContaining("The id of the conflict"),
		});
		expect(() => first.replica.status.subscribe(undefined as never)).toThrow(/subscribe's listener/);
	});

	test("are closed once if a program resolves one twice at the same time", async () => {
		const { first } = await meeting();
		const [conflict] = await first.replica.conflicts();
		const [one, two] = [0, 1].map(() => first.replica.resolve(conflict!.id, "other"));
		expect(await codeOf(two!)).toBe("not_found");
		await one;
		expect(first.replica.status.current).toMatchObject({ conflicts: 0, pending: 2 });
	});

	test("are resolved by reading few documents each, however many are open", async () => {
		const server = newOutline();
		const remote = directRemote(() => server);
		const storage = createMemoryStorage();
		let found = 0;
		const peek: typeof storage.peek = (queries) => {
			const seen = storage.peek!(queries)!;
			queries.forEach(({ type }, at) => {
				if (type === "documents") found += (seen.results[at] as unknown[]).length;
			});
			return seen;
		};
		const read: typeof storage.read = async (queries) => peek(queries)!;
		const first = newDevice(remote, {
			local: { ...bound(storage), peek, read, watch: (listener) => storage.watch!(listener) },
		});
		const second = newDevice(remote);
		await first.outline.batch(Array.from({ length: 150 }, () => ({ type: "create", name: "both" }) as const));
		for (const { replica } of [first, second]) await replica.sync();
		for (const { outline } of [second, first]) {
			const { nodes } = await outline.list();
			const name = outline === first.outline ? "first" : "second";
			for (const { id } of nodes) await outline.update(id, { name });
		}
		for (const { replica } of [second, first]) await replica.sync();
		const conflicts = await first.replica.conflicts();
		expect(conflicts).toHaveLength(150);
		const heard: number[] = [];
		first.replica.status.subscribe((status) => heard.push(status.conflicts));
		found = 0;
		for (const { id } of conflicts) await first.replica.resolve(id, "other");
		expect(found).toBeLessThan(150 * 10);
		expect(heard.at(-1)).toBe(0);
		expect(first.replica.status.current).toMatchObject({ conflicts: 0, pending: 300 });
		await first.replica.sync();
		expect(first.replica.status.current).toMatchObject({ conflicts: 0, pending: 0 });
	});

	test("are unknown after they are closed", async () => {
		const { first } = await meeting();
		const [conflict] = await first.replica.conflicts();
		await first.replica.resolve(conflict!.id, "shown");
		expect(await codeOf(first.replica.resolve(conflict!.id, "shown"))).toBe("not_found");
		expect(await codeOf(first.replica.resolve("x", "both" as never))).toBe("invalid_argument");
	});
});

test("the status is one object until it changes, and closing the outline closes the replica and its storage", async () => {
	const server = newOutline();
	const { outline, replica, local } = newDevice(directRemote(() => server));
	const { current } = replica.status;
	expect(replica.status.current).toBe(current);
	await outline.close();
	expect(await codeOf(replica.sync())).toBe("closed");
	expect(await codeOf(local.read([]))).toBe("closed");
});
