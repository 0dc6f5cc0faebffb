import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { type LazyModule, type LoadingSteps, loadedAndPaced } from "../engine/lazy-module.js";
import type { Operation } from "../engine/protocol.js";

/** An operation whose arguments have been read and checked. It runs again for each attempt to commit it. */
export interface Prepared<T> {
	run(changes: Changes): Operation<T>;
	/** The number of new ids that it needs. Calendar nodes don't count. */
	newIds(): number;
	/**
	 * Loads the modules that the operation needs, and reads the rest of its arguments. If present, the writer
	 * calls it once, when it is the operation's turn, and awaits it before the operation runs.
	 *
	 * @throws `load_failed`; the errors of the arguments
	 */
	finish?(): Promise<void>;
}

/** For {@link Prepared.newIds}. */
export const noIds = () => 0;
export const oneId = () => 1;

/**
 * Prepares an operation whose arguments may be long or need modules. Reads them at once if they are short and
 * the modules are loaded. If not, `finish` reads them. Either way the operation keeps its place in the order
 * of calls.
 *
 * @param read - reads nothing that the caller can change after the call of `copy`
 * @param copy - copies the arguments if `finish` has to read them, because the caller may change them
 * meanwhile
 */
export function preparedFrom<T>(call: Call, read: () => LoadingSteps<Prepared<T>>, copy?: () => void): Prepared<T> {
	let reader = read();
	let missing: LazyModule<unknown> | undefined;
	while (call.atOnce.steps > 0 && missing === undefined) {
		const step = reader.next();
		if (step.done) return step.value;
		missing = step.value;
		call.atOnce.steps -= 1;
	}
	// Loading begins now, even if the operation has to wait for its turn. `finish` reports a failure.
	const loading = missing?.load();
	loading?.catch(() => {});
	if (copy !== undefined) {
		copy();
		reader = read();
	}
	let prepared: Prepared<T> | undefined;
	return {
		newIds: () => prepared!.newIds(),
		async finish() {
			await loading;
			prepared = await loadedAndPaced(reader);
			await prepared.finish?.();
		},
		run: (changes) => prepared!.run(changes),
	};
}
