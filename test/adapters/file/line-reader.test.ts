import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { FileHandle } from "../../../adapters/file/file-system.js";
import { readLines } from "../../../adapters/file/line-reader.js";
import { catchUnhandled } from "../../support/unhandled.js";

/** A file with one line, whose next bytes can't be read. */
const failing = {
	async read(buffer: Uint8Array, _offset: number, _length: number, position: number) {
		if (position > 0) throw new Error("EIO");
		buffer.set(new TextEncoder().encode('{"crc32":"00000000"}\n{'));
		return { bytesRead: 22 };
	},
} as Partial<FileHandle> as FileHandle;

test("a read that fails ahead is told when its lines are due", async () => {
	const lines = readLines(failing, 22);
	expect((await lines.next()).value).toMatchObject({ at: 0, whole: false });
	await setImmediate();
	await expect(lines.next()).rejects.toThrow("EIO");
});

test("a read that fails ahead is never told if no more lines are read", async () => {
	const told = catchUnhandled();
	const lines = readLines(failing, 22);
	await lines.next();
	await lines.return();
	await setImmediate();
	expect(told).toEqual([]);
});

/** A file whose reads are counted by the bytes that they ask for. */
function counted(text: string) {
	const bytes = new TextEncoder().encode(text);
	const asked: number[] = [];
	const handle = {
		async read(buffer: Uint8Array, _offset: number, length: number, position: number) {
			asked.push(length);
			const piece = bytes.subarray(position, position + length);
			buffer.set(piece);
			return { bytesRead: piece.length };
		},
	} as Partial<FileHandle> as FileHandle;
	return { handle, asked };
}

test("a small file takes small buffers", async () => {
	const { handle, asked } = counted("one\ntwo\n");
	const found: string[] = [];
	for await (const { bytes } of readLines(handle, 8)) found.push(bytes.toString());
	expect(found).toEqual(["one", "two"]);
	expect(Math.max(...asked)).toBeLessThan(2 ** 14);
});

test("a file that has grown is read to its end", async () => {
	const { handle } = counted("line\n".repeat(10_000));
	let count = 0;
	for await (const _ of readLines(handle, 5)) count++;
	expect(count).toBe(10_000);
});
