import { type IDBPDatabase, openDB } from "idb";
import { Outline } from "outlinekit";
import { createIndexedDbStorage } from "outlinekit/indexeddb";

const nodeName = (number: number) => `node ${number} of those that are created`.padEnd(40, "x");

type Durability = "strict" | "relaxed";
const outlines = new Map<Durability, Outline>();
let made = 0;
let bare: IDBPDatabase | undefined;

/** How many nodes a second are created one by one through an outline. */
export async function throughOutline(durability: Durability, count: number): Promise<number> {
	let outline = outlines.get(durability);
	if (outline === undefined) {
		outline = new Outline({ storage: createIndexedDbStorage(`bench-${durability}`, { durability }), timeZone: "UTC" });
		outlines.set(durability, outline);
	}
	const started = performance.now();
	for (let number = 0; number < count; number++) await outline.create({ name: nodeName(++made) });
	return (count * 1000) / (performance.now() - started);
}

/** How many a second idb adds, each a record with the indexes that an outline needs, in a transaction of its own. */
export async function throughIdb(durability: Durability, count: number): Promise<number> {
	bare ??= await openDB("bare", 1, {
		upgrade(database) {
			const store = database.createObjectStore("nodes", { keyPath: "id" });
			store.createIndex("short id", "shortId");
			store.createIndex("place", ["parentId", "priority"]);
			store.createIndex("revision", "revision");
		},
	});
	const started = performance.now();
	for (let number = 0; number < count; number++) {
		const id = crypto.randomUUID();
		const transaction = bare.transaction("nodes", "readwrite", { durability });
		void transaction.store.add({
			...{ id, shortId: id.slice(-12), parentId: "root", priority: -(2 ** 20) * ++made, name: nodeName(made) },
			...{ note: null, layoutMode: "bullets", createdAt: 1_795_219_200, modifiedAt: 1_795_219_200 },
			...{ completedAt: null, originId: null, revision: made },
		});
		await transaction.done;
	}
	return (count * 1000) / (performance.now() - started);
}
