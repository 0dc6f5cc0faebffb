import type { BrowserContext, Page } from "playwright-core";
import { runs } from "./fresh.ts";
import { MainThread } from "./main-thread.ts";
import { median, quantile } from "./measure.ts";
import { scroll, watchChanges } from "./outliner-watch.ts";
import type { Row, Table } from "./report.ts";

/** The keys of a round: a new line and its text, one level deeper and back. */
const keys = ["Enter", "a", "Tab", "b", "Shift+Tab"];
const rounds = 20;
const undos = 10;

/** The milliseconds of one key. */
interface KeyTime {
	/** Of the processor, in the main thread, with all that follows within a tenth of a second. */
	readonly thread: number;
	/** From the key to the end of the frame that shows its effect. */
	readonly frame: number;
}

/**
 * The outliner with all rows unfolded: the times of each key, beside the same keys in an outline of one screen, in
 * turns in the same browser.
 *
 * @param small - the address of the small outline
 * @param nodes - the number of nodes in the outline of the page that is open
 */
export async function measureUnfolded(context: BrowserContext, small: string, nodes: number): Promise<Table> {
	const large = await Writing.begin(context.pages().at(-1)!);
	const unfolding = await large.unfold(nodes);
	const page = await context.newPage();
	await page.goto(small);
	const beside = await Writing.begin(page);
	await beside.unfold(0);
	const [ours, base]: Map<string, KeyTime[]>[][] = [[], []];
	for (let run = 0; run <= runs; run++) {
		const [one, other] = [await large.round(), await beside.round()];
		// The first round is for the compiler.
		if (run === 0) continue;
		ours!.push(one);
		base!.push(other);
	}
	const rows = [...ours![0]!.keys()].flatMap((key) => {
		const limits = key === "Enter" || key === "Tab" ? { thread: 25, frame: 50 } : { thread: undefined, frame: 50 };
		return (["thread", "frame"] as const).flatMap((kind): Row[] => {
			const name = kind === "thread" ? `${key}: the processor's time` : `${key}: until its frame`;
			const times = (run: Map<string, KeyTime[]>) => run.get(key)!.map((each) => each[kind]);
			const of = (all: readonly Map<string, KeyTime[]>[], share: number) =>
				all.map((run) => quantile(times(run), share));
			const limit = limits[kind];
			return [
				{ name: `${name}, median`, ours: of(ours!, 0.5), base: of(base!, 0.5) },
				{
					name: `${name}, 95th percentile`,
					ours: of(ours!, 0.95),
					base: of(base!, 0.95),
					...(limit !== undefined && { limit }),
				},
			];
		});
	});
	const undone = await large.undo();
	const { blank, frames } = await large.scroll();
	const heap = await large.thread.heap();
	const filtered = await large.filter();
	return {
		key: "outliner unfolded",
		title: `The outliner with ${nodes.toLocaleString("en")} rows unfolded`,
		unit: "ms",
		base: "an outline of one screen",
		ours: "the outliner",
		rows: [
			...rows,
			{ name: "unfolding all: the processor's time", ours: [unfolding] },
			{ name: `${undos} undos: the processor's time`, ours: [undone] },
			{ name: "“theta” in the filter, the first time: the processor's time", ours: filtered.slice(0, 1) },
			{ name: "the same again", ours: [median(filtered.slice(1))] },
			{ name: `frames with a blank row, of ${frames} while scrolling`, ours: [blank], limit: 0 },
			{ name: "the heap, MB", ours: [heap] },
		],
		notes: [
			"The processor's time is of the page's main thread, with all that follows a key within a tenth of a second.",
		],
	};
}

/** A page of the outliner with the caret in the middle of the screen. */
class Writing {
	readonly thread: MainThread;
	readonly #page: Page;

	private constructor(page: Page, thread: MainThread) {
		this.#page = page;
		this.thread = thread;
	}

	static async begin(page: Page): Promise<Writing> {
		await page.waitForSelector(".row .name");
		return new Writing(page, await MainThread.of(page));
	}

	/** Unfolds all rows, and goes to their middle. Returns the time of the processor for unfolding them. */
	async unfold(nodes: number): Promise<number> {
		await this.#write();
		await this.#press("Escape", "Control+a");
		const time = await this.thread.time(async () => {
			await this.#press("Control+Shift+ArrowDown");
			await this.#page.waitForFunction((rows) => document.querySelector(".rows")!.clientHeight > rows * 30, nodes);
			await this.#page.waitForTimeout(500);
		});
		await this.#press("Escape");
		await this.#toMiddle();
		await this.#page.evaluate(watchChanges);
		return time;
	}

	/** Presses each key some times. */
	async round(): Promise<Map<string, KeyTime[]>> {
		await this.#page.bringToFront();
		await this.#toMiddle();
		const times = new Map<string, KeyTime[]>();
		for (let round = 0; round < rounds; round++) {
			for (const key of keys) {
				const thread = await this.thread.time(async () => {
					await this.#press(key);
					await this.#page.waitForTimeout(120);
				});
				const [frame] = await this.#page.evaluate(() => globalThis.changeTimes.splice(0));
				const name = key.length === 1 ? "a letter" : key;
				if (!times.has(name)) times.set(name, []);
				if (frame !== undefined) times.get(name)!.push({ thread, frame });
			}
		}
		return times;
	}

	/** The time of the processor for some undos. */
	async undo(): Promise<number> {
		await this.#page.bringToFront();
		return this.thread.time(async () => {
			for (let undo = 0; undo < undos; undo++) await this.#press("Control+z");
			await this.#page.waitForTimeout(500);
		});
	}

	async scroll(): Promise<{ readonly blank: number; readonly frames: number }> {
		await this.#page.evaluate(() => document.querySelector("main")!.scrollTo(0, 0));
		return this.#page.evaluate(scroll);
	}

	/** The times of the processor for a word in the filter, several times. */
	async filter(): Promise<number[]> {
		const times: number[] = [];
		for (let run = 0; run < runs; run++) {
			await this.#press("Control+f");
			const time = this.thread.time(async () => {
				await this.#page.keyboard.type("theta", { delay: 120 });
				await this.#page.waitForFunction(() =>
					document.querySelector(".filter output")!.textContent!.endsWith("nodes"),
				);
				await this.#page.waitForTimeout(1000);
			});
			times.push(await time);
			await this.#press("Escape");
			await this.#page.waitForTimeout(1000);
		}
		return times;
	}

	async #toMiddle(): Promise<void> {
		await this.#page.evaluate(() => {
			const main = document.querySelector("main")!;
			main.scrollTop = main.scrollHeight / 2;
		});
		await this.#page.waitForTimeout(1000);
		await this.#write();
	}

	async #write(): Promise<void> {
		const screen = this.#page.viewportSize()!;
		await this.#page.mouse.click(screen.width / 2, screen.height / 2);
		await this.#press("End");
	}

	async #press(...pressed: string[]): Promise<void> {
		for (const key of pressed) await this.#page.keyboard.press(key);
	}
}
