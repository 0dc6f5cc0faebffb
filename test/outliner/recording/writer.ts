import { expect } from "vitest";
import { type Tab, writing } from "../app.js";

/** A clock that all tabs of a session share. */
export interface SessionClock {
	/** Lets time pass, in milliseconds. */
	pass(milliseconds: number): Promise<void>;
}

/**
 * A user of one tab. Time passes with each key, as with a person at a keyboard. Each key has its effect
 * before the next one, so a session makes the same calls each time.
 */
export class Writer {
	readonly #clock: SessionClock;
	readonly #word: () => string;

	constructor(
		readonly tab: Tab,
		clock: SessionClock,
		word: () => string,
	) {
		this.#clock = clock;
		this.#word = word;
	}

	/** Presses keys one after the other. */
	async press(...keys: string[]): Promise<void> {
		for (const key of keys) {
			await this.#clock.pass(180);
			await this.tab.press(key);
			await this.settled();
		}
	}

	/** Types a text by its characters. Each `{}` becomes a word that is nowhere else. */
	async type(text: string): Promise<void> {
		for (const character of text.replaceAll("{}", () => this.#word())) await this.press(character);
	}

	/** Thinks for some seconds: what follows is another step of undo. */
	async pause(seconds = 3): Promise<void> {
		await this.#clock.pass(seconds * 1000);
	}

	/** Writes rows that are indented by two spaces a level, from where the caret is. */
	async rows(...lines: string[]): Promise<void> {
		for (const { keys, text } of writing(lines)) {
			for (const key of keys) await this.press(key);
			await this.type(text);
			await this.pause(1);
		}
	}

	/** Goes down from the first row to the first row that begins with a text, and to its end. */
	async go(start: string, occurrence = 1): Promise<void> {
		await this.tab.press("Control+Home");
		let found = 0;
		for (let steps = 0; steps < 100; steps++) {
			const { field, text } = await this.#focused();
			if (field === "name" && text.startsWith(start)) found += 1;
			if (found === occurrence) {
				await this.tab.press("End");
				await this.settled();
				return;
			}
			await this.tab.press("ArrowDown");
		}
		throw new Error(`There is no row "${start}" among ${(await this.tab.rows()).join(" / ")}`);
	}

	/** Goes to the row with a number, as they show. */
	async goToRow(index: number): Promise<void> {
		await this.tab.press("Control+Home");
		for (let step = 0; step < index; step++) await this.tab.press("ArrowDown");
		await this.settled();
	}

	/** Selects so many rows from the one with the caret. */
	async select(count: number): Promise<void> {
		await this.press("Escape");
		for (let row = 1; row < count; row++) await this.press("Shift+ArrowDown");
	}

	/** Pastes a text. Each `{}` becomes a word that is nowhere else. */
	async paste(text: string): Promise<void> {
		await this.pause();
		await this.tab.paste(text.replaceAll("{}", () => this.#word()));
		await this.settled();
	}

	/** Runs a command by the palette. */
	async command(label: string): Promise<void> {
		await this.press("Control+Shift+k");
		await this.tab.page.fill("dialog input", label);
		await expect.poll(async () => (await this.tab.choices())[0]).toBe(`› ${label}`);
		await this.press("Enter");
	}

	/** Chooses in the open dialog the first node that a text finds. */
	async choose(text: string): Promise<void> {
		await this.tab.page.fill("dialog input", text);
		await expect.poll(async () => (await this.tab.choices())[0]?.slice(2)).toMatch(new RegExp(`^${text}`));
		await this.press("Enter");
		await expect.poll(() => this.tab.dialog()).toBe(null);
		await this.settled();
	}

	/** Imports a file. Each `{}` becomes a word that is nowhere else. */
	async import(name: string, text: string): Promise<void> {
		await this.press("Control+s");
		await this.tab.page.getByRole("tab", { name: "Import" }).click();
		const buffer = Buffer.from(text.replaceAll("{}", () => this.#word()));
		await this.tab.page.locator("input[type=file]").setInputFiles({ name, mimeType: "", buffer });
		await this.tab.page.getByText("imported.").waitFor();
		await this.press("Escape");
	}

	/** Waits until the last key has had its effect. */
	async settled(): Promise<void> {
		// The key may only have begun what then shows as unsaved.
		await this.tab.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 3)));
		await this.tab.saved();
	}

	async #focused(): Promise<{ field: string | undefined; text: string }> {
		return this.tab.page.evaluate(() => {
			const { dataset, textContent } = document.activeElement as HTMLElement;
			return { field: dataset.field, text: textContent.replaceAll("\u200b", "") };
		});
	}
}
