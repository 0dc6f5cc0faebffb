import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { OutlineError } from "../../../src/errors.js";
import { Outline } from "../../../src/outline.js";
import { Random } from "../../conformance/random.js";
import { CrashFileSystem } from "../../faults/crash-file-system.js";
import { countedOptions, RandomOperations } from "../../model/random-operations.js";
import { keyGroups, type StoredState, stateText, storedState, Witness } from "../../model/witness.js";
import { soak } from "../../setup/soak.js";
import { recordAt } from "../../support/batches.js";
import { openTrialStorage, trialPath } from "./trial.js";

/** A file, and every state that was acknowledged while it was written. */
interface Written {
	readonly content: Buffer;
	readonly states: ReadonlySet<string>;
	readonly groups: ReadonlySet<string>;
}

const ending = /"synced":\d+\}\n$/;

/**
 * Writes a file. Its snapshot has `nodes` nodes, in blocks of 500. At least `commits` commits follow it, and
 * the closing line if `closed`.
 */
async function written(seed: number, nodes: number, commits: number, closed: boolean): Promise<Written> {
	const disk = new CrashFileSystem();
	const groups = new Set<string>();
	const states = new Set<string>();
	const note = ({ acknowledged }: Witness) => {
		states.add(stateText(acknowledged));
		for (const group of keyGroups(acknowledged)) groups.add(group);
	};
	let start: StoredState | undefined;
	for (const [part, compactAfter] of [1, 2 ** 30].entries()) {
		const witness = new Witness(openTrialStorage(disk, { compactAfter }), start);
		const outline = new Outline({ storage: witness, ...countedOptions(2 * seed + part) });
		note(witness);
		witness.onAcknowledged = () => note(witness);
		if (start === undefined) {
			const { id } = await outline.create({ name: "keyed", idempotencyKey: `key ${seed}` });
			await outline.setShortcut("keyed", id);
			await outline.delete((await outline.create({ name: "deleted" })).id);
			for (let at = 0; at < nodes; at += 600) {
				const children = Array.from({ length: Math.min(nodes - at, 600) }, (_, place) => ({ name: `${at + place}` }));
				await outline.createTree({ name: "all", children });
			}
		}
		const operations = new RandomOperations(2 * seed + part);
		for (let made = 0; made < commits; ) {
			const burst = operations.burst();
			made += burst;
			await Promise.all(Array.from({ length: burst }, () => operations.make(outline)));
		}
		start = witness.acknowledged;
		await outline.close();
	}
	const content = Buffer.from(disk.content(trialPath)!);
	const end = closed ? content.length : content.length - ending.exec(content.toString("latin1"))![0].length;
	return { content: content.subarray(0, end), states, groups };
}

type Mutation = (content: Buffer, random: Random) => Buffer;

const mutations: Readonly<Record<string, Mutation>> = {
	"a flipped bit": (content, random) => {
		const changed = Buffer.from(content);
		changed[random.below(changed.length)]! ^= 1 << random.below(8);
		return changed;
	},
	"zeros in the middle": (content, random) => {
		const start = random.below(content.length);
		return Buffer.from(content).fill(0, start, Math.min(content.length, start + 1 + random.below(600)));
	},
	"a cut": (content, random) => content.subarray(0, random.below(content.length)),
	"a piece cut out": (content, random) => {
		const start = random.below(content.length);
		return Buffer.concat([content.subarray(0, start), content.subarray(start + 1 + random.below(600))]);
	},
	"a piece of itself behind it": (content, random) => {
		const start = random.below(content.length);
		return Buffer.concat([content, content.subarray(start, start + random.below(2_000))]);
	},
};

/** The files that changes of whole lines can make, as editors and merge tools do. */
const lineMutations: Readonly<Record<string, (lines: readonly string[]) => Generator<readonly string[]>>> = {
	*"a line dropped"(lines) {
		for (const at of lines.keys()) yield lines.toSpliced(at, 1);
	},
	*"a line in the place of another"(lines) {
		for (const at of lines.keys()) for (const line of lines) yield lines.with(at, line);
	},
	*"a line doubled, there or elsewhere"(lines) {
		for (let at = 0; at <= lines.length; at++) for (const line of lines) yield lines.toSpliced(at, 0, line);
	},
	*"two lines swapped"(lines) {
		for (const one of lines.keys()) {
			for (let other = 0; other < one; other++) yield lines.with(one, lines[other]!).with(other, lines[one]!);
		}
	},
	*"a line end gone"(lines) {
		for (const at of lines.keys()) yield lines.with(at, lines[at]!.trimEnd());
	},
	*"all lines sorted"(lines) {
		yield lines.toSorted();
	},
};

/** Opens a changed file. Returns the flaw of the outcome, if any. */
async function flawOf(content: Buffer, { states, groups }: Written): Promise<string | undefined> {
	const disk = new CrashFileSystem();
	disk.put(trialPath, content);
	const storage = openTrialStorage(disk);
	try {
		if (!states.has(stateText(await storedState(storage, groups)))) return "it shows what was never acknowledged";
		return undefined;
	} catch (error) {
		if (!(error instanceof OutlineError)) return `it fails with ${String(error)}`;
		const newer = error.code === "storage_unavailable" && /Install a newer outlinekit/.test(error.message);
		if (error.code !== "storage_corrupt" && !newer) return `it fails with ${error.code}: ${error.message}`;
		return Buffer.from(disk.content(trialPath)!).equals(content) ? undefined : "it is refused, and changed";
	} finally {
		await storage.close();
	}
}

describe("a changed file", () => {
	const outcome = "shows a state that was acknowledged, or is refused as damaged and left as it was";

	test.each(Object.entries(mutations))(`by %s ${outcome}`, { timeout: 60_000 * soak }, async (_, mutation) => {
		const random = new Random(5);
		for (const file of [
			await written(1, 1_200, 25, true),
			await written(2, 3, 25, false),
			await written(3, 3, 25, true),
		]) {
			for (let round = 0; round < 8 * soak; round++) {
				expect(await flawOf(mutation(file.content, random), file), `round ${round}`).toBeUndefined();
			}
		}
	});

	test.each(Object.entries(lineMutations))(`by %s ${outcome}`, { timeout: 60_000 }, async (_, changes) => {
		for (const file of [
			await written(4, 501, 5, false),
			await written(5, 501, 4, true),
			await written(6, 0, 9, false),
		]) {
			for (const lines of changes(file.content.toString("latin1").split(/(?<=\n)/))) {
				const places = lines.map((line) => line.slice(0, 60)).join("\n");
				expect(await flawOf(Buffer.from(lines.join(""), "latin1"), file), places).toBeUndefined();
			}
		}
	});
});

/** A line with these members and the right checksum. */
function line(members: string): string {
	return `{"crc32":"${crc32(members).toString(16).padStart(8, "0")}",${members}\n`;
}

const header = (counts: string) => line(`"format":"outlinekit","version":2,"revision":0,${counts}}`);
const emptyCounts = '"nodes":0,"keys":0,"deleted":0,"droppedKeys":0,"documents":0,"horizon":0';
const oneKey = emptyCounts.replace('"keys":0', '"keys":1');
const { id } = recordAt(1, 1);
const first = line(`"revision":1,"flush":1,"nodes":[{"id":"${id}","name":"x"}]}`);

describe("a line whose checksum is right never counts as a torn one", () => {
	/** The lines before the wrong line, the wrong line, and a text in the message. */
	const files: Record<string, readonly [before: string, wrong: string, mention: RegExp]> = {
		"that isn't JSON": [header(emptyCounts) + first, line('"revision":2,"flush":2,"nodes":[}'), /cut a copy of it off/],
		"that isn't UTF-8, as far as JSON sees it": [
			header(emptyCounts),
			line('"revision":1,"flush":1,"nodes":"\t"}'),
			/./,
		],
		"that is no commit": [header(emptyCounts) + first, line('"something":2}'), /neither a commit nor/],
		"that is a header": [header(emptyCounts), header(emptyCounts), /neither a commit nor/],
		"that is a block": [header(emptyCounts) + first, line('"keys":[]}'), /neither a commit nor/],
		"without a flush": [header(emptyCounts), line('"revision":1,"nodes":[]}'), /neither a commit nor/],
		"with a flush behind it": [header(emptyCounts), line('"revision":1,"flush":2}'), /neither a commit nor/],
		"with a list that is none": [
			header(emptyCounts),
			line('"revision":1,"flush":1,"keys":{"a":1}}'),
			/damaged at byte/,
		],
		"with nodes that are none": [header(emptyCounts), line('"revision":1,"flush":1,"nodes":[5]}'), /damaged at byte/],
		"with a field that is none": [
			header(emptyCounts),
			line(`"revision":1,"flush":1,"nodes":[{"id":"${id}","name":5}]}`),
			/damaged at byte/,
		],
		"with a deletion of nothing": [
			header(emptyCounts),
			line(`"revision":1,"flush":1,"deleted":["${id}"]}`),
			/damaged at/,
		],
		"of a later revision": [header(emptyCounts), line('"revision":3,"flush":3}'), /damaged at byte/],
		"doubled, before the next one of its flush": [
			header(emptyCounts) + first,
			first + line('"revision":2,"flush":1}'),
			/damaged at byte/,
		],
		"of a snapshot that is a commit": [
			header(oneKey),
			line('"revision":1,"flush":1,"keys":[{"key":"a","group":"shortcut","nodeId":"x"}]}'),
			/damaged at byte/,
		],
		"of a snapshot that isn't JSON": [header(oneKey), line('"keys":[}'), /can't be read.* restore it from a copy\.$/],
		"of a snapshot with entries that are none": [header(oneKey), line('"keys":[{"key":1}]}'), /damaged at byte/],
	};

	test.each(Object.entries(files))(
		"%s: it is refused, with its offset, and the file stays as it was",
		async (_, parts) => {
			const [before, wrong, mention] = parts;
			const content = Buffer.from(before + wrong);
			const disk = new CrashFileSystem();
			disk.put(trialPath, content);
			const storage = openTrialStorage(disk);
			const error = await storage.read([]).catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(OutlineError);
			const { code, message } = error as OutlineError;
			expect(code).toBe("storage_corrupt");
			expect(message).toMatch(mention);
			expect(message).toContain(`at byte ${Buffer.byteLength(before)}`);
			expect(Buffer.from(disk.content(trialPath)!).equals(content)).toBe(true);
			await storage.close();
		},
	);

	test.each([
		emptyCounts.replace('"nodes":0', '"nodes":1e15'),
		emptyCounts.replace('"nodes":0', '"nodes":"x"'),
		emptyCounts.replace('"horizon":0', '"horizon":-1'),
		'"nodes":-1',
	])("a header with %s is refused", async (counts) => {
		const disk = new CrashFileSystem();
		disk.put(trialPath, Buffer.from(header(counts)));
		const storage = openTrialStorage(disk);
		await expect(storage.read([])).rejects.toMatchObject({ code: "storage_corrupt" });
		await storage.close();
	});
});
