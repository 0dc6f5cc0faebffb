import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Backups } from "./backups.js";

export const BackupContext = createContext<Backups | undefined>(undefined);

/** The backups that this device makes by itself. */
export function useBackups(): Backups {
	return useContext(BackupContext)!;
}
