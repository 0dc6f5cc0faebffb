import type { Call, RunWrite } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import type { Operation } from "../../engine/protocol.js";
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

/** The result of a repair. */
export interface RepairReport {
	/** The outline's revision after the repair. */
	readonly revision: number;
	/** The number of mended problems; 0 if there was none, or none that can be mended. */
	readonly total: number;
	/** The number of mended problems by kind. */
	readonly counts: ProblemCounts;
	/** The first 1,000 repairs. */
	readonly repairs: readonly Repair[];
	/** The id of the node `Recovered`, which holds nodes that had no valid place; `null` if there were none. */
	readonly recoveredId: string | null;
	/**
	 * The problems that remain, such as contradictions between a storage's answers: no commit can mend an
	 * index.
	 */
	readonly left: VerifyReport;
}

/** Mends problems of one kind, as far as they still exist. */
type Mend = (
	call: Call,
	changes: Changes,
	problems: readonly Problem[],
	recoveredId: string | null,
) => Operation<Repair[] | Recovery>;

/** The function that mends the problems of a kind, and the most problems in one commit. */
const mends: { readonly [K in ProblemKind]?: { readonly mend: Mend; readonly atOnce: number } } = {
	invalid_id: { mend: mendIds, atOnce: 1 },
	duplicate_short_id: { mend: mendIds, atOnce: 1 },
	invalid_name: { mend: mendRecords, atOnce: 100 },
	invalid_note: { mend: mendRecords, atOnce: 100 },
	invalid_layout_mode: { mend: mendRecords, atOnce: 100 },
	invalid_properties: { mend: mendRecords, atOnce: 100 },
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

/** The most problems to mend before the next verification. */
const problemsARound = 100_000;

/**
 * The most verifications. A mended problem may reveal another one, but only a storage that loses data reveals
 * them for ever.
 */
const roundLimit = 100;

/**
 * Mends the problems that {@link verify} finds, in many commits, each on the current state. Loses no node and
 * no text.
 *
 * @throws what the storage throws, and the reason of the signal; finished repairs stay
 */
export async function repair(storage: StorageAdapter, write: RunWrite, options: VerifyOptions): Promise<RepairReport> {
	const found = new ProblemList(0);
	const repairs: Repair[] = [];
	const progress = new Progress(options);
	let recoveredId: string | null = null;
	let kept = problemsARound;
	for (let round = 0; round < roundLimit; round++) {
		const { problems } = await verify(storage, options, { queries: false, kept });
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
		if (found.total > before) continue;
		if (problems.length < kept) break;
		// A problem that isn't among these may have to be mended first.
		kept *= 2;
	}
	const left = await verify(storage, options);
	return { revision: left.revision, total: found.total, counts: found.counts, repairs, recoveredId, left };
}

/** The problems that can be mended, in one chunk for each commit, in the order of {@link problemKinds}. */
function* inOrder(problems: readonly Problem[]): Generator<readonly [Mend, readonly Problem[]]> {
	for (const kind of problemKinds) {
		const { mend, atOnce } = mends[kind] ?? {};
		if (mend === undefined || atOnce === undefined) continue;
		const ofKind = problems.filter((problem) => problem.kind === kind);
		for (let at = 0; at < ofKind.length; at += atOnce) yield [mend, ofKind.slice(at, at + atOnce)];
	}
}
