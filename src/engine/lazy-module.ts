import { OutlineError } from "../errors.js";
import { Pace } from "../pace.js";
import { within } from "./promises.js";

/** The longest time to load a module, in milliseconds, because callers can't wait for ever. */
const patience = 30_000;

const modules: LazyModule<unknown>[] = [];

/**
 * A module that is loaded by the first call that needs it, so that a page can show an outline sooner. An
 * operation names the modules that it needs before it runs: see `Prepared`. So the operation itself finds
 * them loaded.
 */
export class LazyModule<M> {
	readonly #title: string;
	readonly #import: () => Promise<M>;
	#loading: Promise<M> | undefined;
	#loaded: M | undefined;

	/** @param title - the subject of a sentence about it: "The reader of Markdown" */
	constructor(title: string, load: () => Promise<M>) {
		this.#title = title;
		this.#import = load;
		modules.push(this);
	}

	/** The module, or undefined if it isn't loaded. */
	get ifLoaded(): M | undefined {
		return this.#loaded;
	}

	/** The module, which has been loaded before. */
	get loaded(): M {
		if (this.#loaded === undefined)
			throw new Error(`${this.#title} isn't loaded. Name it among what the operation needs.`);
		return this.#loaded;
	}

	/** Returns the module. If it isn't loaded, yields itself first, and the caller loads it and continues. */
	*needed(): LoadingSteps<M> {
		if (this.#loaded === undefined) yield this;
		return this.loaded;
	}

	/**
	 * Loads the module once. After a failure, the next call tries again, and a module that was late may have
	 * arrived by then.
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

	#failure(problem: string, cause?: unknown): OutlineError {
		return new OutlineError(
			"load_failed",
			`${this.#title} ${problem}. It is a file of the program that is loaded when it is first needed. Check that the file can be reached, and try again. Some browsers try again only after the page is reloaded.`,
			{ cause },
		);
	}
}

/** Work in steps. Each step yields the module that has to be loaded before the next one, or nothing. */
export type LoadingSteps<T> = Generator<LazyModule<unknown> | undefined, T, unknown>;

/** Runs steps in slices of time, and loads their modules. @throws `load_failed`; the errors of the steps */
export async function loadedAndPaced<T>(steps: LoadingSteps<T>, pace = new Pace()): Promise<T> {
	for (;;) {
		if (pace.isDue) await pace.turn();
		const step = steps.next();
		if (step.done) return step.value;
		await step.value?.load();
	}
}

/** Loads every module that isn't loaded yet. @throws `load_failed` */
export async function loadAll(): Promise<void> {
	await Promise.all(modules.map((module) => module.load()));
}
