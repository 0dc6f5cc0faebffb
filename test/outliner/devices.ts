import type { BrowserContextOptions } from "playwright-core";
import { afterEach, beforeEach, expect } from "vitest";
import type { RunningServer } from "../../adapters/cli/serve/server.js";
import { startFileServer } from "../support/file-server.js";
import { temporaryFolder } from "../support/temporary.js";
import type { App, Tab } from "./app.js";

/** Exchanges wait up to a few seconds after a failure. */
export const patience = { timeout: 30_000 };

/** A server with an outline of its own for each test of a file, and devices that are connected with it. */
export class Devices {
	readonly #app: App;
	#directory = "";
	/** The same for all servers of a file, so that browsers have the code already. */
	#port = 0;
	server!: RunningServer;

	constructor(app: App) {
		this.#app = app;
		app.losesRequests = true;
		beforeEach(async () => {
			this.#directory = temporaryFolder();
			await this.serve(this.#port);
			this.#port = Number(new URL(this.server.address).port);
		});
		afterEach(() => this.server.stop());
	}

	/** Starts the server, with the outline that it had before in this test. */
	async serve(port: number): Promise<void> {
		this.server = await startFileServer({ port, directory: this.#directory, apiKey: "a-key" });
		this.#app.address = `${this.server.address}/`;
	}

	/** Opens the link that the server prints, in a browser of its own. */
	async device(key = "a-key", options?: BrowserContextOptions): Promise<Tab> {
		return this.#app.open(options && (await this.#app.profile(options)), `#key=${key}`);
	}

	/** A device with rows that the server has too. */
	async deviceWith(...rows: string[]): Promise<Tab> {
		const tab = await this.device();
		await tab.write(...rows);
		await synced(tab);
		return tab;
	}

	/** Asks the server as another program does. */
	async request(method: string, path: string, body?: object): Promise<{ nodes: { id: string; name: string }[] }> {
		const response = await fetch(`${this.server.address}/api/v1${path}`, {
			method,
			headers: { authorization: "Bearer a-key", "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		return response.json() as never;
	}

	/** Returns the names at the top level of the server's outline. */
	async namesAtServer(): Promise<string[]> {
		return (await this.request("GET", "/nodes?parent_id=None")).nodes.map(({ name }) => name);
	}

	/** Two devices with conflicts: both have written another word for the last one of each row. */
	async withConflicts(...rows: string[]): Promise<readonly [Tab, Tab]> {
		const one = await this.deviceWith(...rows);
		const other = await this.device();
		for (const [tab, name] of [
			[one, "Bob"],
			[other, "Cleo"],
		] as const) {
			await offline(tab, true);
			await tab.press("Control+End");
			for (const _ of rows) {
				await tab.press("End", "Control+Shift+ArrowLeft");
				await tab.type(name);
				await tab.press("ArrowUp");
			}
			await tab.saved();
		}
		await offline(one, false);
		await synced(one);
		await offline(other, false);
		await one.page.waitForSelector(".sync-conflicts", patience);
		return [one, other];
	}
}

/** Takes the network away from a device, or gives it back. */
export function offline({ page }: Tab, isOffline: boolean): Promise<void> {
	return page.context().setOffline(isOffline);
}

/** The words of the sign in the header. */
export function sign({ page }: Tab): Promise<string> {
	return page.locator(".sync").innerText();
}

/** Waits until the server has everything. */
export async function synced(...tabs: Tab[]): Promise<void> {
	for (const { page } of tabs) await page.waitForSelector('.sync.sent[data-pending="0"]', patience);
}

/** Waits until the sign says something. */
export async function says(tab: Tab, words: RegExp | string): Promise<void> {
	await expect.poll(() => sign(tab), patience).toMatch(words);
}
