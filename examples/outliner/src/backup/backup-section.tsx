import "./backup.css";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { clockTime } from "../server/time.js";
import { nodes } from "../text/count.js";
import { useLive } from "../view/rendering.js";
import { useBackups } from "./context.js";
import { canChooseFolder } from "./folder.js";
import type { LastBackup } from "./records.js";

interface BackupSectionProps {
	/** Whether the focus goes here first. */
	readonly isWanted: boolean;
	/** The way to restore a backup. */
	readonly children: ComponentChildren;
}

/** The last backup, the folder of the backups, and the way to choose one. */
export function BackupSection({ isWanted, children }: BackupSectionProps) {
	const backups = useBackups();
	const { last, folder, needsPermission, problem, isRunning, isDue } = useLive(backups.state);
	const [error, setError] = useState<string>();
	const section = useRef<HTMLElement>(null);
	useEffect(() => {
		if (isWanted) section.current!.querySelector("button")!.focus();
		void backups.refresh().catch((reason: Error) => setError(reason.message));
	}, []);
	const run = (work: () => Promise<void>) => {
		setError(undefined);
		work.call(backups).catch((reason: Error) => setError(reason.message));
	};
	const shown = error ?? problem;
	return (
		<section ref={section} class="backup">
			<p role="status">{isRunning ? "A backup is being written…" : <Last last={last} />}</p>
			{shown && (
				<p class="error" role="alert">
					{shown}
				</p>
			)}
			{folder === null ? (
				<p class="hint">
					{canChooseFolder()
						? "Choose a folder for automatic backups. Each day with a change gets a file. One file stays for each of the last 7 days, 4 weeks and 12 months."
						: "This browser can’t write files on its own. After a day with changes, download a backup here."}
				</p>
			) : (
				<p class="hint">
					Each day with a change gets a file in the folder “{folder}”. One file stays for each of the last 7 days, 4
					weeks and 12 months.
					{needsPermission && " The browser asks you again whether the page may write there."}
				</p>
			)}
			<div class="backup-actions">
				{folder !== null && (
					<Action isMain={needsPermission} onClick={() => run(backups.backUpNow)}>
						{needsPermission ? "Allow it" : "Back up now"}
					</Action>
				)}
				{canChooseFolder() && (
					<Action onClick={() => run(backups.chooseFolder)}>
						{folder === null ? "Choose a folder…" : "Another folder…"}
					</Action>
				)}
				<Action isMain={isDue && folder === null} onClick={() => run(backups.download)}>
					Download a backup
				</Action>
				{folder !== null && <Action onClick={() => run(backups.forgetFolder)}>Stop</Action>}
				{children}
			</div>
			<p class="hint">
				A restored backup replaces everything here, or comes below a node of its own. The page asks which.
			</p>
		</section>
	);
}

interface ActionProps {
	readonly isMain?: boolean;
	readonly onClick: () => void;
	readonly children: ComponentChildren;
}

function Action({ isMain = false, onClick, children }: ActionProps) {
	return (
		<button type="button" class={isMain ? "main wanted" : "main"} onClick={onClick}>
			{children}
		</button>
	);
}

function Last({ last }: { readonly last: LastBackup | null }) {
	if (last === null) return <>There is no backup yet.</>;
	const { at, fileName, folder, bytes, nodes: count } = last;
	return (
		<>
			Last backup: {clockTime(at / 1000)}, “{fileName}”{" "}
			{folder === null ? "as a download" : `in the folder “${folder}”`}, {size(bytes)} with {nodes(count)}.
		</>
	);
}

function size(bytes: number): string {
	const units = ["bytes", "kB", "MB", "GB"];
	const index = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
	const number = bytes / 1000 ** index;
	return `${number.toLocaleString("en", { maximumFractionDigits: index === 0 || number >= 100 ? 0 : 1 })} ${units[index]}`;
}
