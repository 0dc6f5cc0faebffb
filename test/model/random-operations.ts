import type { OutlineOptions } from "../../src/engine/settings.js";
import { OutlineError } from "../../src/errors.js";
import { layoutModes } from "../../src/layout-mode.js";
import type { Outline } from "../../src/outline.js";
import { Random } from "../conformance/random.js";
import { countedIds } from "../support/ids.js";

/** Codes of errors by the outline itself. They say nothing about the storage. */
const refusals: ReadonlySet<string> = new Set(["not_found", "would_create_cycle", "has_mirrors", "not_a_mirror"]);

/**
 * The names of nodes: short ones, ones that fill pages of a disk, and ones of which no byte may be missing.
 */
const names = [
	"a",
	"Ship it",
	"ünïcödé 🌲 \u2028",
	'<b>bold</b> &amp; "quoted" \\ back',
	"x".repeat(700),
	"y".repeat(3_000),
];

/**
 * Options of an outline with a counting clock and counting ids, so each run is the same. Different seeds have
 * different ids, and every other one keeps its history.
 */
export function countedOptions(seed: number): Omit<OutlineOptions, "storage"> {
	let seconds = 1_800_000_000;
	return {
		timeZone: "UTC",
		now: () => 1_000 * seconds++,
		generateId: countedIds((drawn) => seed * 2 ** 32 + drawn + 1),
		history: { keep: seed % 2 === 1 },
	};
}

/**
 * Random operations on outlines. They are the same for the same seed as long as all outcomes are the same.
 */
export class RandomOperations {
	readonly #random: Random;
	readonly #ids: string[] = [];
	#steps = 0;

	constructor(seed: number) {
		this.#random = new Random(seed);
	}

	/** Returns the number of operations to make at once: usually one. */
	burst(): number {
		return this.#random.happens(0.7) ? 1 : 2 + this.#random.below(4);
	}

	/** Makes one operation. Resolves with the error of the storage, if any. */
	async make(outline: Outline): Promise<OutlineError | undefined> {
		try {
			await this.#operation(outline);
			return undefined;
		} catch (error) {
			if (!(error instanceof OutlineError)) throw error;
			return refusals.has(error.code) ? undefined : error;
		}
	}

	#operation(outline: Outline): Promise<unknown> {
		this.#steps += 1;
		const kind = this.#random.below(this.#ids.length < 3 ? 3 : 17);
		const position = this.#random.pick(["top", "bottom"] as const);
		const name = `${this.#random.pick(names)} ${this.#steps}`;
		switch (kind) {
			case 0:
			case 1:
			case 2:
			case 3:
			case 4: {
				const parent = this.#random.pick([null, null, "inbox", "today", "2027-02", ...this.#ids.slice(-4)]);
				const layoutMode = this.#random.pick(layoutModes);
				const note = this.#random.happens(0.3) ? name : null;
				const input = { parent, layoutMode, position, note, name };
				// Another program may make the same request, but no other one with this key.
				const request = `${this.#steps} ${JSON.stringify({ ...input, note: note?.length }).slice(0, 200)}`;
				const idempotencyKey = this.#random.happens(0.2) ? request : undefined;
				return outline.create({ ...input, idempotencyKey }).then(({ id }) => this.#ids.push(id));
			}
			case 5:
			case 6:
				return outline.update(this.#someId(), { name });
			case 7:
				return outline.update(this.#someId(), {
					note: this.#random.happens(0.5) ? name : null,
					layoutMode: "todo",
					properties: { due: this.#random.happens(0.3) ? null : name, steps: this.#steps },
				});
			case 8:
			case 9:
				return outline.move(this.#someId(), { parent: this.#random.pick([null, this.#someId()]), position });
			case 10:
				return outline.complete(this.#someId());
			case 11:
				return outline.uncomplete(this.#someId());
			case 12:
				return outline
					.mirror(this.#someId(), { parent: this.#someId(), position })
					.then(({ id }) => this.#ids.push(id));
			case 13:
				return outline.setShortcut(this.#random.pick(["home", "work"]), this.#someId());
			case 14:
				return outline.deleteShortcut(this.#random.pick(["home", "work"]));
			case 15:
				return this.#prune(outline);
			default:
				return outline.delete(this.#someId());
		}
	}

	async #prune(outline: Outline): Promise<void> {
		const { revision } = await outline.changes({ since: 0, limit: 10_000 });
		await outline.prune({ before: Math.floor(revision * this.#random.next()) });
	}

	#someId(): string {
		return this.#random.pick(this.#ids);
	}
}
