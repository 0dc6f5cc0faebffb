import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createFileStorage } from "outlinekit/file";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Outline } from "../../../src/outline.js";
import { commandLine } from "../../support/command-line.js";
import { plant } from "../../support/outline.js";
import { projectProgram } from "../../support/program.js";
import { temporaryFolder } from "../../support/temporary.js";
import { gone, page, root, Session, short } from "./session.js";

const program = projectProgram("adapters/cli/main.ts");

describe("the program", () => {
	let directory: string;
	let file: string;
	const children = new Set<ChildProcess>();
	beforeEach(() => {
		directory = temporaryFolder();
		file = join(directory, "outline.jsonl");
	});
	afterEach(() => {
		for (const child of children) child.kill("SIGKILL");
		children.clear();
	});

	const parameters = (environment: Record<string, string> = {}) => ({
		command: process.execPath,
		args: [program.path, "mcp"],
		cwd: root,
		env: { OUTLINEKIT_FILE: file, OUTLINEKIT_TIME_ZONE: "UTC", OUTLINEKIT_WAIT: "0", ...environment },
	});

	/** The program in this process. */
	const here = (environment: Record<string, string> = {}) =>
		commandLine(() => ({ ...parameters().env, ...environment }));

	async function start(environment: Record<string, string> = {}): Promise<{ session: Session; pid: number }> {
		const transport = new StdioClientTransport({ ...parameters(environment), stderr: "ignore" });
		const session = await new Session().connect(transport);
		return { session, pid: transport.pid! };
	}

	/** Runs it until it ends, with these messages for its input. */
	async function run(environment: Record<string, string>, messages: readonly object[] = [], signal?: NodeJS.Signals) {
		const { command, args, cwd, env } = parameters(environment);
		const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
		children.add(child);
		let stdout = "";
		let stderr = "";
		child.stdout.on("data", (chunk) => {
			stdout += chunk;
		});
		child.stderr.on("data", (chunk) => {
			stderr += chunk;
			if (signal !== undefined && stderr.includes("Serving")) child.kill(signal);
		});
		child.stdin.on("error", () => {});
		child.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
		if (signal === undefined) child.stdin.end();
		const [status] = await once(child, "close");
		return { stdout, stderr, status: status as number };
	}

	const names = async () => {
		const outline = new Outline({ storage: createFileStorage(file) });
		try {
			return (await outline.list()).nodes.map(({ name }) => name);
		} finally {
			await outline.close();
		}
	};

	test("serves a file over stdio, and what it has acknowledged is there after it is killed", async () => {
		const { session, pid } = await start();
		for (const text of ["a", "b", "c"]) await session.call("create", { nodes: [{ text }] });
		const closed = new Promise<void>((resolve) => {
			session.client.onclose = resolve;
		});
		process.kill(pid, "SIGKILL");
		await closed;
		const again = await start();
		expect((await again.session.call("read")).content.nodes.map(({ text }: { text: string }) => text)).toEqual([
			"a",
			"b",
			"c",
		]);
		const second = await run({});
		expect(second.status).toBe(1);
		expect(second.stdout).toBe("");
		expect(second.stderr).toMatch(/is open in process/);
		expect(second.stderr).not.toMatch(/^\s+at /m);
		await again.session.client.close();
		expect(await names()).toEqual(["a", "b", "c"]);
	});

	test("works without a time zone of the system", async () => {
		const { session } = await start({ TZ: "", OUTLINEKIT_TIME_ZONE: "" });
		const { text } = await session.call("create", { nodes: [{ text: "[2026-11-21 14:30]" }], parent: "today" });
		expect(text).toContain("[2026-11-21 14:30]");
		await session.client.close();
	});

	/** The files beside the outline's file: none once the outline is closed. */
	const beside = async () => (await readdir(directory)).filter((name) => name !== "outline.jsonl");

	const hello = [
		{
			id: 1,
			method: "initialize",
			params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
		},
		{ method: "notifications/initialized" },
	];
	const creation = (id: number) => ({
		id,
		method: "tools/call",
		params: { name: "create", arguments: { nodes: [{ text: String(id) }] } },
	});

	test("answers all that it has read before its input ended, and nothing but the protocol is on stdout", async () => {
		const { stdout, status } = await run({}, [...hello, creation(2), creation(3), creation(4)]);
		expect(status).toBe(0);
		const answers = stdout.trim().split("\n");
		expect(answers.map((line) => JSON.parse(line)).map(({ id, result }) => [id, result.isError ?? false])).toEqual([
			[1, false],
			[2, false],
			[3, false],
			[4, false],
		]);
		expect(await beside()).toEqual([]);
		expect(await names()).toEqual(["2", "3", "4"]);
	});

	test("ends on SIGTERM with the outline closed", async () => {
		expect((await run({}, [], "SIGTERM")).status).toBe(0);
		expect(await beside()).toEqual([]);
	});

	test("goes on after a line that is no message, and ends after one that is too long", async () => {
		const { stdin, printed, ended } = here().start("mcp");
		stdin.write('nonsense\n{"jsonrpc":"1.0"}\n');
		stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...hello[0] })}\n`);
		const [answer] = await printed(/^\{.*\}$/m);
		expect(JSON.parse(answer)).toMatchObject({ id: 1, result: {} });
		stdin.write("x".repeat(11 * 1024 * 1024));
		expect((await ended).status).toBe(0);
		expect(await beside()).toEqual([]);
	});

	test.each([
		["a file in a directory that isn't there", { OUTLINEKIT_FILE: "/nowhere/outline.jsonl" }, /\/nowhere/],
		["a root that isn't there", { OUTLINEKIT_ROOT: gone }, /There is no node/],
		["a zone that is none", { OUTLINEKIT_TIME_ZONE: "Mars" }, /IANA/],
		["a flag that is none", { OUTLINEKIT_READ_ONLY: "yes" }, /OUTLINEKIT_READ_ONLY is "yes"/],
	])("with %s ends and says why", async (_, environment, mention) => {
		const { stdout, stderr, status } = await here(environment).run("mcp");
		expect(status).toBeGreaterThan(0);
		expect(stdout).toBe("");
		expect(stderr).toMatch(mention);
		expect(stderr).not.toMatch(/^\s+at /m);
	});

	test("serves a part for reading where the environment says so", async () => {
		const outline = new Outline({ storage: createFileStorage(file) });
		const { shared } = await plant<"shared">(outline, "private\nshared #shared");
		await outline.close();
		const { stdin, ended } = here({ OUTLINEKIT_ROOT: shared, OUTLINEKIT_READ_ONLY: "1" }).start("mcp");
		const reading = { id: 2, method: "tools/call", params: { name: "read", arguments: {} } };
		for (const message of [...hello, reading, { id: 3, method: "tools/list" }]) {
			stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
		}
		stdin.end();
		const answers = (await ended).stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		const resultOf = (id: number) => answers.find((answer) => answer.id === id).result;
		expect(resultOf(2).content[0].text).toBe(`- [${short(shared)}] shared`);
		expect(resultOf(3).tools).toHaveLength(3);
	});

	test("starts by the command that the page shows", async () => {
		const { command, args } = JSON.parse(/```json\n(.*?)```/s.exec(page)![1]!).mcpServers.outline;
		expect(command).toBe("npx");
		const words = args
			.slice(args.lastIndexOf("outlinekit") + 1)
			.map((word: string) => word.replace("/path/to", directory));
		const session = await new Session().connect(
			new StdioClientTransport({
				command: process.execPath,
				args: [program.path, ...words],
				cwd: directory,
				stderr: "ignore",
			}),
		);
		expect((await session.call("read")).text).toBe("There is nothing.");
		expect(await beside()).not.toEqual([]);
	});
});
