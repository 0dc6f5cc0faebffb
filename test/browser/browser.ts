import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type BrowserContext, type CDPSession, chromium, firefox, type Page, webkit } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { short } from "../setup/soak.js";

const engines = { chromium, firefox, webkit };

/** The engine of the browser: `npm run test:browsers` sets another one than Chromium. */
const engine = (process.env.OUTLINE_ENGINE ?? "chromium") as keyof typeof engines;

/** Whether the browser can be killed, and takes orders about its storage. */
export const isChromium = engine === "chromium";

const asRootOnLinux = process.platform === "linux" && process.getuid?.() === 0;

/** The exported functions of a page's module, called from the test, with arguments in JSON. */
type Functions<Module> = {
	readonly [Name in keyof Module as Module[Name] extends (...args: never[]) => unknown ? Name : never]: Module[Name];
};

type Call<Module, Name extends keyof Module> = Module[Name] extends (...args: infer Arguments) => infer Result
	? { readonly arguments: Arguments; readonly result: Promise<Awaited<Result>> }
	: never;

/** The orders to a Chromium that pages can't give. */
interface Control {
	readonly session: CDPSession;
	readonly pid: number;
}

/**
 * A browser with a profile of its own, and a server of one page. All its tabs share the profile and the origin. It
 * is the Chromium that `OUTLINE_QUICK_BROWSER` names in `npm test`, and else that of `OUTLINE_BROWSER`, unless
 * `OUTLINE_ENGINE` names another engine. Only Chromium can be killed, and takes orders about its storage.
 */
export class PageBrowser<Module> {
	/** Uncaught errors of pages, oldest first. */
	readonly errors: string[] = [];
	readonly #entry: URL;
	readonly #whole: boolean;
	#server: Server | undefined;
	#profile: string | undefined;
	#running: { readonly context: BrowserContext; readonly control?: Control } | undefined;

	/**
	 * The page's module is `entry`, a TypeScript file that may import the package by its public names. `Module`
	 * is its type. `whole` asks for a Chromium with its pages about itself, which takes longer to start.
	 */
	constructor(entry: URL, { whole = !short }: { readonly whole?: boolean } = {}) {
		this.#entry = entry;
		this.#whole = whole;
	}

	/** Where the page is served: the same for as long as the browser isn't closed. */
	get origin(): string {
		if (this.#server === undefined) throw new Error("The page isn't served yet: start the browser first.");
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	/** Starts the browser, or starts it again after {@link PageBrowser.kill} with the same profile. */
	async start(): Promise<void> {
		this.#server ??= await servePage(await bundle(this.#entry));
		this.#profile ??= await mkdtemp(join(tmpdir(), "outlinekit-browser-"));
		const context = await engines[engine].launchPersistentContext(this.#profile, launchOptions(this.#whole));
		context.on("weberror", (error) => this.errors.push(String(error.error().stack)));
		this.#running = isChromium ? { context, control: await controlOf(context, `${this.origin}/empty`) } : { context };
	}

	/** Opens the page in a tab of its own, which has a process of its own. */
	async open(): Promise<Tab<Module>> {
		const page = await this.#now.context.newPage();
		await page.goto(this.origin);
		return new Tab(page);
	}

	/** `SIGKILL` for the browser's main process, which takes every tab with it. The profile stays. */
	async kill(): Promise<void> {
		const { context } = this.#now;
		const { pid } = this.#control;
		const closed = new Promise((resolve) => context.once("close", resolve));
		process.kill(pid, "SIGKILL");
		await closed;
		this.#running = undefined;
	}

	/**
	 * Limits the storage of the origin, until a call without a number or the end of the browser. Lifting a
	 * limit works at once. Setting one works only before the first write of the browser: it measures the room,
	 * and uses that figure for half a minute. The browser compresses repetitive text before it counts it.
	 */
	async limitQuota(bytes?: number): Promise<void> {
		const { origin } = this;
		await this.#control.session.send("Storage.overrideQuotaForOrigin", {
			origin,
			...(bytes === undefined ? {} : { quotaSize: bytes }),
		});
	}

	/**
	 * Deletes a database while pages use it: closes their connections (`close`) without asking them
	 * (`versionchange`).
	 */
	async deleteDatabase(name: string): Promise<void> {
		await this.#control.session.send("IndexedDB.deleteDatabase", { securityOrigin: this.origin, databaseName: name });
	}

	/** Ends the browser and the server, and removes the profile. */
	async close(): Promise<void> {
		await this.#running?.context.close();
		this.#running = undefined;
		this.#server?.close();
		this.#server?.closeAllConnections();
		this.#server = undefined;
		// A browser that was killed may leave helpers that are still ending.
		if (this.#profile !== undefined) await rm(this.#profile, { recursive: true, force: true, maxRetries: 10 });
		this.#profile = undefined;
	}

	get #control(): Control {
		const { control } = this.#now;
		if (control === undefined) throw new Error(`Only Chromium takes this order, not ${engine}.`);
		return control;
	}

	get #now() {
		if (this.#running === undefined) throw new Error("The browser isn't running: start it first.");
		return this.#running;
	}
}

/** A {@link PageBrowser} that starts before the tests of the file, and ends after them. */
export class TestBrowser<Module> extends PageBrowser<Module> {
	constructor(...options: ConstructorParameters<typeof PageBrowser>) {
		super(...options);
		beforeAll(() => this.start());
		afterAll(() => this.close());
	}
}

/** A tab that shows the page. */
export class Tab<Module> {
	readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	/**
	 * Calls an exported function of the page's module. Its error becomes an `Error` with the page's message.
	 */
	call<Name extends keyof Functions<Module> & string>(
		name: Name,
		...args: Call<Module, Name>["arguments"]
	): Call<Module, Name>["result"] {
		const call = ([name, args]: readonly [string, readonly unknown[]]) =>
			(globalThis as unknown as { page: Record<string, (...args: readonly unknown[]) => unknown> }).page[name]!(
				...args,
			);
		return this.page.evaluate(call, [name, args] as const) as Call<Module, Name>["result"];
	}

	/** Crashes the process of the tab; other tabs live on. Calls under way reject. */
	async crash(): Promise<void> {
		const crashed = new Promise((resolve) => this.page.once("crash", resolve));
		const session = await this.page.context().newCDPSession(this.page);
		// The request has no answer, because the tab has crashed.
		session.send("Page.crash").catch(() => undefined);
		await crashed;
		await this.page.close();
	}

	/** Closes the tab as a user does. */
	async close(): Promise<void> {
		await this.page.close();
	}
}

/** The options with which the engine starts. */
function launchOptions(whole: boolean) {
	if (engine === "firefox" && process.env.OUTLINE_FIREFOX) {
		return { channel: "moz-firefox", executablePath: process.env.OUTLINE_FIREFOX };
	}
	if (!isChromium) return {};
	const variable = whole ? "OUTLINE_BROWSER" : "OUTLINE_QUICK_BROWSER";
	const executablePath = process.env[variable];
	if (executablePath === undefined) {
		throw new Error(`${variable} isn't set. The browser project of vitest.config.ts sets it: npm run test:browser.`);
	}
	return {
		executablePath,
		chromiumSandbox: !asRootOnLinux,
		args: [
			"--disable-gpu",
			"--in-process-gpu",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
			"--no-first-run",
		],
	};
}

/**
 * Opens a tab that shows no page of the test. Its session receives orders and holds the quota, which ends with it.
 */
async function controlOf(context: BrowserContext, address: string): Promise<Control> {
	const tab = context.pages()[0] ?? (await context.newPage());
	await tab.goto(address);
	const session = await context.newCDPSession(tab);
	const wide = await context.browser()!.newBrowserCDPSession();
	const { processInfo } = await wide.send("SystemInfo.getProcessInfo");
	return { session, pid: processInfo.find(({ type }) => type === "browser")!.id };
}

async function bundle(entry: URL): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(entry)],
		bundle: true,
		write: false,
		format: "esm",
		target: "es2023",
		// Its paths map the public names to sources.
		tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)),
	});
	return outputFiles[0]!.text;
}

async function servePage(script: string): Promise<Server> {
	const html = (body: string) => ["text/html", `<!doctype html><title>outlinekit</title>${body}`] as const;
	const files: Record<string, readonly [type: string, body: string]> = {
		"/": html(`<script type="module">import * as page from "/page.js"; globalThis.page = page;</script>`),
		"/empty": html(""),
		"/page.js": ["text/javascript", script],
	};
	const server = createServer((request, response) => {
		const file = files[request.url ?? ""];
		if (file === undefined) {
			response.writeHead(404).end();
			return;
		}
		const [type, body] = file;
		response.setHeader("content-type", `${type}; charset=utf-8`).end(body);
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject).listen(0, "127.0.0.1", resolve);
	});
	return server;
}
