import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import type { Reading } from "../../engine/protocol.js";
import type { StorageAdapter } from "../../storage.js";
import { type Problem, type ProblemCounts, type ProblemKind, ProblemList, problemKinds } from "../problem.js";
import { Progress, reportLimit, type VerifyOptions, type VerifyReport, verify } from "../verify.js";
import { mendIds } from "./mend-ids.js";
import { mendKeys } from "./mend-keys.js";
import { mendOrigins } from "./mend-origins.js";
import { mendPlaces, type Recovery } from "./mend-places.js";
import { mendPriorities } from "./mend-priorities.js";
import { mendRecords } from "./mend-records.js";
import type { Repair } from "./repair-report.js";

/** What a repair has done, and what is left. */
export interface RepairReport {
	/** The outline's revision after the repair. */
	readonly revision: number;
	/** How much was mended; 0 if nothing was wrong, or nothing of it can be mended. */
	readonly total: number;
	/** How much was mended of each kind. */
	readonly counts: ProblemCounts;
	/** The first 1,000 repairs. */
	readonly repairs: readonly Repair[];
	/** The id of the node `Recovered`, which holds what had no place; `null` if there was no need of it. */
	readonly recoveredId: string | null;
	/** What is still wrong. Contradictions between a storage's answers are: no commit can mend an index. */
	readonly left: VerifyReport;
}

/** Runs an operation as one commit, on what is there when it is committed. */
export type Write = <T>(run: (call: Call, changes: Changes) => Reading<T>) => Promise<T>;

/** Mends problems of one kind, as far as they are still there. */
type Mend = (
	call: Call,
	changes: Changes,
	problems: readonly Problem[],
	recoveredId: string | null,
) => Reading<Repair[] | Recovery>;

/** What mends the problems of each kind, and how many of them with one commit. */
const mends: { readonly [K in ProblemKind]?: { readonly mend: Mend; readonly atOnce: number } } = {
	invalid_id: { mend: mendIds, atOnce: 1 },
	duplicate_short_id: { mend: mendIds, atOnce: 1 },
	invalid_name: { mend: mendRecords, atOnce: 100 },
	invalid_note: { mend: mendRecords, atOnce: 100 },
	invalid_layout_mode: { mend: mendRecords, atOnce: 100 },
	invalid_time: { mend: mendRecords, atOnce: 100 },
	invalid_revision: { mend: mendRecords, atOnce: 100 },
	own_origin: { mend: mendOrigins, atOnce: 100 },
	missing_origin: { mend: mendOrigins, atOnce: 100 },
	mirror_as_origin: { mend: mendOrigins, atOnce: 100 },
	invalid_priority: { mend: mendPriorities, atOnce: 100 },
	duplicate_priority: { mend: mendPriorities, atOnce: 100 },
	missing_parent: { mend: mendPlaces, atOnce: 100 },
	parent_cycle: { mend: mendPlaces, atOnce: 100 },
	same_origin_as_parent: { mend: mendPlaces, atOnce: 100 },
	invalid_key: { mend: mendKeys, atOnce: 1 },
	misplaced_key: { mend: mendKeys, atOnce: 1 },
};

/** How many problems are mended before it is looked anew what there is. */
const problemsARound = 100_000;

/** How often it is looked anew. What is mended may show another problem, but only a storage that forgets shows them for ever. */
const roundLimit = 100;

/**
 * Mends what {@link verify} finds, in many commits, each on what is there at that moment. No node and no text is lost.
 *
 * @throws what the storage throws, and the reason of the signal; what has been mended by then stays so
 */
export async function repair(storage: StorageAdapter, write: Write, options: VerifyOptions): Promise<RepairReport> {
	const found = new ProblemList(0);
	const repairs: Repair[] = [];
	const progress = new Progress(options);
	let recoveredId: string | null = null;
	for (let round = 0; round < roundLimit; round++) {
		const { problems } = await verify(storage, options, { queries: false, kept: problemsARound });
		const before = found.total;
		for (const [mend, chunk] of inOrder(problems)) {
			await progress.step("repairs", found.total);
			const done = await write((call, changes) => mend(call, changes, chunk, recoveredId));
			if ("recoveredId" in done) recoveredId = done.recoveredId;
			for (const each of "recoveredId" in done ? done.repairs : done) {
				found.add(each.problem);
				if (repairs.length < reportLimit) repairs.push(each);
			}
		}
		if (found.total === before) break;
	}
	const left = await verify(storage, options);
	return { revision: left.revision, total: found.total, counts: found.counts, repairs, recoveredId, left };
}

/** Problems that can be mended, in pieces for a commit each, kind by kind: what others depend on comes first. */
function* inOrder(problems: readonly Problem[]): Generator<readonly [Mend, readonly Problem[]]> {
	for (const kind of problemKinds) {
		const { mend, atOnce } = mends[kind] ?? {};
		if (mend === undefined || atOnce === undefined) continue;
		const ofKind = problems.filter((problem) => problem.kind === kind);
		for (let at = 0; at < ofKind.length; at += atOnce) yield [mend, ofKind.slice(at, at + atOnce)];
	}
}
