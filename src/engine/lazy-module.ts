import { OutlineError } from "../errors.js";
import type { Reading } from "./protocol.js";
import { within } from "./timer.js";

/** How long a module may take, in milliseconds: what waits for it can't wait for ever. */
const patience = 30_000;

/** Every one there is. */
const modules: LazyModule<unknown>[] = [];

/**
 * A module that is loaded when it is first needed: what a page needs to show an outline is there sooner without it. Once it is
 * loaded, it is as if it had been imported.
 */
export class LazyModule<M> {
	readonly #what: string;
	readonly #import: () => Promise<M>;
	#loading: Promise<M> | undefined;
	#loaded: M | undefined;

	/** @param what - what the module does, as the beginning of a sentence: "What reads Markdown" */
	constructor(what: string, load: () => Promise<M>) {
		this.#what = what;
		this.#import = load;
		modules.push(this);
	}

	/**
	 * The module, for who can't wait.
	 *
	 * @throws NotLoaded if it isn't loaded yet
	 */
	get now(): M {
		if (this.#loaded === undefined) throw new NotLoaded(this);
		return this.#loaded;
	}

	/** The module, for a reading: whoever runs the reading waits for it. */
	*get(): Reading<M> {
		if (this.#loaded === undefined) yield this.load();
		return this.now;
	}

	/**
	 * Loads the module, once. What failed is tried again the next time, and what was late may have come by then.
	 *
	 * @throws `load_failed`
	 */
	load(): Promise<M> {
		this.#loading ??= this.#load().catch((error: unknown) => {
			this.#loading = undefined;
			throw error;
		});
		return this.#loading;
	}

	#load(): Promise<M> {
		const loaded = this.#import().then(
			(module) => {
				this.#loaded = module;
				return module;
			},
			(error: unknown) => {
				throw this.#failure("couldn't be loaded", error);
			},
		);
		return within(patience, loaded, () => this.#failure(`takes longer than ${patience / 1000} seconds to load`));
	}

	#failure(what: string, cause?: unknown): OutlineError {
		return new OutlineError(
			"load_failed",
			`${this.#what} ${what}. It is a file of the program that is fetched when it is first needed: see that it can be reached, and try again. Some browsers try again only when the page is loaded anew.`,
			{ cause },
		);
	}
}

/** Loads every module that isn't loaded yet. @throws `load_failed` */
export async function loadAll(): Promise<void> {
	await Promise.all(modules.map((module) => module.load()));
}

/** Says that something has to wait for a module. It never leaves the package. */
export class NotLoaded extends Error {
	readonly module: LazyModule<unknown>;

	constructor(module: LazyModule<unknown>) {
		super("A module isn't loaded yet.");
		this.module = module;
	}
}
