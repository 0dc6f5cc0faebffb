import type { Random } from "../../conformance/random.js";
import type { Tab } from "../app.js";

/** The hands of a user, in the row with the caret. */
interface Hand {
	readonly tab: Tab;
	/** The letter at the end of the user's own words. */
	readonly name: string;
	readonly random: Random;
	/** Returns a new word of the user. */
	readonly word: () => string;
	/** Notes that the user drops the words of a text. */
	readonly drop: (text: string) => void;
}

const mod = "Control";

/** Resolves when no user pastes any more. */
let pasted = Promise.resolve();

/** The acts of users, by name and weight. */
const acts: Record<string, readonly [weight: number, act: (hand: Hand) => Promise<void>]> = {
	"writes on": [
		10,
		async ({ tab, random, word }) => {
			await tab.press("End");
			await tab.page.keyboard.type(` ${word()}`, { delay: random.pick([0, 5, 30]) });
		},
	],
	"writes a row": [
		14,
		async ({ tab, random, word }) => {
			await tab.press("End", "Enter");
			await tab.page.keyboard.type(`${word()} ${word()}`, { delay: random.pick([0, 5, 30]) });
		},
	],
	"writes rows": [3, ({ tab, word }) => tab.type(`\n${word()}\n${word()}\n${word()}`)],
	"writes at the start": [
		3,
		async ({ tab, word }) => {
			await tab.press("Home");
			await tab.type(`${word()} `);
		},
	],
	"writes a note": [
		3,
		async ({ tab, word }) => {
			await tab.press("Shift+Enter");
			await tab.type(` ${word()}`);
		},
	],
	splits: [
		2,
		async ({ tab, name, word }) => {
			if (!(await isBehindOwn(tab, name))) return;
			await tab.press(`${mod}+ArrowLeft`, "Enter");
			await tab.type(`${word()} `);
		},
	],
	"joins with the row before": [2, ({ tab }) => tab.press("Home", "Backspace")],
	"deletes a word": [
		3,
		async ({ tab, name }) => {
			if (await isBehindOwn(tab, name)) await tab.press(`${mod}+Backspace`);
		},
	],
	indents: [8, ({ tab }) => tab.press("Tab")],
	outdents: [5, ({ tab }) => tab.press("Shift+Tab")],
	"moves up": [4, ({ tab }) => tab.press("Alt+Shift+ArrowUp")],
	"moves down": [4, ({ tab }) => tab.press("Alt+Shift+ArrowDown")],
	deletes: [5, ({ tab }) => tab.press(`${mod}+Shift+Backspace`)],
	completes: [3, ({ tab }) => tab.press(`${mod}+Enter`)],
	undoes: [5, ({ tab }) => tab.press(`${mod}+z`)],
	"undoes twice": [2, ({ tab }) => tab.press(`${mod}+z`, `${mod}+z`)],
	redoes: [3, ({ tab }) => tab.press(`${mod}+y`)],
	"zooms in": [2, ({ tab }) => tab.press(`${mod}+.`)],
	"zooms out": [4, ({ tab }) => tab.press(`${mod}+,`)],
	"unfolds or folds": [5, ({ tab }) => tab.press(`${mod}+Space`)],
	"deletes selected rows": [1, ({ tab }) => tab.press("Escape", "Shift+ArrowDown", "Backspace")],
	"indents selected rows": [2, ({ tab }) => tab.press("Escape", "Shift+ArrowDown", "Tab", "Enter")],
	"pastes a list": [
		3,
		({ tab, word }) => {
			// The profiles share one clipboard.
			pasted = pasted.then(() => tab.paste(`- ${word()}\n  - ${word()}\n  - ${word()}\n- ${word()}`));
			return pasted;
		},
	],
	duplicates: [1, ({ tab }) => tab.press(`${mod}+d`)],
	"mirrors a node": [
		2,
		async ({ tab, random }) => {
			await tab.press("End", "Enter");
			await tab.type("((");
			await choose(tab, `w${random.below(9) + 1}`);
		},
	],
	"links to a node": [
		2,
		async ({ tab, random }) => {
			await tab.press("End");
			await tab.type(" [[");
			await choose(tab, `w${random.below(9) + 1}`);
		},
	],
	"settles a conflict": [
		4,
		async ({ tab, random, drop }) => {
			if ((await tab.page.locator(".sync-conflicts").count()) === 0) return;
			await tab.page.click(".sync");
			// Elements and not locators: meanwhile, another conflict may come first.
			const conflict = await tab.page.locator(".conflicts li").first().elementHandle();
			const button = (await conflict!.$$("button"))[random.below(3)];
			if (await button?.isVisible()) {
				drop(await conflict!.innerText());
				await button!.click();
			}
			await tab.press("Escape");
		},
	],
	"puts back from the trash": [
		3,
		async ({ tab }) => {
			await tab.press(`${mod}+Shift+k`);
			await tab.type("trash\n");
			await tab.page.waitForSelector('dialog[aria-label="Trash"]');
			const button = tab.page.getByRole("button", { name: /^Put back/ }).first();
			if (await button.isVisible()) {
				await button.click();
				await tab.page.locator(".trash-said:not(:empty)").waitFor();
			}
			await tab.press("Escape");
		},
	],
};

/** Goes to the end of the text. Returns whether the last word is the user's: another may be half typed. */
async function isBehindOwn(tab: Tab, name: string): Promise<boolean> {
	await tab.press("End");
	return (await tab.caret())?.trimEnd().endsWith(`${name}|`) === true;
}

/** Chooses the first node that a text finds, in the open dialog. */
async function choose(tab: Tab, text: string): Promise<void> {
	await tab.type(text);
	await tab.press("Enter");
	// Without a hit it stays open.
	await tab.saved();
	if ((await tab.dialog()) !== null) await tab.press("Escape");
}

const names = Object.entries(acts).flatMap(([name, [weight]]) => new Array<string>(weight).fill(name));

/** Does something with the keyboard, in the field that has the caret. Returns its name. */
export async function act(hand: Hand): Promise<string> {
	const name = hand.random.pick(names);
	await acts[name]![1](hand);
	return name;
}
