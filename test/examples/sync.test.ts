import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A program of the example, and the text that it has printed. */
interface Program {
	readonly process: ChildProcess;
	printed(text: string): Promise<void>;
}

function start(file: string, name: string, environment: Record<string, string>): Program {
	const child = spawn(process.execPath, ["--import", "tsx", `examples/sync/${file}`, name], {
		cwd: root,
		env: { ...process.env, ...environment },
		stdio: ["pipe", "pipe", "inherit"],
	});
	let output = "";
	child.stdout.on("data", (piece) => {
		output += piece;
	});
	return {
		process: child,
		printed: (text) => expect.poll(() => output, { timeout: 60_000, interval: 20 }).toContain(text),
	};
}

test("two devices write while the server is away, and both have everything after it is back", async () => {
	const folder = await mkdtemp(join(tmpdir(), "sync-"));
	const probe = createServer().listen(0, "127.0.0.1");
	await once(probe, "listening");
	const { port } = probe.address() as { port: number };
	probe.close();
	const programs: Program[] = [];
	try {
		for (const name of ["laptop", "phone"]) {
			programs.push(start("device.ts", name, { OUTLINE_DATA: folder, PORT: String(port) }));
			await programs.at(-1)!.printed("becomes a node");
			programs.at(-1)!.process.stdin!.write(`from the ${name}\n`);
			await programs.at(-1)!.printed(`from the ${name}`);
			await programs.at(-1)!.printed("(offline, 1 to send)");
		}
		const [laptop, phone] = programs as [Program, Program];
		programs.push(start("server.ts", "", { OUTLINE_DATA: join(folder, "server.outline"), PORT: String(port) }));
		await laptop.printed("remote: from the phone");
		await phone.printed("remote: from the laptop");
		for (const { process } of [laptop, phone]) {
			process.stdin!.end();
			if (process.exitCode === null) await once(process, "exit");
			expect(process.exitCode).toBe(0);
		}
	} finally {
		for (const { process } of programs) process.kill();
		await rm(folder, { recursive: true });
	}
}, 120_000);
