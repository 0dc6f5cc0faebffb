import { readdir } from "node:fs/promises";
import { Server } from "node:net";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { lockByClaim } from "../../../../adapters/file/lock/claim.js";
import type { HeldLock } from "../../../../adapters/file/lock/holder.js";
import { temporaryFolder } from "../../../support/temporary.js";

describe.skipIf(process.platform === "win32")("a lock by a claim", () => {
	/** Fails as if another process had removed the new socket before its mode is changed. */
	const missing = () => {
		throw Object.assign(new Error("uv_pipe_chmod ENOENT"), { code: "ENOENT", syscall: "uv_pipe_chmod" });
	};

	it("tries again if another process removes the new socket", async () => {
		const directory = temporaryFolder();
		const listen = vi.spyOn(Server.prototype, "listen").mockImplementationOnce(missing).mockImplementationOnce(missing);
		const outcome = await lockByClaim(directory, "outline");
		expect(listen).toHaveBeenCalledTimes(3);
		listen.mockRestore();
		await (outcome as HeldLock).release();
		expect(await readdir(directory)).toEqual([]);
	});

	it("fails at once if the directory is missing", async () => {
		await expect(lockByClaim(join(temporaryFolder(), "absent"), "outline")).rejects.toMatchObject({ code: "ENOENT" });
	});
});
