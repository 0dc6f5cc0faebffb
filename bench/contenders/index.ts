import type { ContenderModule } from "../contender.ts";

/** Loads a contender by the name of its file in this folder, and with it nothing of the others. */
export async function loadContender(name: string): Promise<ContenderModule> {
	return (await import(`./${name}.ts`)) as ContenderModule;
}
