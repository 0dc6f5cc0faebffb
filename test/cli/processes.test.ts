import { spawn } from "node:child_process";
import { readdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import { Outline } from "../../src/outline.js";
import { createHttpRemote, createReplica } from "../../src/sync/index.js";
import { outlinekitProgram, treeBy } from "../support/outlinekit.js";
import { served } from "../support/served.js";
import { temporaryFolder } from "../support/temporary.js";

let folder: string;
let file: string;
beforeEach(() => {
	folder = temporaryFolder();
	file = join(folder, "outline.jsonl");
});
const { start, run, path } = outlinekitProgram(() => ({ OUTLINEKIT_FILE: file, XDG_DATA_HOME: folder }));
const tree = treeBy(run);

test("each command is a process, and the next one undoes it; its exit code is that of the command", async () => {
	const added = await run("add", "- [ ] milk");
	expect(added).toMatchObject({ status: 0, stderr: `A new outline: ${file}\n` });
	expect(JSON.parse(added.stdout)).toMatchObject({ name: "milk", text: "milk", layoutMode: "todo" });
	expect(await run("undo", "--no-json")).toMatchObject({ status: 0, stdout: "Undone: create (1 node)\n" });
	expect(await run("done", "nothing")).toMatchObject({
		status: 3,
		stderr: expect.stringMatching(/^outlinekit: .*\[not_found\]\n$/),
	});
});

test("0 if the reader of the output ends early, as head does", async () => {
	await writeFile(join(folder, "many.txt"), Array.from({ length: 20_000 }, (_, n) => `node ${n}`).join("\n"));
	await run("import", join(folder, "many.txt"));
	const { child, ended, printed } = start("list");
	await printed(/node 1/);
	child.stdout.destroy();
	expect(await ended).toMatchObject({ status: 0, stderr: "" });
	expect(await readdir(folder)).toEqual(["many.txt", "outline.jsonl"]);
});

test("a second one waits for the file, or names the process that has it", async () => {
	const first = start("import", "-", "--format", "text");
	first.child.stdin.write("from the first\n");
	await expect.poll(() => readdir(folder)).not.toEqual([]);
	const refused = await run("add", "x", "--wait", "0");
	expect(refused.status).toBe(1);
	expect(refused.stderr).toContain(`is open in process ${first.child.pid}`);
	const second = start("add", "from the second", "--to", "None", "--wait", "30");
	await second.printed(/^Waiting up to 30 s: .* is open in process/);
	first.child.stdin.end();
	expect(await Promise.all([first.ended, second.ended])).toMatchObject([{ status: 0 }, { status: 0 }]);
	expect(await tree()).toBe("• from the first\n• from the second\n");
});

test.each([
	["SIGINT", 130],
	["SIGKILL", null],
] as const)("an import that ends by %s changes nothing", async (signal, status) => {
	await run("add", "--to", "None", "before");
	const importing = start("import", "-", "--format", "text");
	importing.child.stdin.write("half\n");
	await expect.poll(async () => (await readdir(folder)).length).toBeGreaterThan(1);
	// Most likely it has read the line by then, and waits for the next one.
	await new Promise((resolve) => setTimeout(resolve, 500));
	importing.child.kill(signal);
	expect((await importing.ended).status).toBe(status);
	if (signal === "SIGINT") expect(await readdir(folder)).toEqual(["outline.jsonl"]);
	expect(await tree()).toBe("• before\n");
});

test.skipIf(process.platform === "win32")("Ctrl+C in a pipeline changes nothing", async () => {
	await run("add", "--to", "None", "before");
	for (let round = 0; round < 4; round++) {
		await new Promise((resolve) => {
			const env = { ...process.env, OUTLINEKIT_FILE: file };
			const pipeline = '(echo half; sleep 60) | "$0" "$1" import - --format text';
			// A group of its own: the signal goes to all of the pipeline and to nothing else.
			const shell = spawn("sh", ["-c", pipeline, process.execPath, path()], { env, detached: true });
			shell.stdout.resume().once("close", resolve);
			void expect
				.poll(async () => (await readdir(folder)).length, { timeout: 30_000 })
				.toBeGreaterThan(1)
				.then(() => process.kill(-shell.pid!, "SIGINT"));
		});
		expect(await tree()).toBe("• before\n");
	}
});

describe("a server", () => {
	const serve = () => served(start("serve", "--port", "0"));

	test("has loaded its program when it listens, so that it answers every request if the files are replaced", async () => {
		const server = await serve();
		const program = dirname(path());
		await rename(program, `${program}-replaced`);
		try {
			await server.request("POST", "/nodes", { name: "**here**", parent_id: "today" });
			const headers = { authorization: `Bearer ${server.apiKey}` };
			for (const request of ["changes?since=0", "search?q=here", "export?format=opml", "openapi.json"]) {
				const response = await fetch(`${server.address}/api/v1/${request}`, { headers });
				expect([request, response.status, (await response.text()).length > 20]).toEqual([request, 200, true]);
			}
			const remote = createHttpRemote({ url: `${server.address}/api/v1`, apiKey: server.apiKey });
			const replica = createReplica({ local: createMemoryStorage(), remote, auto: false });
			const outline = new Outline({ storage: replica.storage });
			await outline.create({ name: "x".repeat(10_000) });
			await replica.sync();
			await outline.close();
			expect(server.running.child.exitCode).toBe(null);
		} finally {
			await rename(`${program}-replaced`, program);
		}
	});

	test("loses nothing that it acknowledged, however often it is killed", async () => {
		const acknowledged: string[] = [];
		for (let round = 0; round < 4; round++) {
			const server = await serve();
			const { nodes } = (await server.request("GET", "/nodes")) as { nodes: { id: string }[] };
			expect(nodes.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
			const writing = Array.from({ length: 4 }, async () => {
				for (;;) {
					const { item_id } = await server.request("POST", "/nodes", { name: `round ${round}` });
					acknowledged.push(item_id as string);
				}
			});
			// Kills it in the middle of other writes, however slow the machine is.
			await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(6 * (round + 1));
			server.running.child.kill("SIGKILL");
			await Promise.allSettled([...writing, server.running.ended]);
		}
		expect(acknowledged.length).toBeGreaterThan(20);
	});

	test("ends on SIGTERM, and a second one names the process that has the file", async () => {
		const server = await serve();
		const second = await run("serve", "--port", "0", "--wait", "0");
		expect(second).toMatchObject({ status: 1, stdout: "" });
		expect(second.stderr).toMatch(/is open in process \d+.*--server/);
		server.running.child.kill("SIGTERM");
		expect((await server.running.ended).status).toBe(0);
		expect((await readdir(folder)).sort()).toEqual(["outline.jsonl", "outline.jsonl.key"]);
	});

	test.runIf(process.platform === "linux")("leaves no server behind when npm is killed", async () => {
		const env = { ...process.env, PORT: "0", OUTLINEKIT_FILE: file };
		const npm = spawn("npm", ["start"], { cwd: fileURLToPath(new URL("../..", import.meta.url)), env, detached: true });
		let text = "";
		const address = await new Promise<string>((resolve) => {
			npm.stdout.on("data", (chunk) => {
				text += chunk;
				const [, found] = /served at (http:\/\/127\.0\.0\.1:\d+)/.exec(text) ?? [];
				if (found !== undefined) resolve(found);
			});
		});
		npm.kill("SIGKILL");
		await expect
			.poll(
				() =>
					fetch(`${address}/api/v1/nodes`).then(
						() => "answers",
						() => "gone",
					),
				{ timeout: 10_000 },
			)
			.toBe("gone");
	});
});
