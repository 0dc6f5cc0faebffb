import { type Outline, OutlineError } from "outlinekit";

/** The largest subtree that is deleted: the outline is to grow. */
const deletedAtMost = 40;

const queries = [
	"plain",
	"bold OR list",
	"is:todo -done",
	"titl",
	'"second line"',
	"is:mirror",
	"in:note lines",
	"date:2026",
];

/**
 * Makes operations besides commands, some at each step. They depend on the storage's answers and their order.
 *
 * @param number - which of the steps is meant
 * @param ids - the nodes that can be named, the newest last
 */
export async function furtherStep(outline: Outline, number: number, ids: readonly string[]): Promise<unknown> {
	const id = ids.at(-1 - ((number * 7919) % Math.max(1, Math.min(ids.length, 60)))) ?? "nowhere";
	switch (number % 9) {
		case 0:
		case 1:
			return [await outcomeOf(outline.undo()), await outcomeOf(outline.undo()), await outcomeOf(outline.redo())];
		case 2:
			return [await outcomeOf(outline.undo()), await outcomeOf(outline.redo()), outline.history];
		case 3:
			return deletion(outline, await mirrored(outline, ids), "promote");
		case 4:
			return deletion(outline, await mirrored(outline, ids), "detach");
		case 5: {
			const input = { name: `once ${number}`, parent: id, idempotencyKey: `${number}` };
			return [await outcomeOf(outline.create(input)), await outcomeOf(outline.create(input))];
		}
		case 6:
			return outcomeOf(
				outline.batch([
					{ type: "create", as: "new", name: `a\n- b [2026-12-${10 + (number % 20)}]\n- c`, parent: id },
					{ type: "mirror", ref: id, parent: { as: "new" } },
					{ type: "move", ref: { as: "new" }, parent: "today", position: "bottom" },
				]),
			);
		case 7:
			return outcomeOf(
				outline.search(queries[number % queries.length]!, {
					limit: 20,
					order: number % 4 === 3 ? "date" : "score",
					ancestors: true,
					ranges: true,
				}),
			);
		default:
			return outcomeOf(walked(outline, id));
	}
}

/** Everything of an outline in the format that loses nothing, and whether it is sound. */
export async function summary(outline: Outline): Promise<string> {
	let text = "";
	for await (const piece of outline.exportAs("json")) text += piece;
	const { total, problems } = await outline.verify();
	if (total > 0) throw new Error(`The outline isn't sound: ${JSON.stringify(problems.slice(0, 5))}`);
	return text;
}

/** The origin of one of the newest mirrors. */
async function mirrored(outline: Outline, ids: readonly string[]): Promise<string> {
	for (const id of ids.slice(-20)) {
		const { mirror } = await outline.get(id).catch(() => ({ mirror: undefined }));
		if (mirror?.originId !== undefined) return mirror.originId ?? id;
	}
	return "nowhere";
}

async function deletion(outline: Outline, id: string, mirrors: "promote" | "detach"): Promise<unknown> {
	const planned = await outcomeOf(outline.plan.delete(id, { mirrors }));
	if ("code" in planned) return planned;
	const { nodeIds, promoted, detached, keys } = planned.value;
	const plan = { nodeIds: nodeIds.sort(), promoted, detached: detached.sort(), keys };
	if (nodeIds.length > deletedAtMost) return plan;
	return [plan, await outcomeOf(outline.delete(id, { mirrors }))];
}

async function walked(outline: Outline, id: string): Promise<unknown> {
	const seen: unknown[] = [];
	for await (const { node, path } of outline.walk(id, { budget: 40, depth: 4 })) seen.push([node, path]);
	return seen;
}

async function outcomeOf<T>(promise: Promise<T>): Promise<{ value: T } | { code: string; nodeIds: unknown }> {
	try {
		return { value: await promise };
	} catch (error) {
		if (error instanceof OutlineError) return { code: error.code, nodeIds: error.nodeIds };
		throw error;
	}
}
