import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { type LazyModule, type LoadingSteps, loadedAndPaced } from "../engine/lazy-module.js";
import type { Operation } from "../engine/protocol.js";
import type { Pace } from "../pace.js";

/** An operation whose arguments have been read and checked. It runs again for each attempt to commit it. */
export interface Prepared<T> {
	run(changes: Changes): Operation<T>;
	/**
	 * The number of ids that a batch reserves for it: one for each node that it makes of its arguments. The ids of
	 * copies and of calendar nodes are drawn while it runs.
	 */
	newIds(): number;
	/**
	 * Loads the modules that the operation needs, and reads the rest of its arguments. If present, the writer
	 * calls it once, when it is the operation's turn, and awaits it before the operation runs.
	 *
	 * @param pace - the pace of the write: a batch has many operations that are short by themselves
	 * @throws `load_failed`; the errors of the arguments
	 */
	finish?(pace: Pace): Promise<void>;
}

/** For {@link Prepared.newIds}. */
export const noIds = () => 0;
export const oneId = () => 1;

/**
 * Prepares an operation whose arguments may be long or need modules. Reads them at once if they are short and
 * the modules are loaded. If not, `finish` reads the rest. Either way the operation keeps its place in the
 * order of calls.
 *
 * @param copy - copies the arguments that aren't read yet, because the caller may change them meanwhile, and
 * returns the steps that read the copies. Needed only for arguments that are objects
 */
export function preparedFrom<T>(
	call: Call,
	read: () => LoadingSteps<Prepared<T>>,
	copy?: () => LoadingSteps<Prepared<T>>,
): Prepared<T> {
	const reader = read();
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
	const rest = copy === undefined ? reader : copy();
	let prepared: Prepared<T> | undefined;
	return {
		newIds: () => prepared!.newIds(),
		async finish(pace) {
			await loading;
			prepared = await loadedAndPaced(rest, pace);
			await prepared.finish?.(pace);
		},
		run: (changes) => prepared!.run(changes),
	};
}
