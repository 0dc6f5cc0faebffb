import { vi } from "vitest";
import { LazyModule } from "../../src/engine/lazy-module.js";

/** What a test decides about the modules that are loaded on first use. */
export interface UnloadedModules {
	/** How many have been loaded since they were forgotten. */
	readonly count: number;
	/** Makes all of them ones that aren't loaded. */
	forget(): void;
	/** What each waits for that is loaded from now on. */
	wait(until: Promise<unknown>): void;
}

/** Has modules loaded as if a page had just been opened, as often as a test says so; until mocks are restored. */
export function unloadedModules(): UnloadedModules {
	const loaded = new Map<LazyModule<unknown>, unknown>();
	let waiting: Promise<unknown> = Promise.resolve();
	const { load } = LazyModule.prototype;
	const loading = new Map<LazyModule<unknown>, Promise<unknown>>();
	vi.spyOn(LazyModule.prototype, "load").mockImplementation(function (this: LazyModule<unknown>) {
		const begin = async () => {
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
		forget: () => loaded.clear(),
		wait(until) {
			waiting = until;
		},
	};
}
