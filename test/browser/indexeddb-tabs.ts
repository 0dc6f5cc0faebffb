import { afterEach, expect } from "vitest";
import { type Tab, TestBrowser } from "./browser.js";
import type * as page from "./indexeddb-page.js";

export type Page = typeof page;

type Options = Parameters<Page["open"]>[1];

/** A browser whose tabs hold outlines in IndexedDB, for the tests of one file. Closes the tabs after each test. */
export class OutlineTabs {
	readonly browser: TestBrowser<Page>;
	#tabs: Tab<Page>[] = [];

	/** Starts before the tests of the file. `whole` is a Chromium with its pages about itself. */
	constructor(options?: { readonly whole: boolean }) {
		this.browser = new TestBrowser<Page>(new URL("./indexeddb-page.ts", import.meta.url), options);
		afterEach(async () => {
			for (const tab of this.#tabs.splice(0)) if (!tab.page.isClosed()) await tab.close();
			// Neither a refused commit nor a lost connection may surface as an unhandled rejection.
			expect(this.browser.errors).toEqual([]);
		});
	}

	/** A tab with an outline of this name. */
	async open(name: string, options?: Options): Promise<Tab<Page>> {
		const tab = await this.browser.open();
		this.#tabs.push(tab);
		await tab.call("open", name, ...(options === undefined ? [] : ([options] as const)));
		return tab;
	}

	/** The names of the nodes that are stored, as a new tab finds them. */
	async storedNames(name: string): Promise<string[]> {
		return (await this.open(name)).call("names");
	}

	/** Kills the browser with all tabs, and starts it again. */
	async killBrowser(): Promise<void> {
		await this.browser.kill();
		this.#tabs = [];
		await this.browser.start();
	}
}

export function numbered(prefix: string, count: number): string[] {
	return Array.from({ length: count }, (_, number) => `${prefix} ${number}`);
}
