import fc from "fast-check";
import { Outline, OutlineError, type OutlineNode, type StorageAdapter } from "outlinekit";
import { type Command, command, type Pick } from "../model/commands.js";
import { type PlaceArguments, perform } from "../model/perform.js";
import { countedIds, scattered } from "../support/ids.js";
import { furtherStep, summary } from "./further.js";

/** The number of commands between steps that aren't commands. */
const furtherEvery = 70;

/** The number of commands drawn at once. */
const drawnAtOnce = 1000;

/** The storage of a transcript. */
export interface Stage {
	/** Opens the outline's storage, at first and after each time that the sequence closes it. */
	open(): StorageAdapter | Promise<StorageAdapter>;
	/** Whether commits are there after closing and opening again. If not, the outline is never closed. */
	readonly durable: boolean;
}

/** The results of a sequence of operations on a storage. */
export interface Transcript {
	/** A digest of every result, every refusal and every export on the way, in order. */
	readonly digest: string;
	/** The number of operations that succeeded, and of refused ones by the code of the error. */
	readonly outcomes: { readonly [outcome: string]: number };
	/** The last export: a line of JSON for each node, sorted. */
	readonly exported: string;
}

/**
 * Runs a random sequence of operations, the same for the same seed, and writes down all results. The clock
 * and the ids are a part of the sequence, so two storages that do the same have the same transcript.
 *
 * @param exports - the number of exports of the whole outline on the way
 */
export async function takeTranscript(
	stage: Stage,
	seed: number,
	operations: number,
	exports = 20,
): Promise<Transcript> {
	const outcomes: { [outcome: string]: number } = {};
	const clock = { seconds: 1_795_219_200 }; // Sat, Nov 21, 2026, 00:00 UTC
	/** The nodes that can be named: every returned one, until an operation finds it gone. */
	let ids: string[] = [];
	const generateId = countedIds(scattered);
	const begin = async () =>
		new Outline({
			storage: await stage.open(),
			timeZone: "UTC",
			appUrl,
			now: () => clock.seconds * 1000,
			generateId,
		});

	let ends = 0;
	let digest = "";
	let exported = "";
	const copy: Copy = { nodes: new Map(), revision: 0 };
	let lines: string[] = [];
	const digestLines = async () => {
		digest = await digestOf(digest + lines.join("\n"));
		lines = [];
	};
	let outline = await begin();
	for (let done = 0; done < operations; done += 1) {
		if (done % drawnAtOnce === 0) await digestLines();
		const next = commandAt(seed, done);
		if (next.type === "wait") clock.seconds = Math.min(clock.seconds + next.seconds, 2_500_000_000);
		else if (next.type === "prune") await outline.prune({ before: copy.revision });
		else if (next.type === "reopen") {
			if (++ends % 10 === 0) {
				await outline.clearHistory();
				if (stage.durable) {
					await outline.close();
					outline = await begin();
				}
			}
		} else {
			const node = "node" in next ? textOf(next.node, ids)! : "";
			const parent = "parent" in next && next.parent !== undefined ? textOf(next.parent, ids) : undefined;
			const beside = "spot" in next && typeof next.spot === "object" ? next.spot : undefined;
			const sibling = beside && textOf({ kind: "node", index: beside.index, form: "id" }, ids)!;
			const result = await perform(outline, next, node, placeOf(next, parent, sibling)).then(
				(value) => ({ value }),
				(error) => {
					if (error instanceof OutlineError) return { code: error.code };
					throw error;
				},
			);
			const outcome = "code" in result ? result.code : "done";
			outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
			lines.push(JSON.stringify(result));
			if ("value" in result && (next.type === "create" || next.type === "mirror")) {
				ids.push((result.value as OutlineNode).id);
			}
			// Either of the two may be the one that is gone. The export still has a node that can't be named.
			if (outcome === "not_found") ids = ids.filter((id) => id !== node && id !== parent);
		}
		if ((done + 1) % furtherEvery === 0) {
			lines.push(JSON.stringify(await furtherStep(outline, (done + 1) / furtherEvery, ids)));
		}
		if ((done + 1) % Math.ceil(operations / exports) === 0 || done + 1 === operations) {
			exported = await exportOf(outline);
			await follow(outline, copy);
			if (textOfNodes([...copy.nodes.values()]) !== exported) throw new Error("The changes don't lead to the export.");
			lines.push(exported);
		}
	}
	lines.push(await summary(outline));
	await digestLines();
	await outline.close();
	return { digest, outcomes, exported };
}

const appUrl = "https://outline.example";

let drawn: { readonly seed: number; readonly first: number; readonly commands: readonly Command[] } | undefined;

function commandAt(seed: number, place: number): Command {
	const first = place - (place % drawnAtOnce);
	if (drawn?.seed !== seed || drawn.first !== first) {
		const commands = fc.sample(command, { seed: seed + first, numRuns: drawnAtOnce });
		drawn = { seed, first, commands };
	}
	return drawn.commands[place - first]!;
}

async function exportOf(outline: Outline): Promise<string> {
	const nodes: OutlineNode[] = [];
	for await (const node of outline.export()) nodes.push(node);
	return textOfNodes(nodes);
}

function textOfNodes(nodes: readonly OutlineNode[]): string {
	return nodes
		.map((node) => JSON.stringify(node))
		.sort()
		.join("\n");
}

/** The nodes of an outline as they were at a revision. */
interface Copy {
	readonly nodes: Map<string, OutlineNode>;
	revision: number;
}

/** Brings a copy up to date by the changes alone. */
async function follow(outline: Outline, copy: Copy): Promise<void> {
	for (let more = true; more; ) {
		const changes = await outline.changes({ since: copy.revision, limit: 500 });
		for (const id of changes.deleted) copy.nodes.delete(id);
		for (const node of changes.nodes) copy.nodes.set(node.id, node);
		({ revision: copy.revision, more } = changes);
	}
}

async function digestOf(text: string): Promise<string> {
	const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The text of a reference. Nodes are mostly recent ones, and now and then any that has ever been there. */
function textOf(pick: Pick, ids: readonly string[]): string | null | undefined {
	switch (pick.kind) {
		case "node": {
			if (ids.length === 0) return "nowhere";
			const scattered = (pick.index * 7919 + ids.length * 104_729) % ids.length;
			const id = ids[pick.index % 4 === 0 ? scattered : Math.max(0, ids.length - 1 - pick.index)]!;
			if (pick.form === "upper case id") return id.toUpperCase();
			if (pick.form === "short id") return id.slice(-12);
			return pick.form === "address" ? `${appUrl}/#/${id.slice(-12)}` : id;
		}
		case "root":
			return pick.form === "None" ? "None" : pick.form === "null" ? null : undefined;
		case "unknown":
			return pick.text;
		default:
			return pick.key;
	}
}

/** Where a node is to go. Beside a sibling, that one says under which parent. */
function placeOf(command: Command, parent: string | null | undefined, sibling: string | undefined): PlaceArguments {
	const spot = "spot" in command ? command.spot : undefined;
	if (typeof spot !== "object") return { parent, position: spot };
	const position = spot.side === "before" ? { before: sibling! } : { after: sibling! };
	return command.type === "mirror" ? { parent, position } : { position };
}
