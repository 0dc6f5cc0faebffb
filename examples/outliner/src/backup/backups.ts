import { tellWhenQuiet } from "../trust/quiet.js";
import { Cell } from "../workspace/cell.js";
import { download } from "../workspace/download.js";
import type { Workspace } from "../workspace/workspace.js";
import { chosenFolder, type Folder, failureText, mayWrite, removeFiles, writeFile } from "./folder.js";
import { type BackupRecords, type LastBackup, RecordStore } from "./records.js";
import { backupName, superfluous } from "./thinning.js";

/** All that a person sees of the backups. */
export interface BackupState {
	readonly last: LastBackup | null;
	/** The name of the chosen folder; null if there is none. */
	readonly folder: string | null;
	/** Whether the person has to allow the browser again to write into the folder. */
	readonly needsPermission: boolean;
	/** The reason why the last attempt failed, in words. */
	readonly problem: string | null;
	/** Whether the outline has changed on an earlier day than today, and no backup has the changes. */
	readonly isDue: boolean;
	readonly isRunning: boolean;
}

const unknown: BackupState = {
	last: null,
	folder: null,
	needsPermission: false,
	problem: null,
	isDue: false,
	isRunning: false,
};

/** The time between two checks while the page is open, in milliseconds. */
const hour = 3_600_000;

/**
 * Writes a file with everything into a folder that the person chose: once a day, if something has changed.
 * Without a folder, offers a download instead.
 */
export class Backups {
	readonly state = new Cell<BackupState>(unknown);
	readonly #workspace: Workspace;
	readonly #records = new RecordStore();

	constructor(workspace: Workspace) {
		this.#workspace = workspace;
		this.state.subscribe(() => workspace.backupIsDue.set(this.state.current.isDue));
	}

	/** Checks now, each hour, and when the page comes to the front again. */
	async watch(): Promise<void> {
		const check = () => void this.check().catch(() => {});
		setInterval(check, hour);
		addEventListener("visibilitychange", () => {
			if (document.visibilityState === "visible") check();
		});
		await this.check();
	}

	/** Makes a backup if one is due. Several tabs check one after the other, and the first one makes it. */
	async check(): Promise<void> {
		await alone(async () => {
			const records = await this.#records.read();
			if (records.first === undefined) {
				await this.#records.write({ first: { day: today(), revision: await this.#revision() } });
			}
			const { folder } = records;
			if (folder !== undefined && (await this.#isDue(records))) await this.#attempt(folder, records);
			await this.refresh();
		});
	}

	/** Lets the person choose a folder, and makes the first backup there. */
	async chooseFolder(): Promise<void> {
		const folder = await chosenFolder();
		if (folder === undefined) return;
		await alone(async () => {
			const { folder: before } = await this.#records.read();
			const isSame = (await before?.isSameEntry(folder)) === true;
			await this.#records.write({ folder, problem: undefined, ...(isSame ? {} : { written: undefined }) });
		});
		await this.backUpNow();
	}

	/** Makes a backup in the folder. To be called after a click, because it asks for a lapsed permission. */
	async backUpNow(): Promise<void> {
		const { folder } = await this.#records.read();
		// Without the click, browsers don't ask. So nothing may wait for another tab before.
		if (folder === undefined || !(await mayWrite(folder, true))) return this.refresh();
		await alone(async () => {
			await this.#attempt(folder, await this.#records.read());
			await this.refresh();
		});
	}

	/** Makes no more backups in the folder. The files stay. */
	async forgetFolder(): Promise<void> {
		await this.#records.write({ folder: undefined, written: undefined, problem: undefined });
		await this.refresh();
	}

	/** Offers the file of today as a download. */
	async download(): Promise<void> {
		const revision = await this.#revision();
		const pieces: string[] = [];
		const file = this.#file();
		for await (const piece of file.text) pieces.push(piece);
		const blob = new Blob(pieces, { type: "application/json" });
		const fileName = backupName(today());
		download(blob, fileName);
		const { size: bytes } = blob;
		await this.#records.write({
			last: { day: today(), revision, at: Date.now(), fileName, folder: null, bytes, nodes: file.nodes },
		});
		await this.refresh();
	}

	/** Reads the state again: another tab may have made a backup. */
	async refresh(): Promise<void> {
		const records = await this.#records.read();
		const { last = null, folder, problem = null } = records;
		this.state.set({
			last,
			folder: folder?.name ?? null,
			needsPermission: folder !== undefined && !(await mayWrite(folder, false)),
			problem,
			isDue: await this.#isDue(records),
			isRunning: false,
		});
	}

	async #attempt(folder: Folder, records: BackupRecords): Promise<void> {
		const { name } = folder;
		if (!(await mayWrite(folder, false))) {
			await this.#notice(records, `The backups in the folder “${name}” wait until you allow them again.`, "Allow");
			return;
		}
		this.state.set({ ...this.state.current, isRunning: true });
		try {
			const revision = await this.#revision();
			const file = this.#file();
			const { fileName, bytes } = await writeFile(folder, today(), file.text);
			const last = { day: today(), revision, at: Date.now(), fileName, folder: name, bytes, nodes: file.nodes };
			const written = [...(records.written ?? []), fileName];
			await this.#records.write({ last, written, problem: undefined });
			await this.#thin(folder, written, fileName);
		} catch (error) {
			const problem = failureText(error, name);
			await this.#records.write({ problem });
			await this.#notice(records, `${problem} There is no backup of today.`, "Try again");
		}
	}

	/** Removes the files that newer ones replace. Touches no file that this browser hasn't written. */
	async #thin(folder: Folder, written: readonly string[], newest: string): Promise<void> {
		const going = superfluous(written).filter((name) => name !== newest);
		const left = new Set(await removeFiles(folder, going));
		await this.#records.write({ written: written.filter((name) => !going.includes(name) || left.has(name)) });
	}

	/** Tells the person once a day why there is no backup. */
	async #notice({ noticed }: BackupRecords, text: string, label: string): Promise<void> {
		if (noticed === today()) return;
		await this.#records.write({ noticed: today() });
		const { message } = this.#workspace;
		const run = () => {
			message.set(null);
			void this.backUpNow().catch((error: Error) => message.set({ text: error.message, isError: true }));
		};
		tellWhenQuiet(message, { text, isError: false, action: { label, run } });
	}

	/** Whether the last attempt failed, or the last backup is of another day and there are changes since. */
	async #isDue({ problem, last, first }: BackupRecords): Promise<boolean> {
		if (problem !== undefined) return true;
		const base = last ?? first;
		return base !== undefined && base.day !== today() && (await this.#hasChanged(base.revision));
	}

	async #hasChanged(since: number): Promise<boolean> {
		try {
			const { nodes, deleted, keys } = await this.#workspace.outline.changes({ since, limit: 1 });
			return nodes.length + deleted.length + keys.length > 0;
		} catch {
			// It is another outline by now, or has forgotten its deletions.
			return true;
		}
	}

	async #revision(): Promise<number> {
		const { connection, storage } = this.#workspace;
		return (await (connection?.replica.storage ?? storage).read([])).revision;
	}

	/** The file with everything. Counts the nodes while it is read. */
	#file(): { readonly text: AsyncIterable<string>; readonly nodes: number } {
		let nodes = 0;
		const onProgress = (progress: { readonly nodes: number }) => {
			nodes = progress.nodes;
		};
		const text = this.#workspace.outline.exportAs("json", { onProgress });
		return {
			text,
			get nodes() {
				return nodes;
			},
		};
	}
}

/** The date of today where the person is. */
function today(): string {
	const now = new Date();
	const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
	return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("-");
}

/** Does something that no other tab does at the same time. */
async function alone(work: () => Promise<void>): Promise<void> {
	// Pages that came over an unsafe way have no locks, and can't write into folders either.
	if (navigator.locks === undefined) return work();
	await navigator.locks.request("outliner-backup", work);
}
