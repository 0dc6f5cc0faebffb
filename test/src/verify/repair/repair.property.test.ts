import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { createSqliteStorage } from "../../../../adapters/sqlite.js";
import { OutlineError } from "../../../../src/errors.js";
import type { BatchOperation } from "../../../../src/operations/batch.js";
import { Outline } from "../../../../src/outline.js";
import type { KeyRecord, NodeRecord, StorageAdapter } from "../../../../src/storage.js";
import type { ProblemKind } from "../../../../src/verify/problem.js";
import { openDatabase } from "../../../adapters/sqlite/open-database.js";
import { paged } from "../../../conformance/wrapped.js";
import { type Command, command } from "../../../model/commands.js";
import { aimOf, perform } from "../../../model/perform.js";
import { soak } from "../../../setup/soak.js";
import { countedIds, scattered, unusedId } from "../../../support/ids.js";
import { exported, noon } from "../../../support/outline.js";
import { recordsOf, write } from "../damage.js";

/** An outline with an advancing clock and ids in no order. */
function newOutline(storage: StorageAdapter): Outline {
	let seconds = noon / 1000;
	return new Outline({
		storage,
		timeZone: "UTC",
		now: () => 1000 * seconds++,
		generateId: countedIds(scattered),
	});
}

/** Runs the commands, some of them together as batches. Skips refused ones. */
async function work(outline: Outline, commands: readonly Command[]): Promise<void> {
	const batch: BatchOperation[] = [];
	for (const [at, each] of commands.entries()) {
		const { node: ref, place } = aimOf(each, (await exported(outline)).map(({ id }) => id).sort());
		const refused = (error: unknown) => {
			if (!(error instanceof OutlineError)) throw error;
		};
		if (at % 3 === 0 && (each.type === "create" || each.type === "move")) {
			const operation = each.type === "create" ? { type: each.type, name: "b\n- c" } : { type: each.type, ref };
			batch.push({ ...operation, ...place } as BatchOperation);
			if (batch.length > 3) await outline.batch(batch.splice(0)).catch(refused);
		} else await perform(outline, each, ref, place).catch(refused);
	}
}

const storages: [string, number, () => { storage: StorageAdapter; close(): void }][] = [
	["in memory", 50, () => ({ storage: createMemoryStorage(), close: () => undefined })],
	["without peek", 15, () => ({ storage: paged(createMemoryStorage()), close: () => undefined })],
	[
		"in SQLite",
		15,
		() => {
			const database = openDatabase("libsql", ":memory:");
			return { storage: createSqliteStorage(database), close: () => void database.close() };
		},
	],
];

/** The result of a damage: the remaining records and keys, and the damaged node. */
interface Damage {
	readonly nodes?: readonly NodeRecord[];
	readonly keys?: readonly KeyRecord[];
	readonly wrong: string;
}

type Records = ReadonlyMap<string, NodeRecord>;

/** A damage to a node; null if the node can't have it. */
type Damaging = (node: NodeRecord, records: Records, other: NodeRecord) => Damage | null;

const change =
	(fields: (node: NodeRecord) => Partial<NodeRecord>): Damaging =>
	(node) => ({ nodes: [{ ...node, ...fields(node) }], wrong: node.id });
const key =
	(name: string, group: string): Damaging =>
	({ id }) => ({ keys: [{ key: name, group, nodeId: id, revision: 1 }], wrong: name });

const damages: readonly (readonly [ProblemKind, Damaging])[] = [
	["invalid_id", (node) => ({ nodes: [{ ...node, id: "ODD", priority: -9, originId: null }], wrong: "ODD" })],
	[
		"duplicate_short_id",
		(node) => {
			const id = `ffffffff${node.id.slice(8)}`;
			return { nodes: [{ ...node, id, parentId: null, priority: -11, originId: null }], wrong: id };
		},
	],
	["invalid_name", change(({ name }) => ({ name: `${name} <b>& x` }))],
	["invalid_name", change(({ name }) => ({ name: `${name}<a href="javascript:x">y</a>` }))],
	["invalid_note", change(({ note }) => ({ note: `${note}\r` }))],
	["invalid_layout_mode", change(() => ({ layoutMode: "h7" as "h1" }))],
	["invalid_properties", change(() => ({ properties: '{"b":1,"a":null}' }))],
	["invalid_time", change(({ createdAt }) => ({ createdAt: createdAt * 1000 }))],
	["invalid_time", change(({ modifiedAt }) => ({ modifiedAt: modifiedAt + 0.5, completedAt: 0.5 }))],
	["invalid_revision", change(() => ({ revision: 0 }))],
	["invalid_revision", change(({ revision }) => ({ revision: revision + 1_000_000 }))],
	["invalid_priority", change(({ priority }) => ({ priority: priority + 0.5 }))],
	["invalid_priority", change(() => ({ priority: 2 ** 53 }))],
	[
		"duplicate_priority",
		(node, records) => {
			const siblings = [...records.values()].filter(({ id, parentId }) => parentId === node.parentId && id < node.id);
			const sibling = siblings.find(({ priority }) => Number.isSafeInteger(priority));
			return sibling === undefined ? null : { nodes: [{ ...node, priority: sibling.priority }], wrong: node.id };
		},
	],
	["missing_parent", change(() => ({ parentId: unusedId }))],
	[
		"parent_cycle",
		(node, records) => {
			const below = [...records.values()].find(({ parentId }) => parentId === node.id) ?? node;
			return { nodes: [{ ...node, parentId: below.id }], wrong: node.id };
		},
	],
	["own_origin", change(({ id }) => ({ originId: id }))],
	["missing_origin", change(() => ({ originId: unusedId }))],
	[
		"mirror_as_origin",
		(node, records) => {
			const mirror = [...records.values()].find(({ id, originId }) => id !== node.id && originId !== null);
			return mirror === undefined ? null : { nodes: [{ ...node, originId: mirror.id }], wrong: node.id };
		},
	],
	[
		"same_origin_as_parent",
		(node, records) => {
			const parent = records.get(node.parentId ?? "");
			return parent === undefined || parent.originId !== null
				? null
				: { nodes: [{ ...node, originId: parent.id }], wrong: node.id };
		},
	],
	["invalid_key", key("today", "shortcut")],
	["invalid_key", key("2026-02-30", "shortcut")],
	["misplaced_key", key("2031", "shortcut")],
	["misplaced_key", key("spring", "system")],
];

const letters = (text: string | null) => (text ?? "").replace(/&(lt|gt|amp);/g, "").replace(/[^a-z]/gi, "");
const withoutRevision = ({ revision: _, ...fields }: NodeRecord) => fields;

describe.each(storages)("random outlines %s", (_, runs, create) => {
	test("have no problems, and each damage is reported and mended", { timeout: 60_000 * soak }, async () => {
		const damage = fc.record({ which: fc.nat(damages.length - 1), node: fc.nat(60), other: fc.nat(60) });
		const done = new Map<ProblemKind, number>();
		const property = fc.asyncProperty(
			fc.array(command, { minLength: 8, maxLength: 40, size: "max" }),
			fc.array(damage, { minLength: 1, maxLength: 6 }),
			async (commands, plans) => {
				const { storage, close } = create();
				const outline = newOutline(storage);
				await outline.create({ name: "a\n- b\n  - c\n- d" });
				await outline.create({ parent: "tomorrow", name: "e" });
				await work(outline, commands);
				expect((await outline.verify()).problems).toEqual([]);
				let wrong = 0;
				for (const { which, node, other } of plans) {
					const [kind, inflict] = damages[which]!;
					const records = await recordsOf(storage);
					const all = [...records.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
					if (all.length === 0) continue;
					const inflicted = inflict(all[node % all.length]!, records, all[other % all.length]!);
					if (inflicted === null) continue;
					const { revision } = await storage.read([]);
					// Storages look for a damaged record at the place where its commit put it.
					const dated = (record: NodeRecord) => ({ ...record, revision: revision + 1 });
					const nodes = kind === "invalid_revision" ? inflicted.nodes : inflicted.nodes?.map(dated);
					await write(storage, { ...inflicted, ...(nodes !== undefined && { nodes }) });
					done.set(kind, (done.get(kind) ?? 0) + 1);
					wrong += 1;
					// One damage may hide another, but no other precedes the first.
					if (wrong > 1) continue;
					const { problems } = await outline.verify();
					expect(problems.map((each) => `${each.kind} ${each.key ?? each.nodeId}`)).toContain(
						`${kind} ${inflicted.wrong}`,
					);
				}
				const before = await recordsOf(storage);
				const { problems: found, total } = await outline.verify();
				expect(total > 0).toBe(wrong > 0);
				const report = await outline.repair();
				expect(report.left.problems).toEqual([]);
				const after = await recordsOf(storage);
				const newIds = new Map<string, string>();
				const concerned = new Set(found.map(({ nodeId }) => nodeId));
				for (const { problem, nodeId } of report.repairs) {
					concerned.add(problem.nodeId);
					if (problem.nodeId !== nodeId && problem.key === null) newIds.set(problem.nodeId!, nodeId!);
				}
				const now = (id: string | null) => (id === null ? null : (newIds.get(id) ?? id));
				expect(after.size).toBe(before.size + (report.recoveredId === null ? 0 : 1));
				for (const [id, record] of before) {
					const kept = after.get(now(id)!)!;
					expect(letters(kept.name)).toBe(letters(record.name));
					expect(letters(kept.note)).toBe(letters(record.note));
					if (concerned.has(id)) continue;
					const { parentId, originId } = record;
					expect(withoutRevision(kept)).toEqual(
						withoutRevision({ ...record, parentId: now(parentId), originId: now(originId) }),
					);
				}
				expect((await outline.repair()).total).toBe(0);
				close();
			},
		);
		await fc.assert(property, { numRuns: runs * soak });
		expect(done.size).toBeGreaterThan(runs > 20 ? 8 : 2);
	});
});
