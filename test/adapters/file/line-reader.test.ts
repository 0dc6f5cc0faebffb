import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { FileHandle } from "../../../adapters/file/file-system.js";
import { readLines } from "../../../adapters/file/line-reader.js";

/** A file with one line, whose next bytes can't be read. */
const failing = {
	async read(buffer: Uint8Array, _offset: number, _length: number, position: number) {
		if (position > 0) throw new Error("EIO");
		buffer.set(new TextEncoder().encode('{"crc32":"00000000"}\n{'));
		return { bytesRead: 22 };
	},
} as Partial<FileHandle> as FileHandle;

test("a read that fails ahead is told when its lines are due", async () => {
	const lines = readLines(failing);
	expect((await lines.next()).value).toMatchObject({ at: 0, whole: false });
	await setImmediate();
	await expect(lines.next()).rejects.toThrow("EIO");
});

test("a read that fails ahead is never told if no more lines are read", async () => {
	const told: unknown[] = [];
	const listener = (reason: unknown) => void told.push(reason);
	process.on("unhandledRejection", listener);
	onTestFinished(() => void process.off("unhandledRejection", listener));
	const lines = readLines(failing);
	await lines.next();
	await lines.return();
	await setImmediate();
	expect(told).toEqual([]);
});
