import { randomBytes } from "node:crypto";
import { connect, type Server } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { lockByName } from "../../../../adapters/file/lock/exclusive-name.js";
import type { HeldLock } from "../../../../adapters/file/lock/holder.js";
import { isListening, listenAt, listenerPid } from "../../../../adapters/file/lock/listener.js";
import { standaloneProgram } from "../../../support/program.js";

describe.runIf(process.platform === "linux" || process.platform === "win32")(
	"a lock by an exclusive name of the kernel",
	() => {
		const program = standaloneProgram("test/adapters/file/lock/exclusive-name-program.ts");
		let address: string;
		beforeEach(() => {
			const name = `outlinekit-test-${randomBytes(8).toString("hex")}`;
			address = process.platform === "win32" ? `\\\\.\\pipe\\${name}` : `\0${name}`;
		});

		it("is granted to one process, and each other one gets the holder's pid", async () => {
			const outcomes = await Promise.all(Array.from({ length: 20 }, () => lockByName(address)));
			const locks = outcomes.filter((outcome) => "release" in outcome);
			expect(locks).toHaveLength(1);
			expect(outcomes.filter((outcome) => !("release" in outcome))).toEqual(Array(19).fill({ pid: process.pid }));
			await locks[0]?.release();
			await ((await lockByName(address)) as HeldLock).release();
		});

		it("is granted to one of the workers of a cluster", async () => {
			const child = program.start([address.slice(1)]);
			expect([await child.line(), await child.line()].sort()).toEqual(["held", "refused"]);
		});

		it("is refused by an engine that lets several processes listen at one address", async () => {
			const servers: Server[] = [];
			const listen = async () => {
				servers.push(await listenAt(`${address}-${servers.length}`));
				return servers.at(-1)!;
			};
			await expect(lockByName(address, listen)).rejects.toThrow("lets several processes listen");
			expect(servers.map(({ listening }) => listening)).toEqual([false, false]);
		});

		it("is not released by connections, whatever they do", async () => {
			const lock = (await lockByName(address)) as HeldLock;
			const silent = connect(address);
			await new Promise((resolve) => silent.once("connect", resolve));
			connect(address)
				.on("error", () => undefined)
				.destroy();
			expect(await lockByName(address)).toEqual({ pid: process.pid });
			await lock.release();
			silent.destroy();
			expect(await isListening(address)).toBe(false);
		});

		it("reports no pid if the holder doesn't answer, or not with a process id", async () => {
			expect(await listenerPid(address)).toBeNull();
			const server = await listenAt(address);
			server.removeAllListeners("connection");
			server.on("connection", (socket) => socket.end("1; or nothing"));
			expect(await lockByName(address)).toEqual({ pid: null });
			server.removeAllListeners("connection");
			server.on("connection", (socket) => socket.unref());
			expect(await lockByName(address)).toEqual({ pid: null });
		});
	},
);
