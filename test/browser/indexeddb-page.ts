/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="dom.asynciterable" />

import { Outline } from "outlinekit";
import { createIndexedDbStorage, type IndexedDbStorage, type IndexedDbStorageOptions } from "outlinekit/indexeddb";

/** The outcome of an operation. */
export type Outcome = "ok" | { readonly code: string | undefined; readonly message: string };

/** Set from outside: called for each acknowledged commit. */
declare const acknowledged: (name: string) => Promise<void>;

const connections: IDBDatabase[] = [];
let closed = 0;
let storage: IndexedDbStorage;
let outline: Outline;

const openRequest = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (...args) {
	const request = openRequest.apply(this, args);
	request.addEventListener("success", () => {
		connections.push(request.result);
		request.result.addEventListener("close", () => {
			closed += 1;
		});
	});
	return request;
};

/** Makes an outline on a storage of its own. */
export function open(name: string, options: IndexedDbStorageOptions = {}): void {
	storage = createIndexedDbStorage(name, options);
	outline = new Outline({ storage, timeZone: "UTC" });
}

/** Closes it. */
export async function close(): Promise<void> {
	await outline.close();
}

/** Creates nodes, all at once. */
export function create(names: readonly string[], parent: string | null = null): Promise<Outcome[]> {
	return Promise.all(names.map((name) => outcome(outline.create({ name, parent, position: "bottom" }))));
}

/** Creates a node whose note can't be compressed. */
export function createLarge(name: string, length: number): Promise<Outcome> {
	return outcome(outline.create({ name, note: noise(length) }));
}

/** Creates nodes with notes of a character each, in one commit. */
export function createLong(count: number, length: number, character: string): Promise<Outcome> {
	const note = character.repeat(length);
	return outcome(
		outline.batch(Array.from({ length: count }, (_, number) => ({ type: "create", name: `${number}`, note }))),
	);
}

/** The total length of the notes of all nodes. */
export async function lengthOfNotes(): Promise<number> {
	let length = 0;
	for await (const { note } of outline.export()) length += note?.length ?? 0;
	return length;
}

/** Creates nodes one after the other, for ever, and tells outside of each that is acknowledged. */
export async function createEndlessly(prefix: string): Promise<void> {
	for (let count = 0; ; count++) {
		await Promise.all(
			[0, 1, 2].map(async (place) => {
				const name = `${prefix} ${count} ${place}`;
				await outline.create({ name });
				await acknowledged(name);
			}),
		);
	}
}

/** Creates nodes one after the other without a pause, for ever. */
export async function createWithoutPause(name: string): Promise<void> {
	for (;;) await outline.create({ name });
}

/** The names of all nodes, in alphabetic order. */
export async function names(): Promise<string[]> {
	const found: string[] = [];
	for await (const { name } of outline.export()) found.push(name);
	return found.sort();
}

/** The result of a read. */
export function look(): Promise<Outcome> {
	return outcome(outline.list());
}

/** Resolves when there are so many nodes at the top level, as this tab knows. */
export async function sees(count: number): Promise<void> {
	await new Promise<void>((resolve) => {
		const check = async () => {
			if ((await outline.list()).nodes.length >= count) resolve();
		};
		outline.subscribe(check);
		void check();
	});
}

/** The number of connections that the browser has closed. */
export function connectionsLost(): number {
	return closed;
}

/** Closes every connection behind the storage's back, as some browsers do. */
export function closeConnections(): void {
	for (const connection of connections.splice(0)) connection.close();
}

/** Deletes the database, as any page of the origin may. Resolves with whether a connection blocked it. */
export function deleteDatabase(name: string): Promise<boolean> {
	return new Promise((resolve, reject) => {
		let blocked = false;
		const request = indexedDB.deleteDatabase(`outlinekit:${name}`);
		request.onblocked = () => {
			blocked = true;
		};
		request.onsuccess = () => resolve(blocked);
		request.onerror = () => reject(request.error);
	});
}

/** Opens a newer version of the database. Resolves with whether a connection blocked it. */
export function upgradeDatabase(name: string): Promise<boolean> {
	return new Promise((resolve, reject) => {
		let blocked = false;
		const request = openRequest.call(indexedDB, `outlinekit:${name}`, 99);
		request.onblocked = () => {
			blocked = true;
		};
		request.onsuccess = () => {
			request.result.close();
			resolve(blocked);
		};
		request.onerror = () => reject(request.error);
	});
}

/** The names of the databases. */
export async function databases(): Promise<(string | undefined)[]> {
	return (await indexedDB.databases()).map(({ name }) => name);
}

/** The keys of the journal, and how many blocks the snapshot has. */
export async function stored(name: string): Promise<{ journal: IDBValidKey[]; blocks: number }> {
	const database = await answer(openRequest.call(indexedDB, `outlinekit:${name}`));
	const transaction = database.transaction(["journal", "blocks"]);
	const [journal, blocks] = await Promise.all([
		answer(transaction.objectStore("journal").getAllKeys()),
		answer(transaction.objectStore("blocks").count()),
	]);
	database.close();
	return { journal, blocks };
}

/** The browser's estimate of the room. */
export async function room(): Promise<{ persisted: boolean; persist: boolean; usage: number; quota: number }> {
	const { usage, quota } = await storage.estimate();
	return { persisted: await storage.persisted(), persist: await storage.persist(), usage: usage!, quota: quota! };
}

async function outcome(promise: Promise<unknown>): Promise<Outcome> {
	try {
		await promise;
		return "ok";
	} catch (error) {
		const { code, message } = error as { code?: string; message: string };
		return { code, message };
	}
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});
}

function noise(length: number): string {
	let text = "";
	while (text.length < length) {
		const bytes = crypto.getRandomValues(new Uint8Array(30_000));
		text += Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
	}
	return text.slice(0, length);
}
