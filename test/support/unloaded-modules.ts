import { vi } from "vitest";
import { LazyModule } from "../../src/engine/lazy-module.js";

/** The control of a test over modules that load on first use. */
export interface UnloadedModules {
	/** The number of modules loaded since `forget`. */
	readonly count: number;
	/** Returns how often a module began to load. */
	attempts(module: LazyModule<unknown>): number;
	/** Makes all of them ones that aren't loaded. */
	forget(): void;
	/** Lets modules that load from now on wait for a promise. */
	wait(until: Promise<unknown>): void;
}

/** Lets modules load as if a page had just been opened, at each `forget`, until mocks are restored. */
export function unloadedModules(): UnloadedModules {
	const loaded = new Map<LazyModule<unknown>, unknown>();
	const attempts = new Map<LazyModule<unknown>, number>();
	let waiting: Promise<unknown> = Promise.resolve();
	const { load } = LazyModule.prototype;
	const loading = new Map<LazyModule<unknown>, Promise<unknown>>();
	vi.spyOn(LazyModule.prototype, "load").mockImplementation(function (this: LazyModule<unknown>) {
		const begin = async () => {
			attempts.set(this, (attempts.get(this) ?? 0) + 1);
			await waiting;
			const module = await load.call(this);
			loaded.set(this, module);
			return module;
		};
		const begun = loading.get(this) ?? begin().finally(() => loading.delete(this));
		loading.set(this, begun);
		return begun;
	});
	vi.spyOn(LazyModule.prototype, "ifLoaded", "get").mockImplementation(function (this: LazyModule<unknown>) {
		return loaded.get(this);
	});
	vi.spyOn(LazyModule.prototype, "loaded", "get").mockImplementation(function (this: LazyModule<unknown>) {
		if (!loaded.has(this)) throw new Error("An operation uses a module that it hasn't named among its needs.");
		return loaded.get(this);
	});
	vi.spyOn(LazyModule.prototype, "needed").mockImplementation(function* (this: LazyModule<unknown>) {
		if (!loaded.has(this)) yield this;
		return this.loaded;
	});
	return {
		get count() {
			return loaded.size;
		},
		attempts: (module) => attempts.get(module) ?? 0,
		forget: () => loaded.clear(),
		wait(until) {
			waiting = until;
		},
	};
}
