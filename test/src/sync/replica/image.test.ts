import { expect, test } from "vitest";
import type { Outline } from "../../../../src/outline.js";
import type { ImagePlace, Remote } from "../../../../src/sync/index.js";
import { codeOf, newOutline } from "../../../support/outline.js";
import { contents, directRemote, newDevice } from "./direct-remote.js";

/** A server with 3,501 nodes and a key. */
async function largeServer(): Promise<Outline> {
	const server = newOutline();
	const { id } = await server.createTree({
		name: "tree",
		children: Array.from({ length: 3500 }, (_, at) => ({ name: `${at}` })),
	});
	await server.setShortcut("tree", id);
	return server;
}

/** A remote whose images break off within a line, after so many lines. It lists where they began. */
function breaking(server: () => Outline, lines: number, hears = true) {
	const network = { lines, begun: [] as (ImagePlace | undefined)[] };
	const direct = directRemote(server);
	const remote: Remote = {
		...direct,
		async *image(signal, from) {
			network.begun.push(from);
			let left = network.lines;
			for await (const line of direct.image(signal, hears ? from : undefined)) {
				if (left-- > 0) yield line;
				else {
					yield line.slice(0, line.length / 2);
					throw new Error("The connection is gone.");
				}
			}
		},
	};
	return { network, remote };
}

test("an image that breaks off continues, until it is complete", async () => {
	const server = await largeServer();
	const { network, remote } = breaking(() => server, 2);
	const device = newDevice(remote);
	for (let count = 0; count < 4; count++) expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
	network.lines = 0;
	expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
	network.lines = 9;
	await device.replica.sync();
	const { revision } = network.begun[1]!;
	const places = [0, 1000, 2000, 3000, 3501, 3501].map((after) => (after === 0 ? undefined : { after, revision }));
	expect(network.begun).toEqual(places);
	expect(await contents(device.outline)).toEqual(await contents(server));
});

test("an image of an outline that has changed since begins again", async () => {
	const server = await largeServer();
	const { network, remote } = breaking(() => server, 3);
	const device = newDevice(remote);
	expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
	await server.create({ name: "new" });
	network.lines = 9;
	await device.replica.sync();
	expect(network.begun.map((from) => from?.after)).toEqual([undefined, 2000, undefined]);
	expect(await contents(device.outline)).toEqual(await contents(server));
});

test("an image of another outline with the same revision isn't continued", async () => {
	let server = await largeServer();
	const { network, remote } = breaking(() => server, 3);
	const device = newDevice(remote);
	expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
	server = await largeServer();
	await newDevice(directRemote(() => server)).replica.sync();
	network.lines = 9;
	await device.replica.sync();
	expect(network.begun.map((from) => from?.after)).toEqual([undefined, 2000, undefined]);
	expect(await contents(device.outline)).toEqual(await contents(server));
});

test("a remote that can't continue an image begins again", async () => {
	const server = await largeServer();
	const { network, remote } = breaking(() => server, 3, false);
	const device = newDevice(remote);
	expect(await codeOf(device.replica.sync())).toBe("storage_unavailable");
	network.lines = 9;
	await device.replica.sync();
	expect(await contents(device.outline)).toEqual(await contents(server));
});

test("an image that can't be continued ten times begins again", async () => {
	const server = await largeServer();
	const { network, remote } = breaking(() => server, 3);
	const device = newDevice(remote);
	await device.replica.sync().catch(() => {});
	network.lines = 0;
	for (let count = 0; count < 11; count++) await device.replica.sync().catch(() => {});
	expect(network.begun.slice(-2).map((from) => from?.after)).toEqual([2000, undefined]);
});
