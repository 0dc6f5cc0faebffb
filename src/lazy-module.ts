import { OutlineError } from "./errors.js";
import type { Reading } from "./operation.js";

/**
 * A module that is loaded when it is first needed: what a page needs to show an outline is there sooner without it. Once it is
 * loaded, it is as if it had been imported.
 */
export class LazyModule<M> {
	readonly #what: string;
	readonly #load: () => Promise<M>;
	#loading: Promise<M> | undefined;
	#loaded: M | undefined;

	/** @param what - what the module does, for people: "what reads Markdown" */
	constructor(what: string, load: () => Promise<M>) {
		this.#what = what;
		this.#load = load;
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
		if (this.#loaded === undefined) yield this;
		return this.now;
	}

	/** Loads the module, once. What failed is tried again the next time. @throws `load_failed` */
	load(): Promise<M> {
		this.#loading ??= this.#load().then(
			(module) => {
				this.#loaded = module;
				return module;
			},
			(error: unknown) => {
				this.#loading = undefined;
				throw new OutlineError(
					"load_failed",
					`${this.#what} couldn't be loaded. It is a file of the package that is fetched when it is first needed: see that the page can reach it, and try again.`,
					{ cause: error },
				);
			},
		);
		return this.#loading;
	}
}

/** Says that something has to wait for a module. It never leaves the package. */
export class NotLoaded extends Error {
	readonly module: LazyModule<unknown>;

	constructor(module: LazyModule<unknown>) {
		super("A module isn't loaded yet.");
		this.module = module;
	}
}
