import { describe, expect, test } from "vitest";
import type { OutlineError } from "../../../src/errors.js";
import { Outline } from "../../../src/outline.js";
import { type Fault, FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";
import { flawIn, Trial } from "../../model/trial.js";
import { soak } from "../../setup/soak.js";
import { exported } from "../../support/outline.js";
import { openTrialStorage } from "./trial.js";

const timeout = 60_000 * soak;
const seeds = Array.from({ length: soak }, (_, index) => index + 1);
const operations = 10;

/** The distance between the tried calls. A longer run tries more. Each test begins at another call. */
const stride = Math.ceil(6 / soak);

const faults: readonly Fault[] = [
	{ kind: "throw", error: "InvalidStateError" },
	{ kind: "fail", error: "UnknownError" },
	{ kind: "fail", error: "QuotaExceededError" },
	{ kind: "abort", error: "QuotaExceededError" },
	{ kind: "abort", error: "AbortError" },
	{ kind: "close", error: "" },
	{ kind: "mute", error: "" },
];

/** The number of calls in a trial without faults. */
async function callCount(seed: number): Promise<number> {
	const database = new FaultyIndexedDb();
	const trial = new Trial(openTrialStorage(database), seed);
	expect(await trial.work(operations)).toEqual([]);
	await trial.outline.close();
	// The trial must include snapshots.
	expect(database.calls.filter(({ type }) => type === "clear").length).toBeGreaterThan(1);
	return database.calls.length;
}

/** Works on a database in which the call `failing` fails, and `later` calls too. */
async function trialOf(seed: number, fault: Fault, failing: (index: number) => boolean) {
	const factory = new IDBFactory();
	const database = new FaultyIndexedDb(factory);
	database.faultAt = ({ index }) => (failing(index) ? fault : undefined);
	const trial = new Trial(openTrialStorage(database), seed);
	const errors = await trial.work(operations);
	database.faultAt = () => undefined;
	return { factory, trial, errors };
}

/** Expects that a storage works again and has all acknowledged commits, and so has the next one. */
async function expectRecovered(trial: Trial, factory: IDBFactory, where: string): Promise<void> {
	const { witness, outline } = trial;
	expect(await trial.work(2), where).toEqual([]);
	expect(await flawIn(witness.storage, [witness.acknowledged]), where).toBeUndefined();
	await outline.close();
	const reopened = openTrialStorage(new FaultyIndexedDb(factory));
	expect(await flawIn(reopened, [witness.acknowledged]), where).toBeUndefined();
	await reopened.close();
}

/** The codes that a storage may throw for a fault. */
function codesFor({ error }: Fault): readonly OutlineError["code"][] {
	return error === "QuotaExceededError" ? ["quota_exceeded"] : ["storage_unavailable"];
}

describe("an IndexedDB storage of which a call fails", () => {
	for (const fault of faults) {
		test(`with ${fault.kind} ${fault.error}: succeeds or says why not, and has all acknowledged commits`, {
			timeout,
		}, async () => {
			for (const seed of seeds) {
				const count = await callCount(seed);
				let refused = 0;
				for (let call = faults.indexOf(fault) % stride; call < count; call += stride) {
					const where = `seed ${seed}, call ${call}`;
					const { factory, trial, errors } = await trialOf(seed, fault, (index) => index === call);
					refused += errors.length;
					for (const { code } of errors) expect(codesFor(fault), where).toContain(code);
					await expectRecovered(trial, factory, where);
				}
				// The outline doesn't see calls that are retried on a new connection.
				if (fault.error === "QuotaExceededError") expect(refused).toBeGreaterThan(5 / stride);
				else expect(refused).toBe(0);
			}
		});
	}
});

describe("an IndexedDB storage whose browser fails for a while", () => {
	const outages: readonly Fault[] = [
		{ kind: "throw", error: "InvalidStateError" },
		{ kind: "fail", error: "UnknownError" },
		{ kind: "abort", error: "AbortError" },
		{ kind: "close", error: "" },
		{ kind: "hang", error: "" },
	];

	for (const fault of outages) {
		test(`with ${fault.kind} ${fault.error}: rejects meanwhile, continues afterwards, and has all acknowledged commits`, {
			timeout,
		}, async () => {
			for (const seed of seeds) {
				const count = await callCount(seed);
				let refused = 0;
				for (let first = 0; first < count; first += (fault.kind === "hang" ? 8 : 2) * stride) {
					const where = `seed ${seed}, from call ${first}`;
					const lasting = fault.kind === "hang" ? [{ kind: "close", error: "" } as const, fault] : [fault, fault];
					const factory = new IDBFactory();
					const database = new FaultyIndexedDb(factory);
					database.faultAt = ({ index }) => (index < first ? undefined : lasting[index === first ? 0 : 1]);
					const trial = new Trial(openTrialStorage(database, fault.kind === "hang" ? 100 : undefined), seed);
					const errors = await trial.work(operations);
					refused += errors.length;
					for (const { code } of errors) expect(code, where).toBe("storage_unavailable");
					database.faultAt = () => undefined;
					// Calls that hang now still have to time out.
					if (fault.kind === "hang") await trial.work(1);
					await expectRecovered(trial, factory, where);
				}
				expect(refused).toBeGreaterThan(count / 4 / stride);
			}
		});
	}

	test("after a commit whose answer got lost: says that the outcome is unknown, and then shows it", {
		timeout,
	}, async () => {
		let open = 0;
		for (const seed of seeds) {
			const count = await callCount(seed);
			for (let first = 0; first < count; first++) {
				const where = `seed ${seed}, from call ${first}`;
				const factory = new IDBFactory();
				const database = new FaultyIndexedDb(factory);
				database.faultAt = ({ index }) => {
					if (index === first) return { kind: "mute", error: "" };
					return index > first ? { kind: "throw", error: "InvalidStateError" } : undefined;
				};
				const trial = new Trial(openTrialStorage(database), seed);
				const errors = await trial.work(operations);
				for (const { code } of errors) expect(code, where).toBe("storage_unavailable");
				const possible = [trial.witness.acknowledged, ...trial.witness.refused];
				const elsewhere = openTrialStorage(new FaultyIndexedDb(factory));
				expect(await flawIn(elsewhere, possible), where).toBeUndefined();
				const { revision } = await elsewhere.read([]);
				await elsewhere.close();
				if (revision > trial.witness.acknowledged.revision) {
					open += 1;
					// Reads that began at the same time may fail before it.
					expect(errors.map(({ message }) => message).join("\n"), where).toContain("may have been stored");
				}
				database.faultAt = () => undefined;
				// The witness stops here, because it takes refused commits for lost.
				const { storage } = trial.witness;
				const outline = new Outline({ storage });
				await outline.create({ name: "afterwards" });
				expect((await storage.read([])).revision, where).toBeGreaterThan(revision);
				await outline.close();
			}
		}
		expect(open).toBeGreaterThan(5);
	});
});

describe("two IndexedDB storages on one outline, one of which fails", () => {
	const kinds: readonly Fault[] = [...faults, { kind: "throw", error: "QuotaExceededError" }];

	for (const fault of kinds) {
		test(`with ${fault.kind} ${fault.error}: nothing acknowledged is lost or stored twice`, { timeout }, async () => {
			/** Both create nodes at once. Resolves with the acknowledged names and the number of calls. */
			const compete = async (failing: number) => {
				const factory = new IDBFactory();
				const databases = [new FaultyIndexedDb(factory), new FaultyIndexedDb(factory)];
				databases[0]!.faultAt = ({ index }) => (index === failing ? fault : undefined);
				const outlines = databases.map((database) => new Outline({ storage: openTrialStorage(database) }));
				const acknowledged: string[] = [];
				const open: string[] = [];
				for (let round = 0; round < 4; round++) {
					const creating = outlines.flatMap((outline, which) =>
						[0, 1].map((place) => {
							const name = `${which} ${round} ${place}`;
							return outline.create({ name }).then(
								() => acknowledged.push(name),
								({ code, message }) => {
									expect(codesFor(fault)).toContain(code);
									// By then, the snapshots of the other storage may have deleted the record that would show
									// the outcome.
									if (message.includes("may have been stored")) open.push(name);
								},
							);
						}),
					);
					await Promise.all(creating);
				}
				for (const outline of outlines) await outline.close();
				const reopened = new Outline({ storage: openTrialStorage(new FaultyIndexedDb(factory)) });
				const stored = (await exported(reopened)).map(({ name }) => name);
				await reopened.close();
				const known = stored.filter((name) => !open.includes(name));
				expect(new Set(stored).size).toBe(stored.length);
				return { known: known.sort(), acknowledged: acknowledged.sort(), calls: databases[0]!.calls.length };
			};
			const { calls } = await compete(-1);
			for (let failing = kinds.indexOf(fault) % stride; failing < calls; failing += stride) {
				const { known, acknowledged } = await compete(failing);
				expect(known, `call ${failing}`).toEqual(acknowledged);
			}
		});
	}
});
