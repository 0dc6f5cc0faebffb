import { describe, expect, test } from "vitest";
import { newOutline, picture, plant } from "../../../support/outline.js";
import { contents, directRemote, newDevice } from "./direct-remote.js";

function scene() {
	const server = newOutline();
	const remote = directRemote(() => server);
	return { server, remote, first: newDevice(remote), second: newDevice(remote) };
}

describe("a replica", () => {
	test("sends its commits, and another device receives them", async () => {
		const { server, first, second } = scene();
		await plant(first.outline, "a\n  b\nc");
		expect(first.replica.status.current).toMatchObject({ phase: "idle", pending: 3 });
		await first.replica.sync();
		expect(first.replica.status.current).toMatchObject({ phase: "idle", pending: 0, error: null });
		await second.replica.sync();
		expect(await picture(second.outline)).toBe("a\n  b\nc");
		expect(await contents(second.outline)).toEqual(await contents(server));
		expect(await contents(first.outline)).toEqual(await contents(server));
	});

	test("takes over changes of both sides", async () => {
		const { server, first, second } = scene();
		const { a, b } = await plant<"a" | "b">(first.outline, "a #a\n  b #b");
		await first.replica.sync();
		await second.replica.sync();
		await first.outline.update(a, { name: "A" });
		await second.outline.update(b, { name: "B" });
		await second.outline.create({ parent: a, name: "c", position: "bottom" });
		await first.replica.sync();
		await second.replica.sync();
		await first.replica.sync();
		expect(await picture(server)).toBe("A\n  B\n  c");
		for (const { outline, replica } of [first, second]) {
			expect(replica.status.current.pending).toBe(0);
			expect(await contents(outline)).toEqual(await contents(server));
			expect((await outline.verify()).total).toBe(0);
		}
	});

	test("joins with an outline that was made before", async () => {
		const { server, remote, first } = scene();
		await plant(server, "there");
		const { local } = newDevice(remote);
		const before = newOutline({ storage: local });
		await plant(before, "here\n  below");
		const device = newDevice(remote, { local });
		await device.replica.sync();
		expect(await contents(device.outline)).toEqual(await contents(server));
		await first.replica.sync();
		expect((await picture(first.outline)).split("\n").sort()).toEqual(["  below", "here", "there"]);
	});
});
