import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { randomId } from "../../../../src/id.js";
import type { Outline } from "../../../../src/outline.js";
import type { NodeRecord } from "../../../../src/storage.js";
import type { ImageBlock, ImageHead } from "../../../../src/sync/image/block.js";
import { ImageBlocks, imageLine } from "../../../../src/sync/image/decode.js";
import { packedId, unpackedId } from "../../../../src/sync/image/packed-id.js";
import type { Conflict } from "../../../../src/sync/protocol.js";
import { fieldsOfRecord } from "../../../../src/sync/record-fields.js";
import { interrupted } from "../../../support/interrupted.js";
import { codeOf, newOutline, plant } from "../../../support/outline.js";
import { storages } from "../../../support/storages.js";
import { disputed, pulled, SyncDevice } from "../../../support/sync-device.js";

/** An image as a device has it. */
interface Image {
	head: ImageHead;
	nodes: NodeRecord[];
	keys: Record<string, string>;
	conflicts: Conflict[];
}

async function linesOf(outline: Outline, input?: { after: number; revision: number }): Promise<string[]> {
	const lines: string[] = [];
	for await (const line of outline.syncImage(input)) lines.push(line);
	return lines;
}

/** Reads lines, the first of them a head. */
function imageIn(lines: readonly string[], blocks = new ImageBlocks()): Image {
	const [head, ...rest] = lines.map(imageLine);
	const image: Image = { head: head as ImageHead, nodes: [], keys: {}, conflicts: [] };
	for (const line of rest) {
		if ("ids" in line) image.nodes.push(...blocks.records(line));
		else if ("keys" in line) for (const { key, nodeId } of line.keys) image.keys[key] = nodeId;
		else if ("conflicts" in line) image.conflicts.push(...line.conflicts);
	}
	expect(rest.at(-1)).toEqual({ end: true });
	return image;
}

async function assertWhole(outline: Outline, image: Image): Promise<void> {
	const device = await pulled(outline);
	const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1);
	const nodes = image.nodes.map((node) => ({ id: node.id, ...fieldsOfRecord(node) })).sort(byId);
	expect(nodes).toEqual([...device.nodes.values()].sort(byId));
	expect(image.keys).toEqual(Object.fromEntries(device.keys));
	expect(image.conflicts).toEqual([...device.conflicts.values()]);
	const { mark, revision, ...head } = image.head;
	expect(head).toEqual({ protocol: 1, outline: device.outline, nodes: device.nodes.size });
	expect(mark).toBe(device.mark);
	// If a client has committed while the image was read, the mark came after it.
	expect([revision, revision + 1]).toContain(device.since);
}

const scene = `
Projects
  Ship it #a
    deep
      deeper
(mirror a)
Later
  (mirror a)
    own child`;

test.each(storages)("an image has everything (%s)", async (_, create) => {
	const outline = newOutline({ storage: create() });
	await assertWhole(outline, imageIn(await linesOf(outline)));
	const { a } = await plant(outline, scene.replace("(mirror a)\n", ""));
	await outline.update(a!, { note: "a\nnote", layoutMode: "h1", properties: { due: "2026-12-01" } });
	await outline.complete(a!);
	await outline.setShortcut("k", a!);
	for (const key of ["2026-11-21", "2026-12-24", "2027-01-01", "inbox"]) {
		await outline.create({ parent: key, name: `in ${key}`, position: "bottom" });
	}
	await assertWhole(outline, imageIn(await linesOf(outline)));
	await outline.close();
});

test("an entry of the calendar whose year is gone is in the image", async () => {
	const outline = newOutline();
	const day = await outline.ensure("2026-11-21");
	const month = await outline.get("2026-11");
	await outline.move(month.id, { parent: null });
	await outline.delete("2026");
	const image = imageIn(await linesOf(outline));
	expect(image.keys).toMatchObject({ "2026-11": month.id, "2026-11-21": day.id });
	await assertWhole(outline, image);
});

test("a node comes after its parent, and siblings are in order", async () => {
	const outline = newOutline();
	await plant(outline, scene.replace("(mirror a)\n", ""));
	const { nodes } = imageIn(await linesOf(outline));
	expect(nodes.map(({ name }) => name)).toEqual([
		"Projects",
		"Later",
		"Ship it",
		"Ship it",
		"deep",
		"own child",
		"deeper",
	]);
});

test("open conflicts are in the image", async () => {
	const { server } = await disputed();
	const image = imageIn(await linesOf(server));
	expect(image.conflicts).toHaveLength(1);
	await assertWhole(server, image);
});

test("an image that broke off is continued at any block", async () => {
	const outline = newOutline();
	const parents: string[] = [];
	for (let at = 0; at < 5; at++) parents.push((await outline.create({ name: `p${at}` })).id);
	for (const parent of parents) {
		await outline.createTree({
			parent,
			name: "tree",
			children: Array.from({ length: 900 }, (_, at) => ({ name: `${at}` })),
		});
	}
	const lines = await linesOf(outline);
	const whole = imageIn(lines);
	for (let at = 1; "ids" in JSON.parse(lines[at]!); at++) {
		const blocks = new ImageBlocks();
		const nodes = lines.slice(1, at).flatMap((line) => blocks.records(imageLine(line) as ImageBlock));
		const rest = await linesOf(outline, { after: blocks.length, revision: whole.head.revision });
		const continued = imageIn(rest, blocks);
		expect({ ...continued, nodes: [...nodes, ...continued.nodes] }).toEqual(whole);
	}
	// Another outline had more nodes at this revision.
	expect(await codeOf(linesOf(outline, { after: 5000, revision: whole.head.revision }))).toBe("sync_reset");
	await outline.create({ name: "new" });
	expect(await codeOf(linesOf(outline, { after: 10, revision: whole.head.revision }))).toBe("sync_reset");
	for (const wrong of [{ after: 1 }, { after: -1 }, { revision: "1" }, { since: 1 }]) {
		expect(await codeOf(linesOf(outline, wrong as never))).toBe("invalid_argument");
	}
});

test("changes during an image come after its revision", async () => {
	const outline = newOutline();
	for (let at = 0; at < 50; at++) await outline.create({ name: `${at}` });
	const device = new SyncDevice();
	const blocks = new ImageBlocks();
	for await (const text of outline.syncImage()) {
		const line = imageLine(text);
		if ("revision" in line) device.since = line.revision;
		if ("ids" in line)
			for (const node of blocks.records(line)) device.nodes.set(node.id, { id: node.id, ...fieldsOfRecord(node) });
		if ("keys" in line) for (const { key, nodeId } of line.keys) device.keys.set(key, nodeId);
		const { nodes } = await outline.list();
		await outline.delete(nodes[0]!.id);
		await outline.update(nodes[1]!.id, { name: "changed" });
		await outline.setShortcut("k", (await outline.create({ name: "new" })).id);
	}
	await device.sync(outline);
	const other = await pulled(outline);
	expect(new Map([...device.nodes].sort())).toEqual(new Map([...other.nodes].sort()));
	expect(device.keys).toEqual(other.keys);
});

test("a prune while an image is read leaves no deleted node in it", async () => {
	const storage = createMemoryStorage();
	const outline = newOutline({ storage });
	const children = Array.from({ length: 4500 }, (_, at) => ({ name: `${at}` }));
	const first = await outline.createTree({ name: "first", children });
	await outline.createTree({ name: "second", children: children.slice(0, 10) });
	await outline.sync(new SyncDevice().push());
	const slow = newOutline({
		storage: interrupted(storage, async () => {
			await outline.delete(first.children[5]!.id);
			const { revision } = await outline.changes({ since: 0, limit: 10_000 });
			await outline.create({ name: "new" });
			await outline.prune({ before: revision + 1 });
		}),
	});
	await assertWhole(outline, imageIn(await linesOf(slow)));
});

test("blocks out of order are noticed", async () => {
	const outline = newOutline();
	await outline.createTree({ name: "tree", children: Array.from({ length: 2500 }, () => ({ name: "x" })) });
	const [, first, second] = await linesOf(outline);
	const blocks = new ImageBlocks();
	expect(() => blocks.records(imageLine(second!) as ImageBlock)).toThrow("incomplete");
	blocks.records(imageLine(first!) as ImageBlock);
	expect(() => blocks.records(imageLine(first!) as ImageBlock)).toThrow("incomplete");
	expect(() => imageLine(second!.slice(0, 100))).toThrow("incomplete");
});

test("an id is packed into 22 characters and back", () => {
	for (const id of [
		...Array.from({ length: 200 }, randomId),
		"00000000-0000-0000-0000-000000000000",
		"ffffffff-ffff-ffff-ffff-ffffffffffff",
	]) {
		const packed = packedId(id);
		expect(packed).toBe(Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url"));
		expect(unpackedId(`x${packed}`, 1)).toBe(id);
	}
});

test("a node takes at most 60 bytes of a compressed image", async () => {
	const outline = newOutline();
	// Names of about forty characters from a vocabulary of some thousand words.
	let state = 7;
	const random = (below: number) => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
	const letters = "etaoinshrdlucmfwypvbgk";
	const words = Array.from({ length: 4000 }, () =>
		Array.from({ length: 3 + random(7) }, () => letters[Math.floor((random(22) * random(22)) / 22)]).join(""),
	);
	const name = () => {
		let text = words[random(words.length)]!;
		while (text.length < 36) text += ` ${words[random(words.length)]}`;
		return text;
	};
	for (let at = 0; at < 20; at++) {
		const children = Array.from({ length: 50 }, () => ({
			name: name(),
			children: Array.from({ length: 9 }, () => ({ name: name() })),
		}));
		await outline.createTree({ name: name(), children });
	}
	const text = (await linesOf(outline)).join("");
	const { nodes } = imageIn(text.split("\n").slice(0, -1));
	expect(gzipSync(text).byteLength / nodes.length).toBeLessThan(60);
});
