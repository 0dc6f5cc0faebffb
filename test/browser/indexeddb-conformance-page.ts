import { storageConformance } from "outlinekit/conformance";
import { createIndexedDbStorage } from "outlinekit/indexeddb";

const cases = new Map<string, () => Promise<void>>();
storageConformance({
	test: (name, run) => cases.set(name, run),
	create: (name) => createIndexedDbStorage(name),
	traits: { durable: true, multiProcess: true, watch: true, peek: true },
});

/** Runs a test of the conformance suite. */
export async function run(name: string): Promise<void> {
	await cases.get(name)!();
}
