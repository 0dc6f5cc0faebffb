import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calendarForm } from "../../../src/date.js";
import type { OutlineNode } from "../../../src/node.js";
import { Outline } from "../../../src/outline.js";
import { dayWords } from "../../../src/reference/calendar.js";
import type { Batch, StorageAdapter } from "../../../src/storage.js";
import { idOf } from "../../conformance/records.js";
import { draft, keys, operationsOf } from "../../model/batches.js";
import { type Command, command } from "../../model/commands.js";
import { performOnAny } from "../../model/perform.js";
import { assertSound } from "../../model/sound.js";
import { soak } from "../../setup/soak.js";
import { recordAt } from "../../support/batches.js";
import { countedIds } from "../../support/ids.js";
import { codeOf, exported } from "../../support/outline.js";
import { memoryStorages } from "../../support/storages.js";

/**
 * Siblings without gaps, so that a node created between them moves them aside. Five are at the top level,
 * three below the first of them. The second has mirrors of the fifth below it.
 */
function dense(): Batch {
	const records = [
		...[0, 1, 2, 3, 4].map((number) => recordAt(number, 1)),
		...[5, 6, 7].map((number) => recordAt(number, 1, { parentId: idOf(0) })),
		...[8, 9].map((number) => recordAt(number, 1, { parentId: idOf(1), originId: idOf(4) })),
	];
	return { base: 0, nodes: records.map((after) => ({ before: null, after })), keys: [] };
}

/** An outline with a clock and ids that count. */
class Trial {
	readonly outline: Outline;
	#seconds = 1_795_219_200;

	constructor(storage: StorageAdapter, firstId: number) {
		this.outline = new Outline({
			storage,
			timeZone: "UTC",
			appUrl: "https://outline.example",
			now: () => this.#seconds * 1000,
			generateId: countedIds((drawn) => (firstId + drawn) * 7919),
			history: { steps: 1000 },
		});
	}

	/** Runs a command on the current nodes. */
	async run(given: Command): Promise<void> {
		if (given.type === "wait") this.#seconds += given.seconds;
		await performOnAny(this.outline, given);
	}
}

interface State {
	nodes: OutlineNode[];
	/** The ids of the nodes by key. */
	shortcuts: { [key: string]: string };
}

async function stateOf(outline: Outline): Promise<State> {
	const nodes = await exported(outline);
	const shortcuts: State["shortcuts"] = {};
	for (const { key, type } of await outline.targets()) {
		if (type === "shortcut") shortcuts[key] = (await outline.get(key)).id;
	}
	return { nodes: nodes.sort((left, right) => (left.id < right.id ? -1 : 1)), shortcuts };
}

/**
 * A state without the nodes created on demand. They stay when the operation that needed them is undone, or
 * are deleted if the operation was their `ensure`. Of their siblings only the order counts, because these may
 * stay aside.
 */
function withoutOnDemand(
	{ nodes, shortcuts }: State,
	onDemand: ReadonlySet<string>,
	parents: ReadonlySet<string | null>,
): unknown {
	const others = nodes.filter(({ id }) => !onDemand.has(id));
	const rank = ({ parentId, priority }: OutlineNode) =>
		others.filter((other) => other.parentId === parentId && other.priority < priority).length;
	return {
		nodes: others.map((node) => (parents.has(node.parentId) ? { ...node, priority: rank(node) } : node)),
		shortcuts,
	};
}

/** The ids of the nodes that a command created on demand. */
function madeOnDemand(given: Command, before: State, after: State): string[] {
	const parent = "parent" in given ? given.parent : given.type === "ensure" ? given.node : undefined;
	const isAsked =
		parent?.kind === "key" &&
		(["inbox", "calendar"].includes(parent.key) || dayWords.has(parent.key) || calendarForm.test(parent.key));
	if (!isAsked) return [];
	const there = new Set(before.nodes.map(({ id }) => id));
	const made = after.nodes.filter(({ id }) => !there.has(id));
	return made.filter(({ name }) => /^(<time|Inbox|Calendar|\d{4}|[A-Z][a-z]+$)/.test(name)).map(({ id }) => id);
}

/** The differences between two states: the existence, parent and content of nodes, and the nodes of keys. */
function factsOf(now: State, before: State): Map<string, unknown> {
	const facts = ({ nodes, shortcuts }: State) => {
		const all = new Map<string, unknown>();
		for (const { id, parentId, name, note, layoutMode, completedAt, mirror } of nodes) {
			all.set(`${id} is there`, true);
			// A mirror shows its origin's content.
			const content = mirror?.originId !== undefined ? {} : { name, note, layoutMode, completedAt };
			for (const [field, value] of Object.entries({ parentId, ...content })) all.set(`${id} ${field}`, value);
		}
		for (const [key, id] of Object.entries(shortcuts)) all.set(`shortcut ${key}`, id);
		return all;
	};
	const [then, later] = [facts(before), facts(now)];
	const changed = [...new Set([...then.keys(), ...later.keys()])].filter((fact) => then.get(fact) !== later.get(fact));
	return new Map(changed.map((fact) => [fact, later.get(fact)]));
}

describe.each(memoryStorages)("%s", (_, create) => {
	test("undo after any sequence restores each earlier state, and redo each later one", {
		timeout: 60_000 * soak,
	}, async () => {
		let tried = 0;
		let undone = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(command, { maxLength: 40, size: "max" }), async (commands) => {
				tried += 1;
				const storage = create();
				await storage.commit(dense());
				const trial = new Trial(storage, 1000);
				const { outline } = trial;
				const states = [await stateOf(outline)];
				const onDemand = new Set<string>();
				const parents = new Set<string | null>();
				const shown = (state: State) => withoutOnDemand(state, onDemand, parents);
				for (const given of commands) {
					const { undo } = outline.history;
					await trial.run(given);
					const state = await stateOf(outline);
					if (outline.history.undo === undo) expect(state.nodes).toEqual(states.at(-1)!.nodes);
					else {
						for (const id of madeOnDemand(given, states.at(-1)!, state)) onDemand.add(id);
						for (const { id, parentId } of state.nodes) if (onDemand.has(id)) parents.add(parentId);
						states.push(state);
					}
				}
				const steps = outline.history.undo;
				expect(steps).toBe(states.length - 1);
				for (const state of states.slice(0, -1).reverse()) {
					expect(await outline.undo()).not.toBeNull();
					expect(shown(await stateOf(outline))).toEqual(shown(state));
					undone += 1;
				}
				expect(await outline.undo()).toBeNull();
				for (const state of states.slice(1)) {
					expect(await outline.redo()).not.toBeNull();
					expect(shown(await stateOf(outline))).toEqual(shown(state));
				}
				expect(await outline.redo()).toBeNull();
				expect(outline.history).toEqual({ undo: steps, redo: 0 });
			}),
			{ numRuns: 100 * soak },
		);
		expect(undone).toBeGreaterThan(4 * tried);
	});

	test("any batch is one undo step", { timeout: 60_000 * soak }, async () => {
		let tried = 0;
		let undone = 0;
		const batches = fc.array(fc.array(draft, { minLength: 1, maxLength: 4 }), { maxLength: 30, size: "max" });
		await fc.assert(
			fc.asyncProperty(batches, async (batches) => {
				tried += 1;
				const storage = create();
				await storage.commit(dense());
				const { outline } = new Trial(storage, 1000);
				// Nodes created on demand would stay, so they exist from the start.
				for (const key of keys) await outline.create({ name: "x", parent: key }).catch(() => {});
				outline.clearHistory();
				const states = [await stateOf(outline)];
				for (const drafts of batches) {
					const { nodes } = states.at(-1)!;
					const operations = operationsOf(
						drafts.filter(
							({ ref, parent }) => ![ref, parent].some((each) => typeof each === "object" && each.kind === "key"),
						),
						nodes.map(({ id }) => id),
					);
					const { undo } = outline.history;
					await codeOf(outline.batch(operations));
					if (outline.history.undo > undo) states.push(await stateOf(outline));
				}
				for (const state of states.slice(0, -1).reverse()) {
					await outline.undo();
					expect(await stateOf(outline)).toEqual(state);
					undone += 1;
				}
				for (const state of states.slice(1)) {
					await outline.redo();
					expect(await stateOf(outline)).toEqual(state);
				}
			}),
			{ numRuns: 100 * soak },
		);
		expect(undone).toBeGreaterThan(0.8 * tried);
	});

	test("undo and redo keep all changes of another outline", { timeout: 60_000 * soak }, async () => {
		const counts = { tried: 0, done: 0, refused: 0 };
		const step = fc.oneof(
			{ weight: 3, arbitrary: fc.record({ by: fc.constantFrom("me", "another"), given: command }) },
			{
				weight: 1,
				arbitrary: fc.record({
					by: fc.constantFrom("me" as const, "another" as const),
					go: fc.constantFrom("undo" as const, "redo" as const),
				}),
			},
		);
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 50, size: "max" }), async (steps) => {
				counts.tried += 1;
				const storage = create();
				await storage.commit(dense());
				const trials = { me: new Trial(storage, 1000), another: new Trial(storage, 2000) };
				/** The last value that each outline has written, by fact. */
				const written = { me: new Map<string, unknown>(), another: new Map<string, unknown>() };
				let state = await stateOf(trials.me.outline);
				for (const { by, ...step } of steps) {
					const { outline } = trials[by];
					if ("given" in step) await trials[by].run(step.given as Command);
					else {
						const { undo, redo } = outline.history;
						const code = await codeOf(outline[step.go]());
						const now = await stateOf(outline);
						if (code === undefined) counts.done += 1;
						else {
							expect(code).toBe("undo_blocked");
							expect(now).toEqual(state);
							expect(outline.history).toEqual({ undo, redo });
							counts.refused += 1;
						}
						// An outline may revert only values that it wrote last.
						for (const [fact, value] of factsOf(state, now)) {
							if (written[by].get(fact) !== value) throw new Error(`${fact} was lost: it was ${value}`);
						}
					}
					const now = await stateOf(outline);
					assertSound(now.nodes);
					for (const [fact, value] of factsOf(now, state)) written[by].set(fact, value);
					state = now;
				}
			}),
			{ numRuns: 100 * soak },
		);
		expect(counts.done).toBeGreaterThan(counts.tried);
		expect(counts.refused, "No undo was refused. Try another OUTLINE_SEED.").toBeGreaterThan(0);
	});
});
