import type { CDPSession, Page } from "playwright-core";

/** The thread of a page in which its code runs and its frames are made. */
export class MainThread {
	readonly #session: CDPSession;

	private constructor(session: CDPSession) {
		this.#session = session;
	}

	static async of(page: Page): Promise<MainThread> {
		const session = await page.context().newCDPSession(page);
		await session.send("Performance.enable", { timeDomain: "threadTicks" });
		return new MainThread(session);
	}

	/** The milliseconds of the processor that this thread takes while a function runs. */
	async time(work: () => Promise<unknown>): Promise<number> {
		const begun = await this.#taken();
		await work();
		return (await this.#taken()) - begun;
	}

	/** The megabytes of the heap that are in use. */
	async heap(): Promise<number> {
		await this.#session.send("HeapProfiler.collectGarbage");
		return (await this.#session.send("Runtime.getHeapUsage")).usedSize / 1e6;
	}

	async #taken(): Promise<number> {
		const { metrics } = await this.#session.send("Performance.getMetrics");
		return metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
	}
}
