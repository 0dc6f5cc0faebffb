import type { Contender, Synced } from "../contender.ts";

/** The exports of a contender's module. */
interface ContenderModule<C> {
	/**
	 * Opens the data in a directory, which is empty at first. If a contender has variants, opens one of them.
	 */
	open(directory: string, variant: string): C | Promise<C>;
}

/**
 * Loads a contender, without the code of the others, and returns the function that opens it.
 *
 * @param name - the name of its file in this folder, and behind a colon a variant, if it comes in several
 */
export async function loadContender<C extends Synced = Contender>(
	name: string,
): Promise<(directory: string) => Promise<C>> {
	const [file, variant = ""] = name.split(":");
	const { open } = (await import(`./${file}.ts`)) as ContenderModule<C>;
	return async (directory) => open(directory, variant);
}
