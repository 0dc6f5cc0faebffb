import type { StorageAdapter } from "../../src/storage.js";

/** A storage whose notices have only the revision. The test can delay them. */
export function heldNotices(storage: StorageAdapter): { terse: StorageAdapter; hold: () => void; letGo: () => void } {
	const held: (() => void)[] = [];
	let holding = false;
	return {
		terse: {
			...bound(storage),
			watch: (listener) =>
				storage.watch!(({ revision }) => {
					if (holding) held.push(() => listener({ revision }));
					else listener({ revision });
				}),
		},
		hold: () => {
			holding = true;
		},
		letGo: () => {
			holding = false;
			for (const each of held.splice(0)) each();
		},
	};
}

/** The methods of a storage that every storage has. */
export function bound(storage: StorageAdapter): StorageAdapter {
	return {
		read: (queries) => storage.read(queries),
		commit: (batch) => storage.commit(batch),
		scan: () => storage.scan(),
		close: () => storage.close(),
	};
}
