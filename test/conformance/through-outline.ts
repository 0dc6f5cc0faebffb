import type { OutlineEvent } from "../../src/engine/event.js";
import type { OutlineNode } from "../../src/node.js";
import { Outline } from "../../src/outline.js";
import type { StorageAdapter } from "../../src/storage.js";
import { assert, assertEqual, assertRejects } from "./assertion.js";
import { texts } from "./exactness.js";
import type { Cases } from "./options.js";
import { idOf, node, nodes } from "./records.js";
import type { Trial } from "./trial.js";

/** Saturday, November 21, 2026, 12:00 in UTC. */
const noon = Date.UTC(2026, 10, 21, 12);

function outlineOn(storage: StorageAdapter): Outline {
	return new Outline({ storage, timeZone: "UTC", now: () => noon });
}

async function exported(outline: Outline): Promise<OutlineNode[]> {
	const found: OutlineNode[] = [];
	for await (const each of outline.export()) found.push(each);
	return found.sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** Every node that a walk from the top finds. */
async function walked(outline: Outline): Promise<OutlineNode[]> {
	const found: OutlineNode[] = [];
	const parents: (string | null)[] = [null];
	for (const parent of parents) {
		const { nodes, mirror } = await outline.list(parent);
		if (mirror !== undefined) continue;
		found.push(...nodes);
		parents.push(...nodes.map(({ id }) => id));
	}
	return found.sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** Two outlines that create and move the same nodes, each on its storage. */
async function quarrel(trial: Trial, storages: readonly StorageAdapter[]): Promise<void> {
	const outlines = storages.map(outlineOn);
	const creating = outlines.flatMap((outline, which) =>
		Array.from({ length: 5 }, (_, place) => outline.create({ parent: "today", name: `${which} ${place}` })),
	);
	const created = await trial.within(Promise.all(creating), "creating under the same day");
	assertEqual(new Set(created.map(({ parentId }) => parentId)).size, 1, "how many nodes the day has");
	const [one, two] = outlines as [Outline, Outline];
	for (let round = 0; round < 5; round++) {
		const [a, b] = await Promise.all([one.create({ name: "a" }), one.create({ name: "b" })]);
		// The other outline may not know them yet. After a write it does.
		await two.create({ name: "c" });
		const moves = await trial.within(
			Promise.allSettled([one.move(a.id, { parent: b.id }), two.move(b.id, { parent: a.id })]),
			"opposite moves",
		);
		const refused = moves.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
		assertEqual(refused.length, 1, "how many of two opposite moves are refused");
		await assertRejects(Promise.reject(refused[0]), "would_create_cycle", "the second of two opposite moves");
	}
	// A write uses the current state, even if the outline hasn't been notified of it.
	for (const outline of outlines) await outline.create({ name: "last" });
	const names = (await exported(outlines.at(-1)!)).map(({ name }) => name);
	assertEqual(names.length, created.length + 15 + outlines.length + 4, "how many nodes there are");
	for (const name of ["Calendar", "2026", "November"]) {
		assertEqual(names.filter((each) => each === name).length, 1, `how many nodes are called ${name}`);
	}
}

/** Tests of an outline on the storage. */
export const throughOutline: Cases = {
	"an outline on it returns all values exactly, without NUL and with U+FFFD for lone surrogates": async (trial) => {
		const outline = outlineOn(await trial.open());
		const notes = [...texts.map((text) => [text, text] as const), ["a\0b\0", "ab"], ["\ud800x\udc00", "\ufffdx\ufffd"]];
		const created = await Promise.all(
			notes.map(([note]) => outline.create({ name: "a\0\ud800b", note, position: "bottom" })),
		);
		for (const [place, { id }] of created.entries()) {
			const found = await outline.get(id);
			assertEqual([found.name, found.note], ["a\ufffdb", notes[place]![1]!.replace(/\r\n?/g, "\n")], "name and note");
		}
		assertEqual((await outline.list()).nodes, created, "the list");
		assertEqual(
			await exported(outline),
			created.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
			"export",
		);
	},
	"an outline on it keeps names and notes of the greatest length": async (trial) => {
		const { characters } = trial.sizes;
		const outline = outlineOn(await trial.open());
		const { id } = await outline.create({ name: "x".repeat(characters), note: "<".repeat(characters) });
		const found = await outline.get(id);
		assertEqual([found.name.length, found.note?.length], [characters, characters], "the lengths");
		await outline.update(id, { name: "&lt;".repeat(characters) });
		assertEqual((await outline.get(id)).name, "&lt;".repeat(characters), "the name");
	},
	"an outline on it does all its operations, and export returns the same as a walk through the lists": async (
		trial,
	) => {
		const outline = outlineOn(await trial.open());
		const list = await outline.create({ name: "list\n- one\n  - two\n- three", parent: "inbox" });
		const { nodes: children } = await outline.list(list.id);
		const [one, three] = children as [OutlineNode, OutlineNode];
		const mirror = await outline.mirror(one.id, { parent: list.id, position: "bottom" });
		await outline.setShortcut("home", three.id);
		await outline.complete(mirror.id);
		await outline.move(three.id, { parent: mirror.id });
		await outline.move("home", { parent: "2026-11-20" });
		await outline.create({ parent: "2026-11-19", name: "earlier" });
		assert((await outline.get(one.id)).completed, "completing a mirror doesn't complete its origin");
		assertEqual((await outline.get(one.id)).mirror, { mirrorIds: [mirror.id] }, "the mirrors of the origin");
		await assertRejects(outline.delete(list.id), "has_mirrors", "deleting an origin that has mirrors");
		assertEqual(await exported(outline), await walked(outline), "export, and a walk through the lists");
		const months = await outline.list("2026");
		const days = await outline.list(months.nodes[0]!.id);
		assertEqual(
			days.nodes.map(({ name }) => name.replace(/<.*?>/g, "")),
			["Thu, Nov 19, 2026", "Fri, Nov 20, 2026"],
			"the days",
		);
		await outline.removeMirror(mirror.id);
		await outline.delete(list.id);
		assertEqual((await outline.list("inbox")).nodes, [], "what is left in the inbox");
		assertEqual(
			(await outline.targets()).map(({ key, name }) => [key, name]),
			[
				["inbox", "Inbox"],
				["calendar", "Calendar"],
				["today", null],
				["tomorrow", null],
				["next_week", null],
				["home", "three"],
			],
			"the targets",
		);
		await trial.within(outline.close(), "closing an outline");
		await assertRejects(outline.get("inbox"), "closed", "get after closing");
	},
	"an outline on it notifies of its own commits, in order, before they resolve": async (trial) => {
		const outline = outlineOn(await trial.open());
		await outline.list();
		const events: OutlineEvent[] = [];
		outline.subscribe((event) => events.push(event));
		for (let count = 1; count <= 5; count++) {
			const { id } = await outline.create({ name: `${count}` });
			const last = events.at(-1);
			assertEqual([last?.revision, last?.source, last?.changes[0]?.id], [count, "local", id], "the last event");
		}
		assertEqual(events.length, 5, "the number of events");
	},
	"an outline on it handles deep and wide outlines: moves, cycles, new places, deletions": async (trial) => {
		const ledger = await trial.ledger();
		const { levels, siblings } = trial.sizes;
		const first = levels;
		await ledger.commit({
			put: [
				...nodes(levels, (number) => ({ parentId: number === 0 ? null : idOf(number - 1) })),
				...Array.from({ length: siblings }, (_, place) => node(first + place, { parentId: idOf(levels - 1) })),
			],
		});
		const outline = outlineOn(ledger.storage);
		const deepest = idOf(levels - 1);
		await assertRejects(outline.move(idOf(0), { parent: deepest }), "would_create_cycle", "a move below itself");
		await assertRejects(
			outline.mirror(deepest, { parent: deepest }),
			"would_create_cycle",
			"a mirror below its origin",
		);
		const top = await outline.create({ parent: deepest, name: "top" });
		const bottom = await outline.create({ parent: deepest, name: "bottom", position: "bottom" });
		await outline.move(idOf(first + 5), { position: "bottom" });
		const { nodes: listed } = await outline.list(deepest);
		assertEqual(
			[listed.length, listed[0]?.id, listed.at(-2)?.id, listed.at(-1)?.id],
			[siblings + 2, top.id, bottom.id, idOf(first + 5)],
			"the children",
		);
		await outline.move(deepest, { parent: null });
		await outline.delete(idOf(0));
		await outline.delete(deepest);
		assertEqual(await exported(outline), [], "what is left");
	},
	"outlines that share a storage create the same day at once and make opposite moves, and nothing goes wrong": async (
		trial,
	) => {
		const storage = await trial.open();
		await quarrel(trial, [storage, storage]);
	},
	"outlines on separate storages create the same day at once and make opposite moves, and nothing goes wrong": {
		needs: ["multiProcess"],
		run: async (trial) => quarrel(trial, [await trial.open(), await trial.open()]),
	},
	"outlines on separate storages are notified of each other's commits": {
		needs: ["multiProcess", "watch"],
		run: async (trial) => {
			const [here, there] = [outlineOn(await trial.open()), outlineOn(await trial.open())];
			await Promise.all([here.list(), there.list()]);
			const told = new Map<string, string | undefined>();
			const events: OutlineEvent[] = [];
			there.subscribe((event) => {
				events.push(event);
				for (const { id, after } of event.changes) told.set(id, after?.name);
			});
			// A subscription first finds out the revision at which it begins. An operation of its outline waits for that.
			const first = await there.create({ name: "first" });
			await trial.until(() => told.has(first.id), "the event of its own commit");
			told.clear();
			events.splice(0);
			const kept = await here.create({ name: "kept" });
			const gone = await here.create({ name: "gone" });
			await here.update(kept.id, { name: "changed" });
			await here.delete(gone.id);
			await trial.until(() => events.at(-1)?.revision === 5, "the event of the last commit");
			assertEqual(
				[...told].sort(),
				[
					[kept.id, "changed"],
					[gone.id, undefined],
				].sort(),
				"what the events say",
			);
			for (const { source } of events) assertEqual(source, "remote", "the source of an event");
		},
	},
	"an outline opened again on it shows the content of the one before": {
		needs: ["durable"],
		run: async (trial) => {
			const before = outlineOn(await trial.open());
			await before.create({ parent: "today", name: "list\n- one\n- two" });
			await before.setShortcut("home", "today");
			const expected = [await exported(before), await before.targets()];
			await trial.within(before.close(), "closing an outline");
			const after = outlineOn(await trial.open());
			assertEqual([await exported(after), await after.targets()], expected, "the outline");
			await after.create({ parent: "today", name: "more" });
			assertEqual((await after.list("today")).nodes.length, 2, "the children of the day");
		},
	},
};
