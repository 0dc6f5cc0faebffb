import type { BrowserContext, CDPSession, Page } from "playwright-core";

/** A profile that several tests use, emptied before each. */
export class UsualProfile {
	readonly context: BrowserContext;
	/** The page that is there as long as the profile, with nothing in it. */
	readonly #blank: Page;
	readonly #session: CDPSession;

	private constructor(context: BrowserContext, blank: Page, session: CDPSession) {
		this.context = context;
		this.#blank = blank;
		this.#session = session;
	}

	static async open(context: BrowserContext): Promise<UsualProfile> {
		const blank = await context.newPage();
		return new UsualProfile(context, blank, await context.newCDPSession(blank));
	}

	async clear(origin: string): Promise<void> {
		const pages = this.context.pages().filter((page) => page !== this.#blank);
		await Promise.all(pages.map((page) => page.close()));
		await Promise.all([this.context.clearPermissions(), this.context.setOffline(false)]);
		await this.#session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
	}
}
