import type { Contender } from "../contender.ts";

/** What the module of a contender exports. */
interface ContenderModule {
	/**
	 * Opens what is in a directory, which is empty at first. Of a contender that comes in variants, one of them.
	 */
	open(directory: string, variant: string): Contender | Promise<Contender>;
}

/**
 * Loads a contender, and with it nothing of the others, and gives what opens it.
 *
 * @param name - the name of its file in this folder, and behind a colon a variant, if it comes in several
 */
export async function loadContender(name: string): Promise<(directory: string) => Promise<Contender>> {
	const [file, variant = ""] = name.split(":");
	const { open } = (await import(`./${file}.ts`)) as ContenderModule;
	return async (directory) => open(directory, variant);
}
