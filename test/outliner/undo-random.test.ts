import { beforeAll, expect, test } from "vitest";
import { Random } from "../conformance/random.js";
import { seed, soak } from "../setup/soak.js";
import { App, type Tab } from "./app.js";
import { watchedBuild } from "./simulation/build.js";
import type { WatchedPage } from "./simulation/device.js";

const app = new App();
const watched = watchedBuild();
beforeAll(() => app.serve(watched));

/** What the user does, by the keys of each act, with spaces between them. Some acts come more often. */
const acts = [
	..."a b c Enter Enter Tab Tab Shift+Tab Backspace Backspace Delete Home End Escape Shift+Enter".split(" "),
	..."ArrowUp ArrowUp ArrowDown ArrowLeft ArrowRight Shift+ArrowUp Shift+ArrowDown Shift+ArrowLeft".split(" "),
	..."Shift+ArrowRight Shift+Home Control+a Control+b Control+i Control+e Control+d Control+Enter".split(" "),
	..."Control+c Control+x Control+v Control+v Control+. Control+, Control+Space Control+z Control+y".split(" "),
	..."Alt+Shift+ArrowUp Alt+Shift+ArrowDown Alt+Shift+ArrowLeft Alt+Shift+ArrowRight".split(" "),
	..."Control+Shift+Backspace Control+ArrowUp Control+ArrowDown Control+o".split(" "),
	...["End Space x y", "End Enter z Tab w", "Home u v Space", "Shift+Enter n o Enter t e", "Escape Shift+ArrowDown"],
	...["* * x * * Space", "` c ` Space", "Home # Space", "Home [ ] Space", "Home > Space", "# t Space"],
	...["End Space / d u p l i c a t e Enter", "End Space / t o - d o Enter", "End Enter ( ( x Enter", "( ( Escape"],
	...["End Space [ [ x Enter", "Control+x ArrowDown Control+v", "Escape Control+x Enter Enter Control+v"],
	...["Escape Shift+ArrowDown Control+c ArrowDown Control+v", "w w w . x . d e Space"],
].map((keys) => keys.split(" "));

/** The outline as it is stored, line by line, and the rows that show. */
interface State {
	readonly stored: readonly string[];
	readonly shown: readonly Row[];
}

interface Row {
	readonly level: string | null;
	readonly shortId: string;
	readonly name: string;
	readonly note: string | null;
	readonly completed: boolean;
}

async function stateOf(tab: Tab): Promise<State> {
	await tab.idle();
	const text = await tab.page.evaluate(async () => {
		const { watchedOutline } = globalThis as unknown as WatchedPage;
		let text = "";
		for await (const piece of watchedOutline.exportAs("json")) text += piece;
		return text;
	});
	// Without the times: an inbox that has been deleted and created again is a little younger.
	const stored = text
		.replaceAll(/"(created|modified)At":\d+,/g, "")
		.trim()
		.split("\n")
		.sort();
	const shown = await tab.page.$$eval(".row", (rows) =>
		rows.map((row) => ({
			level: row.ariaLevel,
			shortId: row.querySelector("a.bullet")!.getAttribute("href")!.slice(2),
			// Without what holds the caret.
			name: row
				.querySelector(".name")!
				.innerHTML.replaceAll(/\u200b|<(b|i|s|code)><\/\1>|<br>$/g, "")
				.replaceAll("&nbsp;", "\u00a0"),
			note: row.querySelector(".note")?.textContent ?? null,
			completed: row.classList.contains("completed"),
		})),
	);
	const problems = shown.filter((row) => !isAsStored(row, stored));
	expect({ problems, stored: problems.length > 0 ? stored : [] }).toEqual({ problems: [], stored: [] });
	return { stored, shown };
}

function isAsStored({ shortId, name, note, completed }: Row, stored: readonly string[]): boolean {
	const nodes = stored.map((line) => JSON.parse(line) as Record<string, string | null>);
	const node = nodes.find(({ id }) => id?.endsWith(shortId));
	const origin = nodes.find(({ id }) => id === node?.originId) ?? node;
	// The field of a note may be open before something is written.
	const isSame = name === origin?.name && (note ?? "") === (origin.note ?? "");
	return isSame && completed === (origin.completedAt !== null);
}

/** Presses a key of the history until nothing is left. Returns the state before each step, and the last one. */
async function travelled(tab: Tab, key: string): Promise<State[]> {
	const states: State[] = [];
	for (;;) {
		const state = await stateOf(tab);
		// A key that changes nothing looks as if the history were broken.
		expect(state.stored).not.toEqual(states.at(-1)?.stored);
		states.push(state);
		await tab.press(key);
		await tab.idle();
		const message = await tab.message();
		if (message?.startsWith("There is nothing")) return states;
		if (message !== null && !/^(Undone|Redone|Your outline is in this browser only)/.test(message))
			throw new Error(`${key}: ${message}`);
	}
}

const storedIn = (states: readonly State[]) => states.map(({ stored }) => stored);

for (let number = 0; number < 2 * soak; number++) {
	test(`undo leads back to the start and redo to the end, seed ${seed + number}`, async () => {
		const random = new Random(seed + number);
		const context = await app.profile({ viewport: { width: 1100, height: 3000 } });
		const tab = await app.open(context);
		// The inbox, which some keys create, outlasts an undo.
		await tab.press("Alt+Shift+i", "Control+,");
		await tab.row("Inbox").waitFor();
		const start = (await travelled(tab, "Control+z")).at(-1)!;
		await tab.write("x one", "  x two", "y");
		const typed: string[][] = [];
		for (let count = Number(process.env.OUTLINE_STEPS ?? 30); count > 0; count--) {
			const keys = random.pick(acts);
			typed.push(keys);
			await tab.press(...keys);
			if (random.happens(0.5)) await tab.idle();
			if (random.happens(0.3) && (await tab.dialog()) !== null) await tab.press("Escape");
		}
		const told = JSON.stringify(typed.map((keys) => keys.join(" ")));
		if ((await tab.dialog()) !== null) await tab.press("Escape");
		await tab.press("Escape", "Control+Shift+z");
		const end = await stateOf(tab);
		const back = await travelled(tab, "Control+z");
		expect(back.at(-1)!.stored, told).toEqual(start.stored);
		if (random.happens(0.5)) {
			await tab.reload();
		}
		const forth = await travelled(tab, "Control+y");
		expect(forth.at(-1)!.stored, told).toEqual(end.stored);
		expect(storedIn(forth.toReversed()), told).toEqual(storedIn(back));
		let place = 0;
		for (let times = 0; times < 4; times++) {
			const next = random.below(back.length);
			const key = next > place ? "Control+z" : "Control+y";
			await tab.press(...Array<string>(Math.abs(next - place)).fill(key));
			place = next;
			expect((await stateOf(tab)).stored, told).toEqual(back[place]!.stored);
		}
		const { shown } = await stateOf(tab);
		await tab.reload();
		expect((await stateOf(tab)).shown, told).toEqual(shown);
		expect(app.takeErrors().filter((error) => !error.startsWith("Applying inline style"))).toEqual([]);
	});
}
