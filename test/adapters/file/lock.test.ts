import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { type FileLock, lockFile } from "../../../adapters/file/lock.js";
import { OutlineError } from "../../../src/errors.js";
import { soak } from "../../setup/soak.js";
import { type Child, standaloneProgram } from "../../support/program.js";
import { temporaryFolder } from "../../support/temporary.js";

const program = standaloneProgram("test/adapters/file/lock-program.ts");
let directory: string;
let path: string;

/** A user without files. A process can start processes of another user only as root. */
const anotherUser = process.getuid?.() === 0 ? { uid: 65_534 } : {};

beforeEach(() => {
	directory = temporaryFolder();
	path = join(directory, "outline");
});

function start(mode: "hold" | "cluster" | "contend", file: string, options?: { uid?: number }): Child {
	return program.start([mode, file], options);
}

async function holder(file: string): Promise<Child> {
	const child = start("hold", file);
	expect(await child.line()).toBe("held");
	return child;
}

async function refusal(file: string): Promise<OutlineError> {
	const outcome = await lockFile(file).catch((error: unknown) => error);
	expect(outcome).toBeInstanceOf(OutlineError);
	expect(outcome).toMatchObject({ code: "storage_unavailable" });
	return outcome as OutlineError;
}

async function expectFree(file: string): Promise<void> {
	const lock = await lockFile(file);
	await lock.release();
	expect(await readdir(directory)).toEqual([]);
}

describe("a lock held by another process", () => {
	it("is refused at once, naming the process", async () => {
		const { pid } = await holder(path);
		const before = performance.now();
		const { message } = await refusal(path);
		expect(performance.now() - before).toBeLessThan(900);
		expect(message).toBe(
			`${JSON.stringify(path)} is open in process ${pid}. Close it there first: a file serves one process at a time.`,
		);
	});

	it.skipIf(process.platform === "win32")("leaves no trace in the directory when refused", async () => {
		await holder(path);
		const before = await stat(directory, { bigint: true });
		await refusal(path);
		expect((await stat(directory, { bigint: true })).mtimeNs).toBe(before.mtimeNs);
	});

	it("is free once released, and leaves nothing behind", async () => {
		const child = await holder(path);
		child.tell("release");
		expect(await child.line()).toBe("released");
		expect(await readdir(directory)).toEqual([]);
		await expectFree(path);
	});

	it("is free once its process was killed, and the next holder removes the traces", async () => {
		const child = await holder(path);
		await child.kill();
		await expectFree(path);
	});

	it.each([
		["without releasing it", "leave"],
		["because nothing else keeps it alive", "idle"],
	])("is free once its process has ended %s", async (_, order) => {
		const child = await holder(path);
		child.tell(order);
		expect(await child.ended).toMatchObject({ code: 0, errors: "" });
		await expectFree(path);
	});

	it("is not inherited by the child processes of its process", async () => {
		const child = await holder(path);
		child.tell("inherit");
		const heir = Number(await child.line());
		try {
			await child.kill();
			expect(process.kill(heir, 0)).toBe(true);
			await expectFree(path);
		} finally {
			process.kill(heir, "SIGKILL");
		}
	});

	it("is free once the cluster worker that held it has ended", async () => {
		const child = start("cluster", path);
		expect(await child.line()).toBe("held");
		expect((await refusal(path)).message).not.toContain(`process ${child.pid}.`);
		child.tell("leave");
		await expect.poll(() => lockFile(path).then((lock) => lock.release())).toBeUndefined();
		expect(child.process.exitCode).toBeNull();
		expect(await readdir(directory)).toEqual([]);
	});

	it.skipIf(process.platform === "win32")(
		"stays held while its process is stopped, however many processes try",
		async () => {
			const child = await holder(path);
			child.process.kill("SIGSTOP");
			const before = performance.now();
			expect((await refusal(path)).message).toContain(`process ${child.pid}.`);
			expect(performance.now() - before).toBeLessThan(900);
			for (let round = 0; round < 15; round++) {
				await Promise.all(Array.from({ length: 50 }, () => refusal(path)));
			}
			child.process.kill("SIGCONT");
			child.tell("release");
			expect(await child.line()).toBe("released");
			await expectFree(path);
		},
	);
});

it("twenty processes at once take the lock one at a time, again and again", async () => {
	for (let round = 0; round < soak; round++) {
		const contenders = Array.from({ length: 20 }, () => start("hold", path));
		const outcomes = await Promise.all(contenders.map((child) => child.line()));
		const holders = contenders.filter((_, index) => outcomes[index] === "held");
		expect(holders).toHaveLength(1);
		const others = outcomes.filter((outcome) => outcome !== "held");
		expect(others.every((outcome) => outcome?.startsWith("refused storage_unavailable "))).toBe(true);
		expect((await refusal(path)).message).toContain(`process ${holders[0]?.pid}.`);
		await Promise.all(contenders.map((child) => child.kill()));
		await expectFree(path);
	}
});

it("processes that take and release it all the time and get killed never hold it together", {
	timeout: 30_000 * soak,
}, async () => {
	const log = `${path}.log`;
	const contender = () => start("contend", path);
	const running = [contender(), contender(), contender(), contender()];
	const end = performance.now() + 1_000 * soak;
	const holders = async () => {
		const lines = (await readFile(log, "latin1").catch(() => "")).split("\n").slice(0, -1);
		return lines.filter((line, index) => line !== lines[index - 1]);
	};
	let kills = 0;
	// On a busy machine it takes a while until enough has happened.
	while (performance.now() < end || kills < 4 || (await holders()).length <= 8) {
		await pause(Math.random() * 150);
		await running.shift()?.kill();
		running.push(contender());
		kills++;
	}
	await Promise.all(running.map((child) => child.kill()));
	const turns = await holders();
	// After another process has held the lock, the former holder's turn is over: it had released the lock, or
	// was dead.
	expect(turns.filter((turn, index) => turns.indexOf(turn) !== index)).toEqual([]);
	await rm(log);
	await expectFree(path);
});

describe("locks within one process", () => {
	it("refuse a second lock on the same path", async () => {
		const lock = await lockFile(path);
		expect((await refusal(path)).message).toContain("open in another thread of this process");
		await lock.release();
		await expectFree(path);
	});

	it("are granted to exactly one of many callers at once", async () => {
		for (let round = 0; round < 20; round++) {
			const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => lockFile(path)));
			const held = outcomes.filter((outcome) => outcome.status === "fulfilled");
			expect(held).toHaveLength(1);
			await (held[0] as PromiseFulfilledResult<FileLock>).value.release();
			expect(await readdir(directory)).toEqual([]);
		}
	});

	it("never have two holders, under contention with releases", async () => {
		let holders = 0;
		let taken = 0;
		const contend = async () => {
			for (let turn = 0; turn < 25; turn++) {
				const lock = await lockFile(path).catch(() => undefined);
				if (lock === undefined) continue;
				holders++;
				expect(holders).toBe(1);
				await pause(1);
				expect(holders).toBe(1);
				holders--;
				taken++;
				await lock.release();
			}
		};
		await Promise.all(Array.from({ length: 8 }, contend));
		expect(taken).toBeGreaterThan(8);
		expect(await readdir(directory)).toEqual([]);
	});

	it("can be released twice", async () => {
		const lock = await lockFile(path);
		await Promise.all([lock.release(), lock.release()]);
		await lock.release();
		await expectFree(path);
	});

	it("on different files of a directory are independent", async () => {
		const names = ["a", "a.lock", "b", "a.lock-1-0000000000000000"];
		const locks = await Promise.all(names.map((name) => lockFile(join(directory, name))));
		for (const name of names) await refusal(join(directory, name));
		await Promise.all(locks.map((lock) => lock.release()));
		expect(await readdir(directory)).toEqual([]);
	});
});

it.each(["before the file exists", "once the file exists"])(
	"one file by different paths has one lock %s",
	async (when) => {
		if (when === "once the file exists") await writeFile(path, "");
		await mkdir(join(directory, "inner", "deeper"), { recursive: true });
		await symlink(join(directory, "inner", "deeper"), join(directory, "jump"));
		await symlink(directory, join(directory, "inner", "link"));
		await symlink(path, join(directory, "absolute"));
		await symlink("./inner/../outline", join(directory, "relative"));
		const others = [
			relative(process.cwd(), path),
			join(directory, "inner", "link", "outline"),
			`${directory}/jump/../../outline`,
			join(directory, "absolute"),
			join(directory, "relative"),
		];
		const lock = await lockFile(path);
		for (const other of others) await refusal(other);
		await lock.release();
		for (const other of others) {
			const taken = await lockFile(other);
			await refusal(path);
			await taken.release();
		}
	},
);

it.each([
	["a long name", "n".repeat(240)],
	["a long name of wide characters", "ü".repeat(120)],
	["a long directory", `${"d".repeat(120)}/outline`],
	["a longer directory and name", `${`${"d".repeat(200)}/`.repeat(3)}${"n".repeat(240)}`],
	...Array.from({ length: 12 }, (_, index) => [`about the limit (${index})`, `${"l".repeat(18 + index * 4)}/outline`]),
])("paths of any length with %s", async (_, tail) => {
	const place = join(directory, tail as string);
	await mkdir(join(place, ".."), { recursive: true });
	const child = await holder(place);
	expect((await refusal(place)).message).toContain(`process ${child.pid}.`);
	await child.kill();
	const lock = await lockFile(place);
	await lock.release();
	expect(await readdir(join(place, ".."))).toEqual([]);
});

describe("the error for an unusable directory", () => {
	it("says that it is missing", async () => {
		const { message, cause } = await refusal(join(directory, "missing", "outline"));
		expect(message).toContain(`there is no directory ${JSON.stringify(join(directory, "missing"))}. Create it`);
		expect(cause).toMatchObject({ code: "ENOENT" });
	});

	it("doesn't name the directory of a symbolic link that leads to a missing one", async () => {
		await symlink(join(directory, "missing", "outline"), path);
		const { message } = await refusal(path);
		expect(message).toContain(`${JSON.stringify(path)} can't be opened: it leads to a directory that doesn't exist.`);
	});

	it.skipIf(process.platform === "win32")("says that this process may not write to it", async () => {
		await chmod(directory, 0o555);
		const child = start("hold", path, anotherUser);
		expect(await child.line()).toContain("may not list and write the directory");
	});
});

describe("a process of another user", () => {
	// Only root can start such a process.
	it.skipIf(process.getuid?.() !== 0)("sees which process has the lock, and takes it over after a crash", async () => {
		await chmod(directory, 0o777);
		const first = await holder(path);
		const second = start("hold", path, anotherUser);
		expect(await second.line()).toContain(`is open in process ${first.pid}.`);
		await first.kill();
		const third = start("hold", path, anotherUser);
		expect(await third.line()).toBe("held");
		expect((await refusal(path)).message).toContain(`process ${third.pid}.`);
	});
});

describe("a file system without sockets", () => {
	// The kernel's own directory is one. Only root may try to write to it.
	const place = "/sys/kernel/outline";
	it.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
		"still has one lock for all processes",
		async () => {
			const child = await holder(place);
			expect((await refusal(place)).message).toContain(`process ${child.pid}.`);
			await child.kill();
			const lock = await lockFile(place);
			expect((await refusal(place)).message).toContain("in another thread of this process");
			await lock.release();
		},
	);
});

it("a user's file beside the outline never counts as a lock, whatever its name", async () => {
	const names = [
		"outline.lock-1-0123456789abcdef",
		"outline.lock-1-0123456789abcdef.held",
		"outline.lock-",
		"outline.new",
	];
	for (const name of names) await writeFile(join(directory, name), "mine");
	const lock = await lockFile(path);
	await lock.release();
	expect((await readdir(directory)).sort()).toEqual(names.sort());
});
