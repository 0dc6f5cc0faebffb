import type { StorageAdapter } from "../../src/storage.js";
import { AssertionError, fail } from "./assertion.js";
import { Ledger } from "./ledger.js";
import type { ConformanceOptions, Sizes } from "./options.js";

// Not ECMAScript, but every host has it.
declare function setTimeout(callback: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** The options of a suite that each test needs, with all defaults filled in. */
export interface TrialSettings {
	readonly create: ConformanceOptions["create"];
	readonly sizes: Sizes;
	readonly random: { readonly seed: number; readonly commits: number; readonly sequences: number };
	readonly patience: number;
}

/** The outline of one test, and every storage that the test opens on it. */
export class Trial {
	readonly #settings: TrialSettings;
	readonly #name = uniqueName();
	readonly #opened: StorageAdapter[] = [];
	readonly #others: Trial[] = [];

	constructor(settings: TrialSettings) {
		this.#settings = settings;
	}

	get sizes(): Sizes {
		return this.#settings.sizes;
	}

	get random(): TrialSettings["random"] {
		return this.#settings.random;
	}

	/** Opens a storage on this test's outline: again, or in addition to open ones. */
	async open(): Promise<StorageAdapter> {
		const storage = await this.#settings.create(this.#name);
		this.#opened.push(storage);
		return storage;
	}

	/** Returns a trial with another, empty outline. */
	another(): Trial {
		const other = new Trial(this.#settings);
		this.#others.push(other);
		return other;
	}

	/** Returns a new storage on this test's outline, together with the records that it must have: none yet. */
	async ledger(): Promise<Ledger> {
		return new Ledger(await this.open());
	}

	/** Closes the storage of a ledger and opens another one on the same data. */
	async reopen(ledger: Ledger): Promise<void> {
		await this.within(ledger.storage.close(), "closing");
		ledger.storage = await this.open();
	}

	/** Resolves like a promise. Fails if that takes too long. */
	async within<T>(promise: PromiseLike<T>, what: string): Promise<T> {
		const { patience } = this.#settings;
		let timer: unknown;
		const late = new Promise<never>((_, reject) => {
			timer = setTimeout(() => {
				reject(new AssertionError(`${what} took longer than ${patience} ms`));
			}, patience);
		});
		try {
			return await Promise.race([promise, late]);
		} finally {
			clearTimeout(timer);
		}
	}

	/** Waits until the condition is true. Fails if that takes too long. */
	async until(condition: () => boolean, what: string): Promise<void> {
		const { patience } = this.#settings;
		const start = Date.now();
		while (!condition()) {
			if (Date.now() - start > patience) fail(`${what}: it hasn't come about within ${patience} ms`);
			await turn();
		}
	}

	/** Closes all open storages. */
	async end(): Promise<void> {
		for (const storage of this.#opened.splice(0)) await this.within(storage.close(), "closing");
		for (const other of this.#others.splice(0)) await other.end();
	}
}

/** Returns a promise whose rejection may be ignored if the test ends before it looks. */
export function handled<T>(promise: Promise<T>): Promise<T> {
	promise.catch(() => {});
	return promise;
}

/** Waits until all work that is due has had its turn. */
export function turn(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, 1));
}

let names = 0;
const run = Math.floor(Math.random() * 2 ** 40).toString(36);

function uniqueName(): string {
	names += 1;
	return `conformance-${run}-${names}`;
}
