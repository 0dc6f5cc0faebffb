import { expect, test } from "vitest";
import { digestOf } from "../../support/sync-device.js";

/** The digest as the documentation describes it, on bytes and big integers. */
function described(text: string): string {
	const run = (offset: bigint) => {
		let hash = offset;
		for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x01000193n) & 0xffffffffn;
		return hash.toString(16).padStart(8, "0");
	};
	return run(0x811c9dc5n) + run(0x9dc5811cn);
}

test("a digest is two runs of FNV-1a over the UTF-8 bytes", () => {
	const lines = ["", "a", '{"seq":1}', "ä߿ࠀ€\uffff", "😀 and 𐀀", "x".repeat(1000)];
	for (const line of lines) {
		expect(digestOf("", [line])).toBe(described(`\n${line}`));
		expect(digestOf("0123456789abcdef", [line, ...lines])).toBe(
			described(["0123456789abcdef", line, ...lines].join("\n")),
		);
	}
	expect(digestOf("", ["a", "b"])).toBe(digestOf("", ["a\nb"]));
});

test("a digest continues the one before", () => {
	expect(digestOf(digestOf("", ["a"]), ["b"])).not.toBe(digestOf(digestOf("", ["c"]), ["b"]));
});
