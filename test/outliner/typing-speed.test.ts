import { expect, test } from "vitest";
import { Random } from "../conformance/random.js";
import { seed, soak } from "../setup/soak.js";
import { App, type Tab } from "./app.js";

const app = new App();

/** What is typed in each kind of sequence: keys, and texts letter by letter. */
const kinds = {
	rows: {
		keys: [
			..."a b c * Enter Enter Tab Shift+Tab Backspace Delete ArrowUp ArrowDown ArrowLeft ArrowRight Home End".split(
				" ",
			),
			..."Escape Shift+Enter Shift+ArrowUp Shift+ArrowDown Shift+ArrowLeft Shift+ArrowRight Control+a".split(" "),
			..."Control+Enter Control+b Control+i Control+d Control+ArrowUp Control+ArrowDown".split(" "),
			..."Control+Backspace Control+Delete Control+ArrowLeft Control+Shift+ArrowRight".split(" "),
			..."Alt+Shift+ArrowUp Alt+Shift+ArrowDown Control+Shift+Backspace".split(" "),
		],
		texts: ["**x** ", "`c` ", "*y* ", "see ", "- ", "[] ", "> ", "1 / 2 "],
	},
	// Without Escape, which forgets what was typed into a dialog meanwhile. Enter only begins a chunk: a dialog finds
	// only stored nodes.
	dialogs: {
		keys: "a b c / Backspace ArrowUp ArrowDown ArrowLeft ArrowRight Home End".split(" "),
		texts: ["/etc/hosts ", "1 / 2 ", "(( ", "[[ ", "((x", "[[y", "/todo", "see "],
	},
};

/** All that the user sees. Without the ids of new nodes, and elements without a text, which aren't stored. */
async function view(tab: Tab) {
	await tab.idle();
	const dialog = await tab.dialog();
	const rows = (await tab.rows()).map((row) =>
		row.replaceAll(/#\/[0-9a-f]{12}/g, "#").replaceAll(/<(b|i|s)><\/\1>/g, ""),
	);
	const notes = await tab.page.locator(".note").allTextContents();
	const query = dialog === null ? null : await tab.page.locator("dialog[open] input").first().inputValue();
	const styles = await tab.page.locator(".name :is(font, span, [style])").count();
	return { rows, notes, dialog, query, styles, selected: await tab.selected(), caret: await tab.caret() };
}

/** A tab with two rows. */
async function opened(): Promise<Tab> {
	const tab = await app.open(await app.profile());
	await tab.write("one", "two");
	return tab;
}

for (const [kind, { keys, texts }] of Object.entries(kinds)) {
	for (let number = 0; number < 4 * soak; number++) {
		test(`keys mean the same however fast they come: ${kind}, seed ${seed + number}`, async () => {
			const random = new Random(seed + number);
			const chunks = Array.from({ length: 5 }, () => {
				const typed = Array.from({ length: 1 + random.below(10) }, () =>
					random.happens(0.25) ? [...random.pick(texts)] : [random.pick(keys)],
				).flat();
				return kind === "dialogs" && random.happens(0.7) ? ["Enter", ...typed] : typed;
			});
			const [slow, fast] = [await opened(), await opened()];
			for (const key of chunks.flat()) {
				await slow.press(key);
				await slow.idle();
			}
			for (const chunk of chunks) {
				await fast.pressAtOnce(...chunk);
				if (kind === "dialogs") await fast.idle();
			}
			const [wanted, shown] = [await view(slow), await view(fast)];
			expect(shown, JSON.stringify(chunks)).toEqual(wanted);
			expect(wanted.styles).toBe(0);
			// A browser that types over a selection tries styles, which the page doesn't allow.
			expect(app.takeErrors().filter((error) => !error.startsWith("Applying inline style"))).toEqual([]);
		});
	}
}
