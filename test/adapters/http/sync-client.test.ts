import { execFile, execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createNodeListener } from "../../../adapters/http/index.js";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { Outline } from "../../../src/outline.js";
import type { Conflict, SyncNode } from "../../../src/sync/protocol.js";
import { exported } from "../../support/outline.js";
import { SyncDevice } from "../../support/sync-device.js";
import { temporaryFolder } from "../../support/temporary.js";
import { listening } from "./network.js";

const client = fileURLToPath(new URL("sync_client.py", import.meta.url));

/** Whether the machine has Python 3. Without it, these tests are skipped. */
const hasPython = (() => {
	try {
		execFileSync("python3", ["--version"]);
		return true;
	} catch {
		return false;
	}
})();

/** The state of a client. */
interface Shown {
	nodes: Record<string, SyncNode>;
	keys: Record<string, string>;
	conflicts: Record<string, Conflict>;
	refused: object[];
	pending: number;
	device: string;
	since: number;
}

/** A server, and clients with names that keep their files in a folder. */
async function served() {
	const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
	const port = await listening(createNodeListener({ authenticate: (key) => (key === "key" ? outline : null) }));
	const address = `http://127.0.0.1:${port}/api/v1`;
	const folder = temporaryFolder();
	const run = async <T = string>(name: string, command: string, ...rest: string[]): Promise<T> => {
		const given = [client, join(folder, name), address, "key", command, ...rest];
		return JSON.parse((await promisify(execFile)("python3", given)).stdout) as T;
	};
	/** Checks that a client has what the server has. */
	const assertEqual = async (name: string): Promise<Shown> => {
		const shown = await run<Shown>(name, "show");
		const device = new SyncDevice();
		await device.sync(outline);
		expect(shown.nodes).toEqual(Object.fromEntries(device.nodes));
		expect(shown.keys).toEqual(Object.fromEntries(device.keys));
		expect(shown.conflicts).toEqual(Object.fromEntries(device.conflicts));
		expect((await outline.verify()).total).toBe(0);
		return shown;
	};
	const copy = (name: string, to: string) => copyFileSync(join(folder, name), join(folder, to));
	return { outline, run, assertEqual, copy };
}

test.runIf(hasPython)("a client in Python pushes, pulls and meets conflicts", async () => {
	const { outline, run, assertEqual } = await served();
	for (const name of ["milk", "bread ä😀", "eggs"]) await run("one", "create", name);
	expect(await run("one", "sync")).toBe("done");
	expect(await run("two", "sync")).toBe("done");
	await run("one", "rename", "milk", "oat milk");
	await run("two", "rename", "milk", "soy milk");
	await run("two", "delete", "eggs");
	for (const name of ["one", "two", "one"]) expect(await run(name, "sync")).toBe("done");
	const { conflicts } = await assertEqual("one");
	await assertEqual("two");
	expect(Object.values(conflicts)).toMatchObject([{ kind: "text", field: "name" }]);
	expect((await exported(outline)).map(({ name }) => name)).toContain("bread ä😀");
	await run("one", "close", Object.keys(conflicts)[0]!);
	for (const name of ["one", "two"]) await run(name, "sync");
	expect((await assertEqual("two")).conflicts).toEqual({});
});

test.runIf(hasPython)("a client in Python resumes after a lost answer, a fork and a refusal", async () => {
	const { outline, run, assertEqual, copy } = await served();
	await run("one", "create", "a");
	expect(await run("one", "lose")).toBe("lost");
	await run("one", "create", "b");
	expect((await run<Shown>("one", "show")).pending).toBe(2);
	expect(await run("one", "sync")).toBe("done");
	expect((await exported(outline)).map(({ name }) => name).sort()).toEqual(["a", "b"]);
	// The computer is copied with one pending entry, and both copies go on.
	await run("one", "create", "common");
	copy("one", "two");
	await run("one", "create", "from one");
	await run("two", "create", "from two");
	for (const name of ["one", "two", "one"]) expect(await run(name, "sync")).toBe("done");
	const [one, two] = [await assertEqual("one"), await assertEqual("two")];
	expect(one.device).not.toBe(two.device);
	const names = (await exported(outline)).map(({ name }) => name).sort();
	expect(names).toEqual(["a", "b", "common", "from one", "from two"]);
	await run("one", "create", "<script>");
	expect(await run("one", "sync")).toBe("done");
	expect((await assertEqual("one")).refused).toHaveLength(1);
});

test.runIf(hasPython)("a client in Python loads an image, also after a prune", async () => {
	const { outline, run, assertEqual } = await served();
	const { id } = await outline.createTree({
		name: "tree",
		children: Array.from({ length: 2500 }, (_, at) => ({ name: `${at}`, ...(at % 7 === 0 && { note: "note" }) })),
	});
	await outline.mirror(id, { parent: (await outline.create({ name: "elsewhere" })).id });
	await outline.create({ parent: "2026-11-21", name: "in a day", properties: { due: "2026-12-01" } });
	await outline.complete(id);
	await run("one", "image");
	const { since } = await assertEqual("one");
	expect(await run("one", "sync")).toBe("done");
	await outline.delete((await outline.list(id)).nodes[0]!.id);
	await outline.update(id, { name: "changed" });
	await run("one", "create", "pending");
	await outline.prune({ before: since + 2 });
	expect(await run("one", "sync")).toBe("done");
	expect(Object.values((await assertEqual("one")).nodes).map(({ name }) => name)).toContain("pending");
});
