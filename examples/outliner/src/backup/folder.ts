import { backupName } from "./thinning.js";

/** A folder with the methods that only some browsers have, so that TypeScript doesn't know them. */
export interface Folder extends FileSystemDirectoryHandle {
	queryPermission(descriptor: { readonly mode: "readwrite" }): Promise<PermissionState>;
	requestPermission(descriptor: { readonly mode: "readwrite" }): Promise<PermissionState>;
}

interface FolderPicker {
	showDirectoryPicker?(options: { readonly id: string; readonly mode: "readwrite" }): Promise<Folder>;
}

/** Whether pages can write into a folder that a person chooses. */
export function canChooseFolder(): boolean {
	return (globalThis as FolderPicker).showDirectoryPicker !== undefined;
}

/** Lets the person choose a folder; undefined if they choose none. */
export async function chosenFolder(): Promise<Folder | undefined> {
	try {
		return await (globalThis as FolderPicker).showDirectoryPicker!({ id: "outliner-backup", mode: "readwrite" });
	} catch (error) {
		if (isNamed(error, "AbortError")) return undefined;
		throw error;
	}
}

/** Whether the page may write into a folder. With `asks`, asks the person, which needs a click before. */
export async function mayWrite(folder: Folder, asks: boolean): Promise<boolean> {
	const descriptor = { mode: "readwrite" } as const;
	if ((await folder.queryPermission(descriptor)) === "granted") return true;
	return asks && (await folder.requestPermission(descriptor)) === "granted";
}

/** A file that has been written. */
export interface WrittenFile {
	readonly fileName: string;
	readonly bytes: number;
}

/**
 * Writes a new file for a day, piece by piece. An earlier file of that name stays: it may be the backup of
 * another browser. Until the end the browser writes into a temporary file, and then swaps the two
 * (`createWritable`). So a page that closes early leaves no half of a file.
 */
export async function writeFile(folder: Folder, date: string, pieces: AsyncIterable<string>): Promise<WrittenFile> {
	const fileName = await freeName(folder, date);
	const file = await folder.getFileHandle(fileName, { create: true });
	try {
		const bytes = await fill(file, pieces);
		const { size } = await file.getFile();
		if (size !== bytes) throw new Error(`The file has ${size} bytes instead of ${bytes}.`);
		return { fileName, bytes };
	} catch (error) {
		// The file is blank until the swap.
		await removeBlank(folder, fileName);
		throw error;
	}
}

/** Removes a file. Browsers hold it for a moment after a failure, so this tries again. */
async function removeBlank(folder: Folder, name: string): Promise<void> {
	for (let attempt = 0; attempt < 10; attempt++) {
		try {
			return await folder.removeEntry(name);
		} catch (error) {
			if (!isNamed(error, "NoModificationAllowedError")) return;
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
	}
}

async function fill(file: FileSystemFileHandle, pieces: AsyncIterable<string>): Promise<number> {
	const encoder = new TextEncoder();
	const stream = await file.createWritable();
	let bytes = 0;
	try {
		for await (const piece of pieces) {
			const data = encoder.encode(piece);
			await stream.write(data);
			bytes += data.byteLength;
		}
		await stream.close();
		return bytes;
	} catch (error) {
		await stream.abort().catch(() => {});
		throw error;
	}
}

/** Removes files, unless the person has moved them away. Returns the names of files that can't be removed. */
export async function removeFiles(folder: Folder, names: readonly string[]): Promise<string[]> {
	const left: string[] = [];
	for (const name of names) {
		try {
			await folder.removeEntry(name);
		} catch (error) {
			if (!isNamed(error, "NotFoundError")) left.push(name);
		}
	}
	return left;
}

/** The reason why a backup failed, in words. */
export function failureText(error: unknown, folder: string): string {
	if (isNamed(error, "NotFoundError")) return `The folder “${folder}” is gone.`;
	if (isNamed(error, "QuotaExceededError")) return `There is no room left for a backup in the folder “${folder}”.`;
	if (isNamed(error, "NotAllowedError")) return `The browser may not write into the folder “${folder}”.`;
	return `The backup in the folder “${folder}” failed. ${error instanceof Error ? error.message : String(error)}`;
}

async function freeName(folder: Folder, date: string): Promise<string> {
	for (let number = 1; ; number++) {
		const name = backupName(date, number);
		try {
			const file = await (await folder.getFileHandle(name)).getFile();
			// A blank one is left of an attempt that failed.
			if (file.size === 0) return name;
		} catch (error) {
			if (!isNamed(error, "NotFoundError")) throw error;
			return name;
		}
	}
}

function isNamed(error: unknown, name: string): boolean {
	return error instanceof DOMException && error.name === name;
}
