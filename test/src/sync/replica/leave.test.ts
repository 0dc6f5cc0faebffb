import { expect, test } from "vitest";
import { namesBelow } from "../../../support/outline.js";
import { Site, settleAll } from "../../../sync/site.js";

test("a replica that leaves its server keeps the outline, and is an outline of its own from then on", async () => {
	const site = new Site();
	const [device, other] = [site.device(), site.device()];
	await device.outline.create({ name: "shared" });
	await settleAll([device, other]);
	await device.outline.create({ name: "pending" });
	await device.replica.leave();
	await device.outline.create({ name: "alone" });

	expect(device.replica.status.current).toMatchObject({ pending: 0, phase: "paused", conflicts: 0 });
	expect(await device.disk.documentKeys("replica/")).toEqual([]);
	await expect(device.sync()).rejects.toMatchObject({ code: "closed" });
	await other.sync();
	expect(await namesBelow(other.outline, null)).toEqual(["shared"]);
});

test("a storage that has left its server joins again, with all that was written meanwhile", async () => {
	const site = new Site();
	const [device, other] = [site.device(), site.device()];
	await device.outline.create({ name: "shared" });
	await settleAll([device, other]);
	await device.replica.leave();
	await device.outline.create({ name: "alone" });
	await other.outline.create({ name: "meanwhile" });
	await other.sync();

	const again = site.device(device.disk);
	await settleAll([again, other]);
	for (const { outline } of [again, other]) {
		expect((await namesBelow(outline, null)).sort()).toEqual(["alone", "meanwhile", "shared"]);
	}
});
