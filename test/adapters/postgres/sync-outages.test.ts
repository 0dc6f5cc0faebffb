import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createHttpHandler } from "../../../adapters/http/index.js";
import { createPostgresStorage } from "../../../adapters/postgres.js";
import { createHttpRemote } from "../../../src/sync/index.js";
import { TcpProxy } from "../../faults/tcp-proxy.js";
import { soak } from "../../setup/soak.js";
import { contents, newDevice } from "../../src/sync/replica/direct-remote.js";
import { exported, newOutline } from "../../support/outline.js";
import { testServer } from "./database.js";

const machine = testServer("outages");
let proxy: TcpProxy;
beforeAll(async () => {
	proxy = await TcpProxy.start(Number(new URL(machine.connectionString("outages")).port));
});
afterAll(() => proxy.stop());

/** The outages, each with what ends it. */
const outages = {
	"killed connections": [() => machine.killConnections(), () => {}],
	"restarts of the database": [() => machine.restart(), () => {}],
	"a network that breaks": [() => proxy.refuse(), () => proxy.resume()],
	"a network that is silent": [() => proxy.freeze(), () => proxy.resume()],
} as const;

test.each(Object.entries(outages))(
	"four devices on two servers of one database agree after %s",
	{ timeout: 300_000 * soak },
	async (name, [begin, end]) => {
		const servers = [0, 1].map(() => {
			const address = new URL(machine.connectionString("outages"));
			const pool = machine.pool("outages", { host: "127.0.0.1" });
			// The address has priority over the options. Without the proxy, a restarted server may get another one.
			if (name.startsWith("a network")) {
				address.port = String(proxy.port);
				pool.options.connectionString = address.href;
			}
			const outline = newOutline({ storage: createPostgresStorage(pool, { outline: name, timeout: 400 }) });
			onTestFinished(() => outline.close());
			return { outline, answer: createHttpHandler({ authenticate: () => outline, onError: () => {} }) };
		});
		const devices = [0, 1, 2, 3].map((at) => {
			const { answer } = servers[at % 2]!;
			const remote = createHttpRemote({
				url: "http://outline.example/api/v1",
				apiKey: "key",
				fetch: (input, init) => answer(new Request(input, init)),
			});
			const device = newDevice(remote, { auto: true, now: Date.now });
			onTestFinished(() => device.outline.close());
			return device;
		});
		const names: string[] = [];
		let isOver = false;
		const writers = devices.map(async ({ outline }, device) => {
			for (let at = 0; !isOver; at++) {
				names.push(`${device}-${at}`);
				await outline.create({ name: `${device}-${at}`, position: at % 2 === 0 ? "top" : "bottom" });
				await pause(Math.random() * 25);
			}
		});
		for (let round = 0; round < 5 * soak; round++) {
			await pause(200 + Math.random() * 700);
			await begin();
			await pause(Math.random() * 2000);
			end();
		}
		isOver = true;
		await Promise.all(writers);
		await expect
			.poll(() => devices.map(({ replica }) => replica.status.current.pending), { timeout: 120_000 })
			.toEqual([0, 0, 0, 0]);
		const { outline } = servers[0]!;
		expect((await exported(outline)).map((node) => node.name).sort()).toEqual(names.sort());
		expect((await outline.verify()).total).toBe(0);
		const expected = await contents(outline);
		for (const { outline, replica } of devices) {
			await expect.poll(() => contents(outline), { timeout: 70_000, interval: 500 }).toEqual(expected);
			expect(await replica.conflicts()).toEqual([]);
			expect((await outline.verify()).total).toBe(0);
		}
	},
);
